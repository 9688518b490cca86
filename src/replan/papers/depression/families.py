"""Two families of worlds for the discussion of depression avoidance 2011: it can be arbitrarily better, or worse.

Both are corridors one cell wide on a 4-connected grid that the agent does not know; `size` makes them longer.

- `dead_end(size)`: a corridor that ends just before the goal. RTAA* raises its h-values cell by cell and walks to and
  fro, about size * size moves in all. aRTAA* and daRTAA* leave raised cells behind them, walk out at once, and make
  about 3 * size moves.
- `fork(size, detour)`: an obstacle before the goal, a path around it that begins with `detour` steps to the side, and
  a corridor of `size` cells that leads away from the goal. An agent that tries the corridor first raises the h-values
  at the fork. RTAA* soon turns around, whatever the size. aRTAA* and daRTAA* avoid the raised cells at the fork, walk
  the corridor to its end and come back. `detour` must be larger than a lookahead above 1, or the search sees around the
  corner.

A report takes the rows of `growth` and the sentence of `describe`:

>>> rows = growth(DEAD_END, sizes=(8, 32), seeds=5)
>>> [row["size"] for row in rows if row["planner"] == "daRTAA*"]
[8, 32]
>>> describe(DEAD_END, rows)
'RTAA* to daRTAA*: 2.5 times the moves at size 8, 6.7 at size 32'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.experiments.runs import Cell
from replan.maps.terrain import BoolGrid
from replan.planners.registry import planner
from replan.simulation.simulate import simulate
from replan.spaces.grid import Grid
from replan.worlds.world import World

FamilyProblem = tuple[BoolGrid, Cell, Cell]  # blocked cells, start and goal

PLANNERS = ("RTAA*", "aRTAA*", "daRTAA*")


def dead_end(size: int) -> FamilyProblem:
    """Blocked cells, start and goal: the corridor of the last row ends one cell before the goal.

    >>> print(world_text(dead_end(6)))
    _________
    _#######_
    S______#G
    """
    _refuse_small(size, 1, "size")
    blocked = np.zeros((3, size + 3), bool)
    blocked[1, 1:-1] = True
    blocked[2, -2] = True
    return blocked, (2, 0), (2, size + 2)


def fork(size: int, detour: int = 1) -> FamilyProblem:
    """Blocked cells, start and goal: the way to the goal begins upwards, the long corridor to the left.

    >>> print(world_text(fork(6, detour=2)))
    ######_____
    ######_###_
    ______S###G
    """
    _refuse_small(size, 1, "size")
    _refuse_small(detour, 1, "detour")
    cols = size + 2 * detour + 1
    blocked = np.ones((detour + 1, cols), bool)
    blocked[detour, : size + 1] = False
    blocked[0, size:] = False
    blocked[:, [size, cols - 1]] = False
    return blocked, (detour, size), (detour, cols - 1)


def _refuse_small(value: int, minimum: int, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        raise InputError(f"{name} is a whole number from {minimum}, not {value!r}")


def world_text(task: FamilyProblem) -> str:
    """A world as lines of text."""
    blocked, start, goal = task
    rows = [["#" if cell else "_" for cell in row] for row in blocked]
    rows[start[0]][start[1]], rows[goal[0]][goal[1]] = "S", "G"
    return "\n".join("".join(row) for row in rows)


@dataclass(frozen=True)
class Family:
    """Worlds of growing size, and which planner is to lose more and more against which."""

    name: str
    claim: str
    make: Callable[[int, int], FamilyProblem]  # of a size and a lookahead
    loser: str
    winner: str


DEAD_END = Family(
    "dead end",
    "depression avoidance is arbitrarily better",
    lambda size, lookahead: dead_end(size),
    loser="RTAA*",
    winner="daRTAA*",
)
FORK = Family(
    "fork",
    "depression avoidance is arbitrarily worse",
    lambda size, lookahead: fork(size, detour=1 if lookahead == 1 else lookahead + 1),
    loser="daRTAA*",
    winner="RTAA*",
)
FAMILIES = (DEAD_END, FORK)


def growth(
    family: Family, sizes: Sequence[int] = (8, 16, 32, 64, 128, 256), lookahead: int = 1, seeds: int = 20
) -> list[dict[str, Any]]:
    """A row for each size and planner: moves (mean over random ties, standard error), and their ratio to RTAA*'s."""
    rows = []
    for size in sizes:
        task = family.make(size, lookahead)
        base = 0.0
        for name in PLANNERS:
            moves = np.array([_moves(task, name, lookahead, seed) for seed in range(seeds)], float)
            base = base or float(moves.mean())
            error = float(moves.std(ddof=1)) / seeds**0.5 if seeds > 1 else float("nan")
            figures = {"moves": float(moves.mean()), "error": error, "ratio": float(moves.mean()) / base}
            rows.append({"family": family.name, "size": size, "lookahead": lookahead, "planner": name, **figures})
    return rows


def _moves(task: FamilyProblem, name: str, lookahead: int, seed: int) -> int:
    blocked, start, goal = task
    tested_planner = planner(name, lookahead=lookahead, ties="random", seed=seed)
    return simulate(World(Grid(blocked, neighbors=4)), tested_planner, start, goal).moves


def ratios(family: Family, rows: list[dict[str, Any]]) -> dict[int, float]:
    """By size: the moves of the family's loser to those of its winner."""
    moves = {(row["planner"], row["size"]): row["moves"] for row in rows if row["family"] == family.name}
    sizes = [size for name, size in moves if name == family.loser]
    return {size: moves[family.loser, size] / moves[family.winner, size] for size in sizes}


def ratio_errors(family: Family, rows: list[dict[str, Any]]) -> list[float]:
    """The standard errors of `ratios`, in their order."""
    share = {(row["planner"], row["size"]): row["error"] / row["moves"] for row in rows if row["family"] == family.name}
    of_both = [(size, ratio, family.loser, family.winner) for size, ratio in ratios(family, rows).items()]
    return [ratio * float(np.hypot(share[loser, size], share[winner, size])) for size, ratio, loser, winner in of_both]


def describe(family: Family, rows: list[dict[str, Any]]) -> str:
    """The growth in one sentence."""
    by_size = ratios(family, rows)
    first, last = min(by_size), max(by_size)
    return (
        f"{family.loser} to {family.winner}: {by_size[first]:.1f} times the moves at size {first}, "
        f"{by_size[last]:.1f} at size {last}"
    )
