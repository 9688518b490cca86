"""Compact A*: Repeated Forward A* in half a byte a cell (Extra Credit 1 of the course project).

Its trips are, cell for cell, those of Repeated Forward A* with buckets. What it keeps is described in
`search/compact.py`: a map of its own, which follows what is believed, tree pointers of two bits, and an open list of
fixed size. The path stays in the tree pointers; the agent gets it in pieces of at most HANDED steps, each an episode
that expands nothing.

Grids with 4 neighbours, without weights and walls; one goal. A cell of the path that gets blocked behind the agent
starts a new search, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.errors import InputError
from replan.limits import COMPLETE, PARTIAL, UNREACHABLE
from replan.log import Log
from replan.planners.base import Planner
from replan.planners.options import whole
from replan.planners.spec import COURSE, PlannerSpec
from replan.saving import Bag
from replan.search.compact import CompactSearch
from replan.search.state_table import ALL
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.space import Space

HANDED = 1024


class CompactAStar(Planner):
    """A* from the agent, on its own four bits a cell.

    room: how many cells the open list holds; None: 12 for each row and column.
    """

    search: CompactSearch

    def __init__(self, room: int | None = None) -> None:
        Planner.__init__(self)
        self.whole_way = True
        if room is not None and (not isinstance(room, int) or not 4 <= room < 1 << 31):
            raise InputError(f"room is a number of cells from 4, or None for 12 a row and column, not {room!r}")
        self.given_room, self.end = room, -1

    def begin_trip(self, space: Space, goals: Goals) -> None:
        if not isinstance(space, Grid) or space.neighbors != 4 or space.weighted or space.walled:
            raise InputError("Compact A* needs a grid with 4 neighbors, without weights and walls")
        search = getattr(self, "search", None)
        if search is None or (search.rows, search.cols) != space.shape:
            usual = 12 * (space.rows + space.cols)
            room = min(self.given_room, 2 * space.n) if self.given_room else usual  # more than 2 n is never filled
            self.search = CompactSearch(space.rows, space.cols, room)
        self.search.take_over(space.blocked_states)
        self.refuse_goals(goals)
        self.new_goals(goals)

    def reserve_path(self, n: int) -> None:
        self.planned_path.reserve(HANDED, 0)  # `changed` says what becomes of the path

    def refuse_goals(self, goals: Goals) -> None:
        if goals.single < 0:
            raise InputError("Compact A* walks to one goal; Repeated Forward A* takes a set")

    def new_goals(self, goals: Goals) -> None:
        self.search.forget()
        self.end = -1

    def log_to(self, log: Log, watched: bool) -> int:
        self.search.log, self.search.watched = log, watched
        return Planner.log_to(self, log, watched)

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        """Look at the cells and those around them: one that nothing leads to is not reported when it changes."""
        cut = 0
        for i in range(k):
            s = told[i]
            cut |= self.look_at(s)
            for d in range(4):
                cut |= self.look_at(s + self.search.step[d])
        if not rise:
            self.search.forget()
        self.note_changes(told, k, rise)
        return cut

    def look_at(self, s: int) -> int:
        return self.search.put(s, self.space.read(s) == 0)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        if at != self.end or not self.search.on_path(at):
            found = self.search.find(at, self.goals.single)
            self.expansions += self.search.expanded
            if not found:
                self.reachability.failed_from = at
                return UNREACHABLE
        k = 0
        s = at
        while s != self.search.goal and k < HANDED - 1:
            s = self.search.after(s)
            k += 1
        self.end = s
        self.planned_path.length = k
        s = at
        while k >= 0:
            self.planned_path.states[k] = s
            self.planned_path.step_costs[k] = 1
            s = self.search.after(s)
            k -= 1
        return COMPLETE if self.end == self.search.goal else PARTIAL

    def made_from(self) -> tuple[Any, ...]:
        return CompactAStar, self.given_room

    def carry_trip(self, bag: Bag) -> None:
        """Its map is made from the belief again."""
        Planner.carry_trip(self, bag)
        self.end = bag.whole("end", self.end, -1, self.space.n - 1)
        self.search.carry(bag.inner("search"), self.space.blocked_states)  # type: ignore[attr-defined]

    def _arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """The path and the believed map: nothing else is kept."""
        codes = self.search.codes()[states]
        return {"blocked": codes == 1, "path": codes >= 12}


# What the registry collects.

OPTIONS = (
    whole(
        "room",
        "How many cells the open list holds.",
        "a number of cells from 4, or None for 12 for each row and column",
        least=4,
        most=2**31 - 1,
    ),
)

COMPACT = """
Repeated Forward A* for a machine with little memory: four bits a cell hold the map, the search tree and the path.
With four neighbours and steps of cost 1, f takes two values at a time, so two stacks are the whole open list, and g
need not be stored at all.

Guarantees:

- Cell for cell the trips of Repeated Forward A* with buckets.
- Half a byte a cell, and an open list of fixed size: nearly 8 million cells in 4 MB.
- No search touches cells that it does not come to: the tree is wiped by walking it.

Limits:

- Only grids with four neighbours, without weights and walls, and one goal.
- Where the open list is too small (`room`) cells are found again by walking the tree: slower, never wrong.
- The time of a search has no bound.

Parts:

- search.compact.CompactSearch.find
- search.compact.CompactSearch.loop
- search.compact.CompactSearch.reach
- search.compact.CompactSearch.pop
"""

PLANNERS = (
    PlannerSpec(
        "Compact A*",
        "compact-a-star",
        f"{COURSE}, extra credit 1",
        "Repeated Forward A* with buckets in half a byte a cell; 4 neighbors, unit costs and one goal only",
        {"room": None},
        lambda options: CompactAStar(**options),
        unit_costs=True,
        plain_grid=True,
        own_map=True,
        family="repeated",
        order=110,
        explanation=COMPACT,
    ),
)
