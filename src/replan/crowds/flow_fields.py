"""`planner="FlowField"`: one search for each goal, repaired where costs have changed, for all characters with that goal.

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
from replan.planners.flow_field import FlowField
from replan.search.incremental import raise_cyclic_path
from replan.serialization import Archive
from replan.spaces.space import Space, check_space

COPIED_STEPS = 16  # steps of the path that a character copies
BYTES_PER_STATE = 48  # of a search for each state of the map
DEFAULT_MEMORY_LIMIT = 1 << 30  # bytes that all searches may take by default


class FlowFields:
    """The searches of all goals of a crowd. memory: the bytes that they may take. collisions: see `Tick`."""

    space: Space
    characters: Characters

    def __init__(self, space: Space, characters: Characters, memory: int, collisions: bool) -> None:
        check_space(space)
        if not isinstance(characters, Characters):
            raise InputError(f"fields lead Characters, not {characters!r}")
        if not isinstance(memory, int) or memory < 1:
            raise InputError(f"memory is a whole number of bytes from 1, not {memory!r}")
        self.space, self.characters, self.memory_limit, self.collisions = space, characters, memory, collisions
        self.by_goal: dict[int, FlowField] = {}

    def set_goals(self, goals: np.ndarray[Any, Any]) -> None:
        """Set the goals of all characters. Raises InputError if they are too many."""
        wanted = set(goals.tolist())
        each = BYTES_PER_STATE * self.space.n
        if len(wanted) > max(1, self.memory_limit // each):
            raise InputError(
                f"a FlowField takes {each:,} bytes on this map for each goal, and {len(wanted):,} goals more than the "
                f"{self.memory_limit:,} bytes that they may: give memory_limit=, or take 'RTAA*', which needs none of them"
            )
        for goal in set(self.by_goal) - wanted:
            del self.by_goal[goal]

    def field_for(self, goal: int) -> FlowField:
        if goal not in self.by_goal:
            self.by_goal[goal] = FlowField(self.space, self.space.key(goal))
        return self.by_goal[goal]

    def serialize(self, bag: Archive) -> None:
        """The searches. See `replan/serialization.py`."""
        kept = bag.instance("by_goal", list(self.by_goal.values()), list)
        if bag.is_loading:
            for field in kept:
                mine = isinstance(field, FlowField) and field.space is self.space and field._search.goals.single_state >= 0
                bag.require(mine, "one of its fields is of another space")
                self.by_goal[field._search.goals.single_state] = field

    def plan(self, due: np.ndarray[Any, Any], worker: Worker, expansions: int, deadline: int) -> int:
        """Plan for these rows, in this order, within the budget. Returns the number of expansions."""
        used = 0
        if self.collisions:  # a character that has a path was stopped by another one
            stopped = self.characters.column("position", due) > 0
            for c in due[stopped].tolist():
                used += self.finish_planning(worker, c)
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
            used += self.plan_group(worker, due[group == number], self.field_for(int(goals[first[number]])), left, time_ns)
        return used

    def plan_group(self, worker: Worker, rows: np.ndarray[Any, Any], field: FlowField, limit: int, time_ns: int) -> int:
        """Search for these rows. Those whose path is found take it."""
        before = field._search.expansions
        states = view(self.characters.column("state", rows).astype(np.int32))
        known = view(np.zeros(len(rows), np.uint8))
        field.advance_states(states, known, limit, time_ns)
        used = field._search.expansions - before
        for i, c in enumerate(rows.tolist()):
            if known[i]:
                self.store_path(c, field)
                used += self.finish_planning(worker, c)
        return used

    def finish_planning(self, worker: Worker, c: int) -> int:
        """End the wait of a character. With collisions, search for a detour if the next state is occupied."""
        character = self.characters.character
        character[c].due_since = -1
        if not self.collisions or (character[c].random_moves_left == 0 and not worker.next_is_occupied(c)):
            return 0
        return worker.detour(c, self.space, worker.planner.expansion_limit, 0)

    def store_path(self, c: int, field: FlowField) -> int:
        """Copy the beginning of the path to the goal to the character."""
        character, vertex = self.characters.character, field._search.search.node
        at, goal = character[c].state, character[c].goal
        character[c].position, character[c].failed_from = 0, -1
        if vertex[at].rhs >= INF:
            character[c].status, character[c].failed_from = UNREACHABLE, at
            return 0
        steps, s = 0, at
        while steps < COPIED_STEPS and s != goal:
            s = vertex[s].next
            steps += 1
            if s < 0:
                raise_cyclic_path()
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
