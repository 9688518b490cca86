"""`planner="Field"`: one search for each goal, repaired where costs have changed, that leads all who have that goal.

Many who have one goal then cost little more than one. Each goal takes a search as large as the map: when those that
somebody has take more than the memory that they may, another goal is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import view
from replan.clock import now_ns
from replan.crowds.frame import CrowdFrame
from replan.crowds.people import People
from replan.crowds.worker import Worker
from replan.errors import InputError
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE
from replan.planners.field import Field
from replan.spaces.space import Space, refuse_unmade

AHEAD = 16  # steps of a way that a character takes along
BYTES = 48  # that a search takes for each state of the map
MEMORY = 1 << 30  # bytes that all of them may take


class Fields:
    """The searches of all goals that somebody has. memory: the bytes that they may take."""

    space: Space
    people: People

    def __init__(self, space: Space, people: People, memory: int) -> None:
        refuse_unmade(space)
        if not isinstance(people, People):
            raise InputError(f"fields lead People, not {people!r}")
        if not isinstance(memory, int) or memory < 1:
            raise InputError(f"memory is a whole number of bytes from 1, not {memory!r}")
        self.space, self.people, self.memory = space, people, memory
        self.fields: dict[int, Field] = {}

    def allow(self, goals: np.ndarray[Any, Any]) -> None:
        """These are the goals that somebody has from now on. Raises InputError if they are too many."""
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

    def plan(self, frame: CrowdFrame, worker: Worker, expansions: int, until: int) -> int:
        """Find the ways of all who are due, those who have waited longest first. How many expansions has it taken?"""
        due = np.array(frame.due[: frame.dues])
        used = 0
        if frame.solid:  # who has a path was held up by others
            held = self.people.column("spot", due) > 0
            for c in due[held].tolist():
                used += self.past_others(frame, worker, c)
            due = due[~held]
            if not len(due):
                return used
        goals = self.people.column("goal", due)
        _, first, group = np.unique(goals, return_index=True, return_inverse=True)
        for number in np.argsort(first):
            left = expansions - used if expansions < INF else INF
            time_ns = max(1, until - now_ns()) if until > 0 else 0
            if left <= 0 or (used > 0 and time_ns == 1):
                break
            used += self.lead(frame, worker, due[group == number], self.field(int(goals[first[number]])), left, time_ns)
        return used

    def lead(
        self, frame: CrowdFrame, worker: Worker, rows: np.ndarray[Any, Any], field: Field, limit: int, time_ns: int
    ) -> int:
        """Those of these rows whose way is known then take it."""
        before = field.search.expansions
        states = view(self.people.column("at", rows).astype(np.int32))
        known = view(np.zeros(len(rows), np.uint8))
        field.reach(states, known, limit, time_ns)
        used = field.search.expansions - before
        for i, c in enumerate(rows.tolist()):
            if known[i]:
                self.follow(c, field)
                used += self.past_others(frame, worker, c)
        return used

    def past_others(self, frame: CrowdFrame, worker: Worker, c: int) -> int:
        """It has its turn now. Where characters are solid and somebody stands in the way, look for a way past."""
        person = self.people.person
        person[c].due = -1
        spot = person[c].spot
        if not frame.solid or (person[c].wander == 0 and (spot == 0 or frame.standing[person[c].path[spot - 1]] == 0)):
            return 0
        return worker.dodge(c, self.space, worker.planner.limit, 0)

    def follow(self, c: int, field: Field) -> int:
        """The beginning of the way of a character is its path."""
        person, vertex = self.people.person, field.search.search.node
        at, goal = person[c].at, person[c].goal
        person[c].spot, person[c].shut = 0, -1
        if vertex[at].rhs >= INF:
            person[c].answer, person[c].shut = UNREACHABLE, at
            return 0
        steps, s = 0, at
        while steps < AHEAD and s != goal:
            s = vertex[s].next
            steps += 1
        self.people.lay_path(c, steps)
        path, toll = person[c].path, person[c].toll
        person[c].answer = COMPLETE if s == goal else PARTIAL
        person[c].spot = steps
        path[steps] = s = at
        while steps > 0:
            toll[steps] = self.space.step_cost(s, vertex[s].next)
            s = vertex[s].next
            steps -= 1
            path[steps] = s
        return 0
