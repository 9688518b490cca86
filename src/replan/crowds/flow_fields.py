"""`planner="FlowField"`: one search per goal, repaired after cost changes, for all characters with that goal.

Many characters with the same goal then cost little more than one character. Each goal needs a search as large as the
map. It is an error if the searches of all goals would exceed the memory limit.
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

COPIED_STEPS = 16  # maximum number of steps that a character copies from its path
BYTES_PER_STATE = 48  # memory of a search per state of the map
DEFAULT_MEMORY_LIMIT = 1 << 30  # bytes for all searches


class FlowFields:
    """Searches for all goals of a crowd. memory_limit: bytes for all searches. collisions: see `Tick`."""

    space: Space
    characters: Characters

    def __init__(self, space: Space, characters: Characters, memory_limit: int, collisions: bool) -> None:
        check_space(space)
        if not isinstance(characters, Characters):
            raise InputError(f"flow fields plan for Characters, not {characters!r}")
        if not isinstance(memory_limit, int) or memory_limit < 1:
            raise InputError(f"memory_limit is a whole number of bytes from 1, not {memory_limit!r}")
        self.space, self.characters, self.memory_limit, self.collisions = space, characters, memory_limit, collisions
        self.by_goal: dict[int, FlowField] = {}

    def set_goals(self, goals: np.ndarray[Any, Any]) -> None:
        """Delete the fields of other goals. Raises InputError if the fields of these goals exceed the memory limit."""
        new_goals = set(goals.tolist())
        field_bytes = BYTES_PER_STATE * self.space.n
        if len(new_goals) > max(1, self.memory_limit // field_bytes):
            raise InputError(
                f"a FlowField takes {field_bytes:,} bytes on this map for each goal, and {len(new_goals):,} goals "
                f"more than the {self.memory_limit:,} bytes of memory_limit=: raise it, or take 'RTAA*'"
            )
        for goal in set(self.by_goal) - new_goals:
            del self.by_goal[goal]

    def field_for(self, goal: int) -> FlowField:
        """Return the field of a goal; create it if there is none."""
        if goal not in self.by_goal:
            self.by_goal[goal] = FlowField(self.space, self.space.key(goal))
        return self.by_goal[goal]

    def serialize(self, archive: Archive) -> None:
        """Save or load the searches: see `replan/serialization.py`."""
        fields = archive.instance("by_goal", list(self.by_goal.values()), list)
        if archive.is_loading:
            for field in fields:
                belongs_to_space = (
                    isinstance(field, FlowField) and field.space is self.space and field._search.goals.single_state >= 0
                )
                archive.require(belongs_to_space, "a field belongs to another space")
                self.by_goal[field._search.goals.single_state] = field

    def plan(self, due: np.ndarray[Any, Any], worker: Worker, expansions: int, deadline: int) -> int:
        """Plan for these rows, in this order, within the budget. Returns the number of expansions."""
        expansions_used = 0
        if self.collisions:  # a character that has a path was stopped by another character
            stopped = self.characters.column("position", due) > 0
            for c in due[stopped].tolist():
                expansions_used += self.finish_planning(worker, c)
            due = due[~stopped]
            if not len(due):
                return expansions_used
        goals = self.characters.column("goal", due)
        _, first, group = np.unique(goals, return_index=True, return_inverse=True)
        for number in np.argsort(first):
            expansions_left = expansions - expansions_used if expansions < INF else INF
            time_ns = max(1, deadline - now_ns()) if deadline > 0 else 0
            if expansions_left <= 0 or (expansions_used > 0 and time_ns == 1):
                break
            expansions_used += self.plan_group(
                worker, due[group == number], self.field_for(int(goals[first[number]])), expansions_left, time_ns
            )
        return expansions_used

    def plan_group(
        self, worker: Worker, rows: np.ndarray[Any, Any], field: FlowField, expansion_limit: int, time_ns: int
    ) -> int:
        """Search for these rows, and store the paths that are found. Returns the number of expansions."""
        expansions_before = field._search.expansions
        states = view(self.characters.column("state", rows).astype(np.int32))
        is_planned = view(np.zeros(len(rows), np.uint8))
        field.advance_states(states, is_planned, expansion_limit, time_ns)
        expansions_used = field._search.expansions - expansions_before
        for i, c in enumerate(rows.tolist()):
            if is_planned[i]:
                self.store_path(c, field)
                expansions_used += self.finish_planning(worker, c)
        return expansions_used

    def finish_planning(self, worker: Worker, c: int) -> int:
        """End the wait of a character. With collisions, search for a detour if the next state is occupied."""
        character = self.characters.character
        character[c].due_since = -1
        if not self.collisions or (character[c].random_moves_left == 0 and not worker.next_is_occupied(c)):
            return 0
        return worker.detour(c, self.space, worker.planner.expansion_limit, 0)

    def store_path(self, c: int, field: FlowField) -> int:
        """Copy the first steps of the path to the character."""
        character, vertex = self.characters.character, field._search.search.node
        state, goal = character[c].state, character[c].goal
        character[c].position, character[c].failed_from = 0, -1
        if vertex[state].rhs >= INF:
            character[c].status, character[c].failed_from = UNREACHABLE, state
            return 0
        steps, s = 0, state
        while steps < COPIED_STEPS and s != goal:
            s = vertex[s].next
            steps += 1
            if s < 0:
                raise_cyclic_path()
        self.characters.reserve_path(c, steps)
        path, step_costs = character[c].path, character[c].step_costs
        character[c].status = COMPLETE if s == goal else PARTIAL
        character[c].position = steps
        path[steps] = s = state
        while steps > 0:
            step_costs[steps] = self.space.step_cost(s, vertex[s].next)
            s = vertex[s].next
            steps -= 1
            path[steps] = s
        return 0
