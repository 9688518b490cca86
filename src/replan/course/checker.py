"""Runs a student's searches in many worlds, checks each search, and finds a small world for the first mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from replan.course.assignment import (
    DEFAULT_WORLD_COUNT,
    TASKS,
    TIE_RULES,
    BlockedRows,
    Cell,
    CourseWorld,
    as_tuples,
    course_worlds,
    manhattan_distance,
    neighbor_cells,
)
from replan.course.rules import Mistake, SearchProblem, check_h, check_search
from replan.course.student_process import ANSWER_TIMEOUT, FORGED_ANSWER_MESSAGE, StudentProcess

MAX_SEARCHES = 500  # in one world
FATAL_KINDS = (
    "endless",
    "slow",
    "crash",
    "prints",
    "large",
    "forged",
)  # a new process is needed, and no smaller world is looked for


@dataclass(frozen=True)
class Failure:
    """A mistake, and the search that has it: the belief, the cell of the agent, and the answer."""

    task: str
    mistake: Mistake
    world: CourseWorld
    search_number: int  # number of the search in its world, from 1
    cell: Cell
    belief: BlockedRows
    answer: Any


@dataclass(frozen=True)
class Verdict:
    """Result of checking one task. failure: the first one, None if the task is correct."""

    task: str
    world_count: int
    search_count: int
    failure: Failure | None

    @property
    def is_correct(self) -> bool:
        return self.failure is None


def check_program(
    file: Path,
    world_count: int = DEFAULT_WORLD_COUNT,
    timeout: float = ANSWER_TIMEOUT,
    progress: Callable[[], None] = lambda: None,
) -> list[Verdict]:
    """Return a verdict on each task of a program. Raises Mistake if it has no task or cannot be loaded."""
    with StudentProcess(file, timeout) as program:
        tasks, ties = _declared_tasks(program.ask("about"))
    return [Checker(file, task, ties, timeout).run(world_count, progress) for task in tasks]


def _declared_tasks(answer: Any) -> tuple[list[str], str]:
    """Return the tasks of a program, and its rule for ties."""
    if not isinstance(answer, dict) or not isinstance(answer.get("tasks"), list) or "ties" not in answer:
        raise Mistake("forged", FORGED_ANSWER_MESSAGE)
    tasks = [task for task in TASKS if task in answer["tasks"]]
    if not tasks:
        raise Mistake("nothing", f"the program defines none of {', '.join(TASKS)}; see the assignment")
    ties = answer["ties"] if answer["ties"] is not None else TIE_RULES[0]
    if ties not in TIE_RULES:
        raise Mistake("nothing", f"TIES is 'larger g' or 'smaller g', not {str(ties)[:40]!r}")
    return tasks, ties


class Checker:
    """Checks one task of one program."""

    def __init__(self, file: Path, task: str, ties: str, timeout: float) -> None:
        self.file, self.task, self.ties, self.timeout = file, task, ties, timeout
        self.search_count = 0

    def run(self, worlds: int, step: Callable[[], None]) -> Verdict:
        tried = 0
        with StudentProcess(self.file, self.timeout) as program:
            for course in course_worlds(worlds):
                tried += 1
                failure = self._run_world(program, course)
                step()
                if failure is not None:
                    if failure.mistake.kind not in FATAL_KINDS:
                        failure = self._minimize(program, failure)
                    return Verdict(self.task, tried, self.search_count, failure)
        return Verdict(self.task, tried, self.search_count, None)

    def _run_world(self, program: StudentProcess, course: CourseWorld) -> Failure | None:
        """Run a trip in a world with the program's searches. Returns the first failure."""
        walk = CourseTrip(course)
        try:
            if self.task == "Adaptive":
                program.ask("new")
            while walk.is_searching and walk.search_count < MAX_SEARCHES:
                self.search_count += 1
                walk.search_count += 1
                walk.answer = None
                self._run_search(program, walk)
        except Mistake as mistake:
            return Failure(
                self.task, mistake, course, walk.search_count, walk.cell, as_tuples(walk.belief), walk.answer
            )
        return None

    def _run_search(self, program: StudentProcess, walk: CourseTrip) -> None:
        backward = self.task == "backward"
        request = {"blocked": walk.belief, "start": walk.cell, "goal": walk.world.goal}
        walk.answer = program.ask(self.task, **request)
        source, target = (walk.world.goal, walk.cell) if backward else (walk.cell, walk.world.goal)
        h = (lambda cell: manhattan_distance(cell, walk.cell)) if backward else (lambda cell: walk.h[cell])
        path, g = check_search(
            SearchProblem(as_tuples(walk.belief), source, target, h, self.ties, backward), walk.answer
        )
        if self.task == "Adaptive":
            self._check_learning(program, walk, path, g, request)
        walk.follow_path(path)

    def _check_learning(
        self,
        program: StudentProcess,
        walk: CourseTrip,
        path: list[Cell] | None,
        g: dict[Cell, int],
        request: dict[str, Any],
    ) -> None:
        if path is not None:
            for cell, cost in g.items():
                walk.h[cell] = max(walk.h[cell], len(path) - 1 - cost)
            cells = [c for c in walk.h if not walk.belief[c[0]][c[1]]]
            answers = program.ask("h", **request, cells=cells)
            if not isinstance(answers, list) or len(answers) != len(cells):
                raise Mistake("forged", FORGED_ANSWER_MESSAGE)
            values = dict(zip(cells, answers, strict=True))
            check_h(values, walk.h, as_tuples(walk.belief), walk.world.goal)

    def _minimize(self, program: StudentProcess, failure: Failure) -> Failure:
        """Find the same kind of mistake in a world with fewer rows, columns and obstacles."""
        smaller = True
        while smaller:
            smaller = False
            for course in _smaller_worlds(failure.world):
                smaller_failure = self._run_world(program, course)
                if smaller_failure is not None and smaller_failure.mistake.kind in FATAL_KINDS:
                    return failure
                if smaller_failure is not None and smaller_failure.mistake.kind == failure.mistake.kind:
                    failure, smaller = smaller_failure, True
                    break
        return failure


