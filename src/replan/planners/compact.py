"""Compact A*: Repeated Forward A* in half a byte a cell (Extra Credit 1 of the course project).

Its trips are cell for cell those of Repeated Forward A* with buckets. `search/compact.py` describes what it stores: its
own map, which follows the belief, tree pointers of two bits, and an open list of fixed size. The path stays in the tree
pointers. The agent gets it in segments of at most MAX_SEGMENT_LENGTH states; each is an episode without expansions.

It needs a grid with 4 neighbours, without weights and walls, and one goal. A cell of the path that gets blocked behind
the agent starts a new search, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import COMPLETE, PARTIAL, UNREACHABLE
from replan.log import EventLog
from replan.planners.base import Planner
from replan.planners.options import int_option
from replan.planners.spec import COURSE, PlannerSpec
from replan.search.compact import CompactSearch
from replan.search.state_table import ALL
from replan.serialization import Archive
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.space import Space

MAX_SEGMENT_LENGTH = 1024


class CompactAStar(Planner):
    """A* from the agent, on its own four bits a cell.

    Parameters
    ----------
    queue_capacity
        Number of cells that the open list holds; None: 12 for each row and column.
    """

    search: CompactSearch

    def __init__(self, queue_capacity: int | None = None) -> None:
        Planner.__init__(self)
        self.runs_to_completion = True
        if queue_capacity is not None and (not isinstance(queue_capacity, int) or not 4 <= queue_capacity < 1 << 31):
            raise InputError(
                f"queue_capacity is a number of cells from 4, or None for 12 a row and column, not {queue_capacity!r}"
            )
        self.capacity_option, self.segment_end = queue_capacity, -1

    def begin_trip(self, space: Space, goals: Goals) -> None:
        if not isinstance(space, Grid) or space.neighbors != 4 or space.is_weighted or space.has_walls:
            raise InputError("Compact A* needs a grid with 4 neighbors, without weights and walls")
        search = getattr(self, "search", None)
        if search is None or (search.rows, search.cols) != space.shape:
            default_capacity = 12 * (space.rows + space.cols)
            # the list never holds more than 2 n cells
            capacity = min(self.capacity_option, 2 * space.n) if self.capacity_option else default_capacity
            self.search = CompactSearch(space.rows, space.cols, capacity)
        self.search.load_blocked(space.blocked_states)
        self.check_goals(goals)
        self.change_goals(goals)

    def reserve_path(self, n: int) -> None:
        """Reserve memory for one segment of the path."""
        self.planned_path.reserve(MAX_SEGMENT_LENGTH, 0)  # `on_cost_changes` checks the rest of the path

    def check_goals(self, goals: Goals) -> None:
        if goals.single_state < 0:
            raise InputError("Compact A* walks to one goal; Repeated Forward A* takes a set")

    def change_goals(self, goals: Goals) -> None:
        self.search.clear_path()
        self.segment_end = -1

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        self.search.log, self.search.is_watched = log, is_logging
        return Planner.log_to(self, log, is_logging)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """Update the cells and their neighbours. Return 1 if the path is blocked.

        The neighbours are included because a cell that no step enters is not reported when it changes.
        """
        is_path_blocked = 0
        for i in range(count):
            s = changed_states[i]
            is_path_blocked |= self.update_cell(s)
            for d in range(4):
                is_path_blocked |= self.update_cell(s + self.search.direction_steps[d])
        if not costs_increased:
            self.search.clear_path()
        self.update_reachability(changed_states, count, costs_increased)
        return is_path_blocked

    def update_cell(self, s: int) -> int:
        """Copy the belief about a cell to the own map. Return 1 if the path is blocked there."""
        return self.search.set_blocked(s, self.space.read_value(s) == 0)

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        if self._reachability.is_unreachable(self.goals, agent_state):
            return UNREACHABLE
        if agent_state != self.segment_end or not self.search.is_on_path(agent_state):
            is_found = self.search.find_path(agent_state, self.goals.single_state)
            self.expansions += self.search.expanded
            if not is_found:
                self._reachability.failed_from = agent_state
                return UNREACHABLE
        k = 0
        s = agent_state
        while s != self.search.goal and k < MAX_SEGMENT_LENGTH - 1:
            s = self.search.next_on_path(s)
            k += 1
        self.segment_end = s
        self.planned_path.length = k
        s = agent_state
        while k >= 0:
            self.planned_path.states[k] = s
            self.planned_path.step_costs[k] = 1
            s = self.search.next_on_path(s)
            k -= 1
        return COMPLETE if self.segment_end == self.search.goal else PARTIAL

    def constructor_args(self) -> tuple[Any, ...]:
        return CompactAStar, self.capacity_option

    def serialize_trip(self, archive: Archive) -> None:
        """Save or load the state of the trip. (The own map is copied from the belief.)"""
        Planner.serialize_trip(self, archive)
        self.segment_end = archive.integer("segment_end", self.segment_end, -1, self.space.n - 1)
        self.search.serialize(archive.nested("search"), self.space.blocked_states)  # type: ignore[attr-defined]

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the path and the believed map: nothing else is stored."""
        codes = self.search.all_codes()[states]
        return {"blocked": codes == 1, "path": codes >= 12}


# Declarations for the registry.

OPTIONS = (
    int_option(
        "queue_capacity",
        "The number of cells that the open list holds.",
        "a number of cells from 4, or None for 12 for each row and column",
        minimum=4,
        maximum=2**31 - 1,
    ),
)

COMPACT = """
Repeated Forward A* for a machine with little memory: four bits a cell store the map, the search tree and the path. With
four neighbours and steps of cost 1, f has only two values at a time, so two stacks are the whole open list, and g need
not be stored.

Guarantees:

- Cell for cell the trips of Repeated Forward A* with buckets.
- Half a byte a cell, and an open list of fixed size: nearly 8 million cells in 4 MB.
- A search touches only the cells that it generates: the tree is cleared by traversing it.

Limits:

- Only grids with four neighbours, without weights and walls, and one goal.
- If the open list is too small (`queue_capacity`), cells are found again by traversing the tree: slower, never wrong.
- The time of a search has no bound.

Parts:

- search.compact.CompactSearch.find_path
- search.compact.CompactSearch.loop
- search.compact.CompactSearch.generate
- search.compact.CompactSearch.pop
"""

PLANNERS = (
    PlannerSpec(
        "Compact A*",
        "compact-a-star",
        f"{COURSE}, extra credit 1",
        "Repeated Forward A* with buckets in half a byte a cell; 4 neighbours, unit costs and one goal only",
        {"queue_capacity": None},
        lambda options: CompactAStar(**options),
        needs_unit_costs=True,
        needs_plain_grid=True,
        keeps_own_map=True,
        family="repeated",
        sort_order=110,
        explanation=COMPACT,
    ),
)
