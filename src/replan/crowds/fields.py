"""`planner="Field"`: one search for each goal, repaired where costs have changed, for all characters with that goal.

Many characters with one goal then cost little more than one character. Each goal needs a search as large as the map: a
goal is refused if the searches of all goals would take more than the memory that is allowed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view
from replan.clock import now_ns
from replan.crowds.characters import Characters
from replan.crowds.worker import Worker
from replan.errors import InputError
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE
from replan.planners.field import Field
from replan.saving import Bag
from replan.search.incremental import refuse_circle
from replan.spaces.space import Space, refuse_unmade

AHEAD = 16  # steps of the path that a character copies
BYTES = 48  # of a search for each state of the map
MEMORY = 1 << 30  # bytes that all searches may take by default


class Fields:
    """The searches of all goals of a crowd. memory: the bytes that they may take. collisions: see `Tick`."""

    space: Space
    characters: Characters

    def __init__(self, space: Space, characters: Characters, memory: int, collisions: bool) -> None:
        refuse_unmade(space)
        if not isinstance(characters, Characters):
            raise InputError(f"fields lead Characters, not {characters!r}")
        if not isinstance(memory, int) or memory < 1:
            raise InputError(f"memory is a whole number of bytes from 1, not {memory!r}")
        self.space, self.characters, self.memory, self.collisions = space, characters, memory, collisions
        self.fields: dict[int, Field] = {}

    def allow(self, goals: np.ndarray[Any, Any]) -> None:
        """Set the goals of all characters. Raises InputError if they are too many."""
        wanted = set(goals.tolist())
        each = BYTES * self.space.n
        if len(wanted) > max(1, self.memory // each):
            raise InputError(
                f"a Field takes {each:,} bytes on this map for each goal, and {len(wanted):,} goals more than the "
                f"{self.memory:,} bytes that they may: give memory=, or take 'RTAA*', which needs none of them"
            )
        for goal in set(self.fields) - wanted:
            del self.fields[goal]

    def field(self, goal: int) -> Field:
        if goal not in self.fields:
            self.fields[goal] = Field(self.space, self.space.key(goal))
        return self.fields[goal]

    def carry(self, bag: Bag) -> None:
        """The searches. See `replan/saving.py`."""
        kept = bag.part("fields", list(self.fields.values()), list)
        if bag.loading:
            for field in kept:
                mine = isinstance(field, Field) and field.space is self.space and field.search.goals.single >= 0
                bag.require(mine, "one of its fields is of another space")
                self.fields[field.search.goals.single] = field

    def plan(self, due: np.ndarray[Any, Any], worker: Worker, expansions: int, deadline: int) -> int:
        """Plan for these rows, in this order, within the budget. Returns the number of expansions."""
        used = 0
        if self.collisions:  # a character that has a path was stopped by another one
            stopped = self.characters.column("position", due) > 0
            for c in due[stopped].tolist():
                used += self.detour(worker, c)
            due = due[~stopped]
            if not len(due):
                return used
        goals = self.characters.column("goal", due)
        _, first, group = np.unique(goals, return_index=True, return_inverse=True)
        for number in np.argsort(first):
            left = expansions - used if expansions < INF else INF
            time_ns = max(1, deadline - now_ns()) if deadline > 0 else 0
            if left <= 0 or (used > 0 and time_ns == 1):
                break
            used += self.lead(worker, due[group == number], self.field(int(goals[first[number]])), left, time_ns)
        return used

    def lead(self, worker: Worker, rows: np.ndarray[Any, Any], field: Field, limit: int, time_ns: int) -> int:
        """Search for these rows. Those whose path is found take it."""
        before = field.search.expansions
        states = view(self.characters.column("at", rows).astype(np.int32))
        known = view(np.zeros(len(rows), np.uint8))
        field.reach(states, known, limit, time_ns)
        used = field.search.expansions - before
        for i, c in enumerate(rows.tolist()):
            if known[i]:
                self.store_path(c, field)
                used += self.detour(worker, c)
        return used

    def detour(self, worker: Worker, c: int) -> int:
        """End the wait of a character. With collisions, search for a detour if the next state is occupied."""
        character = self.characters.character
        character[c].due_since = -1
        if not self.collisions or (character[c].random_moves == 0 and not worker.next_is_occupied(c)):
            return 0
        return worker.detour(c, self.space, worker.planner.limit, 0)

    def store_path(self, c: int, field: Field) -> int:
        """Copy the beginning of the path to the goal to the character."""
        character, vertex = self.characters.character, field.search.search.node
        at, goal = character[c].at, character[c].goal
        character[c].position, character[c].failed_from = 0, -1
        if vertex[at].rhs >= INF:
            character[c].status, character[c].failed_from = UNREACHABLE, at
            return 0
        steps, s = 0, at
        while steps < AHEAD and s != goal:
            s = vertex[s].next
            steps += 1
            if s < 0:
                refuse_circle()
        self.characters.reserve_path(c, steps)
        path, step_costs = character[c].path, character[c].step_costs
        character[c].status = COMPLETE if s == goal else PARTIAL
        character[c].position = steps
        path[steps] = s = at
        while steps > 0:
            step_costs[steps] = self.space.step_cost(s, vertex[s].next)
            s = vertex[s].next
            steps -= 1
            path[steps] = s
        return 0
