"""What is said about a program: a line where it is right, and where it is not the smallest world, step by step."""

from __future__ import annotations

from typing import Any

from replan.course.check import Failure, Verdict
from replan.course.tasks import TASKS, Cell, Rows
from replan.wording import counted

MOST_DRAWN = 30  # pictures of expansions


def told(verdict: Verdict) -> str:
    """A verdict for whoever wrote the program."""
    name = f"{TASKS[verdict.task]} ({verdict.task})"
    if verdict.failure is None:
        searches, worlds = counted(verdict.searches, "search", "searches"), counted(verdict.worlds, "world")
        return f"{name}: right, in {searches} through {worlds}."
    failure = verdict.failure
    lines = [f"{name}: {failure.mistake.text}.", ""]
    return "\n".join(lines + _pictures(failure))


def _pictures(failure: Failure) -> list[str]:
    rows, cols = failure.course.shape
    search = f"search number {failure.number}" if failure.number > 1 else "the first search"
    lines = [f"The smallest world found in which this happens, {rows} x {cols}, in {search}:", ""]
    goal = failure.course.goal
    lines += ["in truth" + " " * max(2, 3 * cols - 5) + "as the agent believes"]
    truth, believed = (_drawing(rows_, failure.at, goal) for rows_ in (failure.course.truth, failure.believed))
    lines += [f"{left}   {right}" for left, right in zip(truth, believed, strict=True)]
    expanded = _expanded(failure.answer)
    if expanded:
        lines += ["", f"What you expanded, in this order ({counted(len(expanded), 'cell')}):"]
        lines += _steps(failure.believed, failure.at, goal, expanded, failure.mistake.cell)
    lines += ["", "A agent, G goal, # blocked; numbers count the expansions; the mistake is in brackets."]
    return lines


def _expanded(answer: Any) -> list[Cell]:
    """The cells that were said to be expanded, as far as they are cells."""
    if not isinstance(answer, list) or len(answer) != 2 or not isinstance(answer[1], list):
        return []
    good = [c for c in answer[1] if isinstance(c, list) and len(c) == 2 and all(type(x) is int for x in c)]
    return [(cell[0], cell[1]) for cell in good]


def _drawing(
    rows: Rows, at: Cell, goal: Cell, numbers: dict[Cell, int] | None = None, wrong: Cell | None = None
) -> list[str]:
    lines = []
    for r, row in enumerate(rows):
        line = ""
        for c, blocked in enumerate(row):
            sign = "#" if blocked else "."
            if numbers and (r, c) in numbers:
                sign = str(numbers[r, c])
            elif (r, c) == at:
                sign = "A"
            elif (r, c) == goal:
                sign = "G"
            if numbers is None:
                line += f"{sign:>3}"
            else:
                line += (f"[{sign}]" if (r, c) == wrong else f"{sign} ").rjust(4)
        lines.append(line)
    return lines


def _steps(rows: Rows, at: Cell, goal: Cell, expanded: list[Cell], wrong: Cell | None) -> list[str]:
    """Up to the mistake: the order as numbers in one picture, and the last cells one by one in words."""
    upto = len(expanded)
    if wrong in expanded:
        upto = len(expanded) - expanded[::-1].index(wrong)
    numbers: dict[Cell, int] = {}
    for i, cell in enumerate(expanded[: min(upto, 999)], start=1):
        numbers.setdefault(cell, i)
    lines = _drawing(rows, at, goal, numbers, wrong)
    for i, cell in enumerate(expanded[:upto][-MOST_DRAWN:], start=max(1, upto - MOST_DRAWN + 1)):
        lines.append(f"  {i}. {cell}" + ("   <- here" if i == upto and cell == wrong else ""))
    return lines