class CourseTrip:
    """Trip of an agent that sees the four cells beside it and searches again when its path is blocked."""

    def __init__(self, course: CourseWorld) -> None:
        rows, cols = course.shape
        self.world, self.cell = course, course.start
        self.belief = [[False] * cols for _ in range(rows)]
        self.h = {(r, c): manhattan_distance((r, c), course.goal) for r in range(rows) for c in range(cols)}
        self.is_searching, self.search_count = course.start != course.goal, 0
        self.answer: Any = None
        self._sense()

    def _sense(self) -> None:
        for row, col in neighbor_cells(self.cell, self.world.shape):
            self.belief[row][col] = self.world.truth[row][col]

    def follow_path(self, path: list[Cell] | None) -> None:
        if path is None:
            self.is_searching = False
            return
        for cell in path[1:]:
            if self.world.truth[cell[0]][cell[1]]:
                return
            self.cell = cell
            self._sense()
        self.is_searching = False


def _smaller_worlds(course: CourseWorld) -> list[CourseWorld]:
    """Return the worlds with one row, column or obstacle less."""
    rows, cols = course.shape
    worlds = []
    for row in range(rows):
        if rows > 1 and row not in (course.start[0], course.goal[0]):
            rows_left = course.truth[:row] + course.truth[row + 1 :]
            worlds.append(
                CourseWorld(rows_left, _without_line(course.start, row, 0), _without_line(course.goal, row, 0))
            )
    for col in range(cols):
        if cols > 1 and col not in (course.start[1], course.goal[1]):
            rows_left = tuple(line[:col] + line[col + 1 :] for line in course.truth)
            worlds.append(
                CourseWorld(rows_left, _without_line(course.start, col, 1), _without_line(course.goal, col, 1))
            )
    for row in range(rows):
        for col in range(cols):
            if course.truth[row][col]:
                cells = [list(line) for line in course.truth]
                cells[row][col] = False
                worlds.append(replace(course, truth=as_tuples(cells)))
    return worlds


def _without_line(cell: Cell, gone: int, axis: int) -> Cell:
    moved = list(cell)
    moved[axis] -= moved[axis] > gone
    return moved[0], moved[1]
