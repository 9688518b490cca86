"""Creates the planners of a crowd, and defines its results: MoveResult and CrowdReport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from replan.errors import InputError
from replan.formatting import format_count
from replan.planners.base import Planner
from replan.planners.realtime import RealTimePlanner
from replan.planners.registry import planner as make
from replan.worlds.world import World

MAX_WORKERS = 256
SUITABLE_PLANNERS_HINT = (
    "take one that looks ahead, learns and moves, such as 'RTAA*' or 'LRTA*', or 'FlowField' if many have the same goal"
)
DETOUR_LOOKAHEAD = 17  # expansions of a search for a detour, in crowds with flow fields
USER_OBJECT_OPTIONS = ("learning", "choosing")  # options that can be objects of the user


@dataclass(frozen=True)
class MoveResult:
    """Characters that have moved in a tick.

    Parameters
    ----------
    ids
        Their ids.
    cells
        Their cells: an array with a row and a column for each. On a graph, a list of nodes.

    Examples
    --------
    >>> import numpy as np, replan
    >>> crowd = replan.Crowd(replan.Grid(np.zeros((3, 3), bool)))
    >>> ids = crowd.add([(0, 0), (2, 0)], (0, 2))
    >>> moved = crowd.tick()
    >>> len(moved), moved.ids.tolist(), moved.cells.tolist()
    (2, [0, 1], [[0, 1], [1, 1]])
    """

    ids: np.ndarray[Any, Any]
    cells: Any

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class CrowdReport:
    """What a crowd has done since the last report.

    Parameters
    ----------
    characters
        Number of characters now.
    ticks
        Calls of `tick`.
    searches
        Number of searches.
    expansions
        Expansions of all searches.
    deferred_searches
        Characters that could not plan in a tick in which they had to, summed over the ticks.
    waiting_characters
        Characters that still wait to plan.
    longest_wait_ticks
        Largest number of ticks that a character waited to plan.
    learned_h_values
        States of which characters have learned a larger h.
    row_bytes, path_bytes, learned_bytes
        Memory of the characters, of their paths, and of what they have learned. The arrays of the searches, one set
        for each worker, do not count.

    Examples
    --------
    >>> import numpy as np, replan
    >>> crowd = replan.Crowd(replan.Grid(np.zeros((3, 3), bool)))
    >>> ids, moved = crowd.add([(0, 0), (2, 0)], (0, 2)), crowd.tick()
    >>> report = crowd.report()
    >>> report.characters, report.ticks, report.searches, report.deferred_searches, report.total_bytes > 0
    (2, 1, 2, 0, True)
    """

    characters: int
    ticks: int
    searches: int
    expansions: int
    deferred_searches: int
    waiting_characters: int
    longest_wait_ticks: int
    learned_h_values: int
    row_bytes: int
    path_bytes: int
    learned_bytes: int

    @property
    def total_bytes(self) -> int:
        """Memory of all characters in bytes."""
        return self.row_bytes + self.path_bytes + self.learned_bytes

    def __str__(self) -> str:
        size = self.total_bytes / self.characters if self.characters else 0
        return (
            f"{format_count(self.characters, 'character')}, {format_count(self.ticks, 'tick')}: "
            f"{format_count(self.searches, 'search', 'searches')}, {format_count(self.expansions, 'expansion')}; "
            f"{self.waiting_characters:,} wait to plan, the longest wait was "
            f"{format_count(self.longest_wait_ticks, 'tick')}; "
            f"{size:,.0f} bytes per character"
        )


def is_flow_field(name: Any) -> bool:
    """True if this is the name of the FlowField planner."""
    return isinstance(name, str) and name.strip().lower() == "flowfield"


def make_planners(name: Any, workers: Any, options: dict[str, Any]) -> list[RealTimePlanner]:
    """Create a planner for each worker. Raises InputError for planners that cannot plan for many characters."""
    if not isinstance(workers, int) or isinstance(workers, bool) or not 1 <= workers <= MAX_WORKERS:
        raise InputError(f"workers is a whole number from 1 to {MAX_WORKERS}, not {workers!r}")
    if not isinstance(name, str):
        raise InputError(
            f"a crowd creates its planners, one per worker: give a name, such as 'RTAA*', and options, not {name!r}"
        )
    if is_flow_field(name):
        if workers > 1 or options:
            raise InputError(
                "a FlowField is one search per goal: it has workers=1 and memory_limit=, and no other options"
            )
        return [_check_planner(make("RTAA*", lookahead=DETOUR_LOOKAHEAD), {})]
    if workers > 1 and any(options.get(option) is not None for option in USER_OBJECT_OPTIONS):
        raise InputError("a rule of your own is one object, which several threads cannot share: workers=1")
    result = [_check_planner(make(name, **options), options) for _ in range(workers)]
    if workers > 1 and isinstance(options.get("queue"), type):
        raise InputError("a queue of your own cannot be shared by several workers: workers=1")
    return result


def _check_planner(planner: Planner, options: dict[str, Any]) -> RealTimePlanner:
    """Return the planner. Raises InputError if it cannot plan for many characters."""
    name = planner.spec.name
    if options.get("on_cost_decrease") == "repair":
        raise InputError(
            "on_cost_decrease='repair' needs h-values of the whole map; a character stores few: take 'keep' or 'reset'"
        )
    if not planner.can_be_shared() or not isinstance(planner, RealTimePlanner):
        raise InputError(f"{name} needs arrays as large as the map for each character: {SUITABLE_PLANNERS_HINT}")
    heuristic = options.get("heuristic")
    if heuristic is not None and not callable(heuristic) and not isinstance(heuristic, str):
        raise InputError("a heuristic given as an array is for one goal; each character has its own: give a function")
    return planner


def refuse_world(world: World) -> None:
    """Raise InputError for a world that a crowd does not support."""
    if world.target is not None:
        raise InputError("the characters of a crowd have their own goals: follow a target by `retarget` in each tick")
    if world.change_function is not None:
        raise InputError("a crowd takes changes as a list, not as a function of an agent's step")
