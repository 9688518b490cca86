"""Where trips begin and end: as typed, as a scenario file lists them, or picked."""

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
    """A free cell and the connected one that is farthest from it as the crow flies.

    Of start and goal, what is given stays. Without either, the start is drawn from the largest region. Raises
    InputError for a cell that is outside or blocked, and for a map without free cells.
    """
    labels = label_regions(grid)
    given = start if start is not None else goal
    if given is None:
        if grid.blocked.all():
            raise InputError("the map has no free cell, so there is nowhere to start")
        region = int(np.argmax(region_sizes(labels)))
        here = _random_cell(np.argwhere(labels == region), np.random.default_rng(seed))
    else:
        check_free(grid, given, "start" if start is not None else "goal")
        here, region = given, int(labels[given])
    cells = np.argwhere(labels == region)
    there = _cell(cells[np.argmax(((cells - here) ** 2).sum(axis=1))])
    return StartAndGoal(here, there) if start is not None or goal is None else StartAndGoal(there, here)


def check_free(grid: Grid, cell: Cell, what: str) -> None:
    """Raise InputError unless the cell is on the map and free."""
    if grid.get_value(grid.state(cell)) == 0:
        raise InputError(f"the {what} {cell} is blocked")


def random_problems(grid: Grid, count: int, seed: int) -> list[StartAndGoal]:
    """Starts drawn from all free cells that lead anywhere, and goals drawn from the cells connected to them."""
    labels = label_regions(grid)
    sizes = region_sizes(labels)
    able = np.argwhere((labels >= 0) & (sizes[labels] > 1)) if sizes.size else np.empty((0, 2), np.int64)
    if not len(able):
        raise InputError("no two free cells of the map are connected, so there is no problem to solve")
    rng = np.random.default_rng(seed)
    members = _by_region(labels, sizes)
    found = []
    for start in able[rng.integers(len(able), size=count)]:
        here, others = _cell(start), members[labels[tuple(start)]]
        goal = here
        while goal == here:
            goal = _random_cell(others, rng)
        found.append(StartAndGoal(here, goal))
    return found


def scenario_problems(map_name: str, shape: tuple[int, int], scen: str | None) -> tuple[Path, list[StartAndGoal]]:
    """The scenario file of a map (`scen`, or the file beside the map with `.scen` added to its name) and its problems.

    Raises InputError if the file is for another map.
    """
    built_in = map_name in maps.builtin_names()
    if scen is None and built_in:
        raise InputError(f"the built-in map {map_name} has no scenarios; take a map file with a .scen file beside it")
    path = Path(scen if scen is not None else f"{map_name}.scen")
    listed = maps.read_scenarios(path, shape if built_in else map_name)
    if not listed:
        raise InputError("the file has no problems", path)
    return path, [StartAndGoal(scenario.start, scenario.goal, scenario.optimal_length) for scenario in listed]


def map_of_scenario_file(scen: str) -> str:
    """The map that a .scen file is for: the file that bears its name without .scen. Raises InputError without one."""
    path = Path(scen).with_suffix("")
    for found in (path, path.with_suffix(".map")):
        if found.is_file():
            return str(found)
    raise InputError(f"its map {path.name} is not beside it; give the map, and this file with --scen", Path(scen))


def sample_problems(problems: list[StartAndGoal], count: int | None, seed: int) -> list[StartAndGoal]:
    """That many of them, drawn without repetition and in their order; all of them for None."""
    if count is None or count >= len(problems):
        return problems
    chosen = np.random.default_rng(seed).choice(len(problems), size=count, replace=False)
    return [problems[i] for i in sorted(chosen.tolist())]


def _by_region(labels: Labels, sizes: Labels) -> list[Labels]:
    """The cells of each region."""
    cells = np.argwhere(labels >= 0)
    order = np.argsort(labels[labels >= 0], kind="stable")
    return np.split(cells[order], np.cumsum(sizes)[:-1])


def _random_cell(cells: Labels, rng: np.random.Generator) -> Cell:
    return _cell(cells[rng.integers(len(cells))])


def _cell(pair: Labels) -> Cell:
    return int(pair[0]), int(pair[1])
