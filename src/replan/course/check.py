"""Sends a student's searches through worlds and judges each of them; a failure is made as small as it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from replan.course.program import FORGED, PATIENCE, Program
from replan.course.rules import Mistake, SearchTask, check_h, judge
from replan.course.tasks import TASKS, TIES, WORLDS, Cell, Course, Rows, beside, courses, distance, frozen

MOST_SEARCHES = 500  # in one world
FATAL = (
    "endless",
    "slow",
    "crash",
    "prints",
    "large",
    "forged",
)  # a new process is needed, and no smaller world is looked for


@dataclass(frozen=True)
class Failure:
    """A mistake, and the search in which it shows: what was believed, where the agent was, what was answered."""

    task: str
    mistake: Mistake
    course: Course
    number: int  # of the search in its world, from 1
    at: Cell
    believed: Rows
    answer: Any


@dataclass(frozen=True)
class Verdict:
    """What was found out about one task. worlds: how many it was tried on."""

    task: str
    worlds: int
    searches: int
    failure: Failure | None

    @property
    def right(self) -> bool:
        return self.failure is None


def check(
    file: Path, worlds: int = WORLDS, patience: float = PATIENCE, step: Callable[[], None] = lambda: None
) -> list[Verdict]:
    """A verdict on each task that the program has. Raises Mistake if it has none, or cannot even be read."""
    with Program(file, patience) as program:
        found, ties = _about(program.ask("about"))
    return [Checker(file, task, ties, patience).verdict(worlds, step) for task in found]


def _about(answer: Any) -> tuple[list[str], str]:
    """The tasks that a program has, and how it breaks ties."""
    if not isinstance(answer, dict) or not isinstance(answer.get("tasks"), list) or "ties" not in answer:
        raise Mistake("forged", FORGED)
    found = [task for task in TASKS if task in answer["tasks"]]
    if not found:
        raise Mistake("nothing", f"the program defines none of {', '.join(TASKS)}; see the assignment")
    ties = answer["ties"] if answer["ties"] is not None else TIES[0]
    if ties not in TIES:
        raise Mistake("nothing", f"TIES is 'larger g' or 'smaller g', not {str(ties)[:40]!r}")
    return found, ties


class Checker:
    """Tries one task of one program."""

    def __init__(self, file: Path, task: str, ties: str, patience: float) -> None:
        self.file, self.task, self.ties, self.patience = file, task, ties, patience
        self.searches = 0

    def verdict(self, worlds: int, step: Callable[[], None]) -> Verdict:
        tried = 0
        with Program(self.file, self.patience) as program:
            for course in courses(worlds):
                tried += 1
                failure = self._try(program, course)
                step()
                if failure is not None:
                    if failure.mistake.kind not in FATAL:
                        failure = self._smallest(program, failure)
                    return Verdict(self.task, tried, self.searches, failure)
        return Verdict(self.task, tried, self.searches, None)

    def _try(self, program: Program, course: Course) -> Failure | None:
        """Walk through a world with the program's searches: the first failure."""
        walk = CourseWalk(course)
        try:
            if self.task == "Adaptive":
                program.ask("new")
            while walk.searching and walk.searches < MOST_SEARCHES:
                self.searches += 1
                walk.searches += 1
                walk.answer = None
                self._one(program, walk)
        except Mistake as mistake:
            return Failure(self.task, mistake, course, walk.searches, walk.at, frozen(walk.believed), walk.answer)
        return None

    def _one(self, program: Program, walk: CourseWalk) -> None:
        backward = self.task == "backward"
        request = {"blocked": walk.believed, "start": walk.at, "goal": walk.course.goal}
        walk.answer = program.ask(self.task, **request)
        source, target = (walk.course.goal, walk.at) if backward else (walk.at, walk.course.goal)
        h = (lambda cell: distance(cell, walk.at)) if backward else (lambda cell: walk.h[cell])
        path, g = judge(SearchTask(frozen(walk.believed), source, target, h, self.ties, backward), walk.answer)
        if self.task == "Adaptive":
            self._check_learning(program, walk, path, g, request)
        walk.follow(path)

    def _check_learning(
        self, program: Program, walk: CourseWalk, path: list[Cell] | None, g: dict[Cell, int], request: dict[str, Any]
    ) -> None:
        if path is not None:
            for cell, cost in g.items():
                walk.h[cell] = max(walk.h[cell], len(path) - 1 - cost)
            cells = [c for c in walk.h if not walk.believed[c[0]][c[1]]]
            told = program.ask("h", **request, cells=cells)
            if not isinstance(told, list) or len(told) != len(cells):
                raise Mistake("forged", FORGED)
            values = dict(zip(cells, told, strict=True))
            check_h(values, walk.h, frozen(walk.believed), walk.course.goal)

    def _smallest(self, program: Program, failure: Failure) -> Failure:
        """The same kind of mistake in a world with fewer rows, columns and obstacles."""
        smaller = True
        while smaller:
            smaller = False
            for course in _smaller(failure.course):
                found = self._try(program, course)
                if found is not None and found.mistake.kind in FATAL:
                    return failure
                if found is not None and found.mistake.kind == failure.mistake.kind:
                    failure, smaller = found, True
                    break
        return failure


class CourseWalk:
    """An agent in a world: it sees the four cells beside it, and searches again when its path is blocked."""

    def __init__(self, course: Course) -> None:
        rows, cols = course.shape
        self.course, self.at = course, course.start
        self.believed = [[False] * cols for _ in range(rows)]
        self.h = {(r, c): distance((r, c), course.goal) for r in range(rows) for c in range(cols)}
        self.searching, self.searches = course.start != course.goal, 0
        self.answer: Any = None
        self._look()

    def _look(self) -> None:
        for row, col in beside(self.at, self.course.shape):
            self.believed[row][col] = self.course.truth[row][col]

    def follow(self, path: list[Cell] | None) -> None:
        if path is None:
            self.searching = False
            return
        for cell in path[1:]:
            if self.course.truth[cell[0]][cell[1]]:
                return
            self.at = cell
            self._look()
        self.searching = False


def _smaller(course: Course) -> list[Course]:
    """Worlds with a row, a column or an obstacle less."""
    rows, cols = course.shape
    found = []
    for row in range(rows):
        if rows > 1 and row not in (course.start[0], course.goal[0]):
            kept = course.truth[:row] + course.truth[row + 1 :]
            found.append(Course(kept, _shift(course.start, row, 0), _shift(course.goal, row, 0)))
    for col in range(cols):
        if cols > 1 and col not in (course.start[1], course.goal[1]):
            kept = tuple(line[:col] + line[col + 1 :] for line in course.truth)
            found.append(Course(kept, _shift(course.start, col, 1), _shift(course.goal, col, 1)))
    for row in range(rows):
        for col in range(cols):
            if course.truth[row][col]:
                cells = [list(line) for line in course.truth]
                cells[row][col] = False
                found.append(replace(course, truth=frozen(cells)))
    return found


def _shift(cell: Cell, gone: int, axis: int) -> Cell:
    moved = list(cell)
    moved[axis] -= moved[axis] > gone
    return moved[0], moved[1]
