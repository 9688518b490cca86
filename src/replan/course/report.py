"""Text of a verdict: a line for a correct task, or the mistake with its smallest world and the expansions."""

from __future__ import annotations

from typing import Any

from replan.course.assignment import TASKS, BlockedRows, Cell
from replan.course.checker import Failure, Verdict
from replan.formatting import format_count

MAX_LISTED_EXPANSIONS = 30  # expansions that are listed in words


def describe_verdict(verdict: Verdict) -> str:
    """Return a verdict as text for the student."""
    name = f"{TASKS[verdict.task]} ({verdict.task})"
    if verdict.failure is None:
        searches, worlds = (
            format_count(verdict.search_count, "search", "searches"),
            format_count(verdict.world_count, "world"),
        )
        return f"{name}: right, in {searches} through {worlds}."
    failure = verdict.failure
    lines = [f"{name}: {failure.mistake.text}.", ""]
    return "\n".join(lines + _failure_lines(failure))


def _failure_lines(failure: Failure) -> list[str]:
    rows, cols = failure.world.shape
    search = f"search number {failure.search_number}" if failure.search_number > 1 else "the first search"
    lines = [f"The smallest world found in which this happens, {rows} x {cols}, in {search}:", ""]
    goal = failure.world.goal
    lines += ["in truth" + " " * max(2, 3 * cols - 5) + "as the agent believes"]
    truth, believed = (_draw_map(rows_, failure.cell, goal) for rows_ in (failure.world.truth, failure.belief))
    lines += [f"{left}   {right}" for left, right in zip(truth, believed, strict=True)]
    expanded = _expanded_cells(failure.answer)
    if expanded:
        lines += ["", f"What you expanded, in this order ({format_count(len(expanded), 'cell')}):"]
        lines += _expansion_lines(failure.belief, failure.cell, goal, expanded, failure.mistake.cell)
    lines += ["", "A agent, G goal, # blocked; numbers count the expansions; the mistake is in brackets."]
    return lines


def _expanded_cells(answer: Any) -> list[Cell]:
    """Return the expanded cells of an answer; malformed ones are left out."""
    if not isinstance(answer, list) or len(answer) != 2 or not isinstance(answer[1], list):
        return []
    cells = [c for c in answer[1] if isinstance(c, list) and len(c) == 2 and all(type(x) is int for x in c)]
    return [(cell[0], cell[1]) for cell in cells]


def _draw_map(
    rows: BlockedRows, agent_cell: Cell, goal: Cell, numbers: dict[Cell, int] | None = None, wrong: Cell | None = None
) -> list[str]:
    lines = []
    for r, row in enumerate(rows):
        line = ""
        for c, blocked in enumerate(row):
            sign = "#" if blocked else "."
            if numbers and (r, c) in numbers:
                sign = str(numbers[r, c])
            elif (r, c) == agent_cell:
                sign = "A"
            elif (r, c) == goal:
                sign = "G"
            if numbers is None:
                line += f"{sign:>3}"
            else:
                line += (f"[{sign}]" if (r, c) == wrong else f"{sign} ").rjust(4)
        lines.append(line)
    return lines


def _expansion_lines(
    rows: BlockedRows, agent_cell: Cell, goal: Cell, expanded: list[Cell], wrong: Cell | None
) -> list[str]:
    """Return a picture with the order of expansions up to the mistake, and a list of the last ones."""
    count = len(expanded)
    if wrong in expanded:
        count = len(expanded) - expanded[::-1].index(wrong)
    numbers: dict[Cell, int] = {}
    for i, cell in enumerate(expanded[: min(count, 999)], start=1):
        numbers.setdefault(cell, i)
    lines = _draw_map(rows, agent_cell, goal, numbers, wrong)
    for i, cell in enumerate(
        expanded[:count][-MAX_LISTED_EXPANSIONS:], start=max(1, count - MAX_LISTED_EXPANSIONS + 1)
    ):
        lines.append(f"  {i}. {cell}" + ("   <- here" if i == count and cell == wrong else ""))
    return lines
