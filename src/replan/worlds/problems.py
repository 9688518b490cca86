"""Starts and goals of trips: given by the user, listed in a scenario file, or drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from replan import maps
from replan.errors import InputError
from replan.spaces.grid import Grid
from replan.spaces.regions import Labels, label_regions, region_sizes

Cell = tuple[int, int]


@dataclass(frozen=True)
class StartAndGoal:
    """A start and a goal, with the length of a shortest path if a scenario file lists it."""

    start: Cell
    goal: Cell
    optimal_cost: float | None = None


def distant_problem(grid: Grid, seed: int, start: Cell | None = None, goal: Cell | None = None) -> StartAndGoal:
    """Return a free cell and the connected cell with the largest Euclidean distance from it.

    A given start or goal is kept. Without either, the start is drawn from the largest region. Raises InputError for a
    cell that is outside the map or blocked, and for a map without free cells.
    """
    labels = label_regions(grid)
    fixed = start if start is not None else goal
    if fixed is None:
        if grid.blocked.all():
            raise InputError("the map has no free cell, so there is nowhere to start")
        region = int(np.argmax(region_sizes(labels)))
        first = _random_cell(np.argwhere(labels == region), np.random.default_rng(seed))
    else:
        check_free(grid, fixed, "start" if start is not None else "goal")
        first, region = fixed, int(labels[fixed])
    cells = np.argwhere(labels == region)
    second = _cell(cells[np.argmax(((cells - first) ** 2).sum(axis=1))])
    return StartAndGoal(first, second) if start is not None or goal is None else StartAndGoal(second, first)


def check_free(grid: Grid, cell: Cell, what: str) -> None:
    """Raise InputError unless the cell is on the map and free."""
    if grid.get_value(grid.state(cell)) == 0:
        raise InputError(f"the {what} {cell} is blocked")


def random_problems(grid: Grid, count: int, seed: int) -> list[StartAndGoal]:
    """Return random starts among the free cells that have a free neighbour, and random goals connected to them."""
    labels = label_regions(grid)
    sizes = region_sizes(labels)
    candidates = np.argwhere((labels >= 0) & (sizes[labels] > 1)) if sizes.size else np.empty((0, 2), np.int64)
    if not len(candidates):
        raise InputError("no two free cells of the map are connected, so there is no problem to solve")
    rng = np.random.default_rng(seed)
    cells_of_region = _by_region(labels, sizes)
    problems = []
    for start in candidates[rng.integers(len(candidates), size=count)]:
        start_cell, region = _cell(start), cells_of_region[labels[tuple(start)]]
        goal = start_cell
        while goal == start_cell:
            goal = _random_cell(region, rng)
        problems.append(StartAndGoal(start_cell, goal))
    return problems


def scenario_problems(map_name: str, shape: tuple[int, int], scen: str | None) -> tuple[Path, list[StartAndGoal]]:
    """Return the scenario file of a map (`scen`, or the map's name with `.scen` added) and its problems.

    Raises InputError if the file is for another map.
    """
    is_builtin = map_name in maps.builtin_names()
    if scen is None and is_builtin:
        raise InputError(f"the built-in map {map_name} has no scenarios; take a map file with a .scen file beside it")
    path = Path(scen if scen is not None else f"{map_name}.scen")
    scenarios = maps.read_scenarios(path, shape if is_builtin else map_name)
    if not scenarios:
        raise InputError("the file has no problems", path)
    return path, [StartAndGoal(scenario.start, scenario.goal, scenario.optimal_length) for scenario in scenarios]


def map_of_scenario_file(scen: str) -> str:
    """Return the map of a .scen file: the file with that name without .scen. Raises InputError if there is none."""
    path = Path(scen).with_suffix("")
    for candidate in (path, path.with_suffix(".map")):
        if candidate.is_file():
            return str(candidate)
    raise InputError(
        f"its map {path.name} is not beside it; give the map, and this file with --scenario-file", Path(scen)
    )


def sample_problems(problems: list[StartAndGoal], count: int | None, seed: int) -> list[StartAndGoal]:
    """Return `count` problems in their order, drawn without repetition; all of them for None."""
    if count is None or count >= len(problems):
        return problems
    chosen = np.random.default_rng(seed).choice(len(problems), size=count, replace=False)
    return [problems[i] for i in sorted(chosen.tolist())]


def _by_region(labels: Labels, sizes: Labels) -> list[Labels]:
    """Return the cells of each region."""
    cells = np.argwhere(labels >= 0)
    order = np.argsort(labels[labels >= 0], kind="stable")
    return np.split(cells[order], np.cumsum(sizes)[:-1])


def _random_cell(cells: Labels, rng: np.random.Generator) -> Cell:
    return _cell(cells[rng.integers(len(cells))])


def _cell(pair: Labels) -> Cell:
    return int(pair[0]), int(pair[1])
