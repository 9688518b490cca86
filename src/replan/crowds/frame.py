"""What happens in one frame of a crowd: who has to plan, planning, steps, and what is seen.

1. `gather`: everybody takes in what has changed. Those whose path is used up, or no longer good, are due to plan.
2. `plan`: those who are due plan, in the order of the list; nobody changes anything that another one reads.
3. `commit`: those who have a path take a step each, and see (`steps.py`). First those who come to where there is
   nothing new to be seen: they do not matter to each other. Then the others, in the order of their ids.

Each part is divided into turns, which the workers take (`post.py`); what is written is each character's own. So it
does not matter who takes which.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.crowds.people import People
from replan.crowds.post import Post
from replan.crowds.steps import Steps
from replan.crowds.worker import Worker
from replan.limits import INF, UNREACHABLE, WAITING
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.space import Space
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import expect_path, expect_row, expect_turn
    from replan.search.reach import can_reach

GATHER, PLAN, STEP = 0, 1, 2  # the parts of a frame
SHORT, LONG = 16, 128  # how many characters a turn of planning, and one of another part, looks after
WALKS, DUE, LATE = 1, 2, 4  # it may take a step, it has to plan, and should have in a frame before this one
LABELLED = 2  # so many expansions pay for labelling a state
MOST_WORK = 0x7FFFFFFF
IDLE = 940  # a worker that has tried so often to find something to do goes home


class HelperFailed(Exception):
    """In a thread that helps; what it was, that thread knows."""


class CrowdFrame(Steps):
    """The lists of the present frame.

    due[:dues]: who has to plan. Who may take a step, and who has: see `Steps`.
    """

    number: int

    def __init__(self, believed: Space, people: People, world: World | None, solid: bool) -> None:
        Steps.__init__(self, believed, people, world, solid)
        self.number = self.dues = 0
        self.late = False  # has somebody who is due waited for more than this frame?
        self.rows: Any = empty(1, np.int32)
        self.due, self.code = empty(64, np.int32), empty(64, np.uint8)
        self.post = Post(1)
        self.part = self.start = self.stop = self.size = 0
        self.limit = self.until = self.own_ns = self.each = 0
        self.endless = False
        self.step_ns = 0  # what a step takes beside planning, in 1/16 ns

    # Turns.

    def share(self, worker: Worker, part: int, start: int, stop: int) -> int:
        """Do a part of the frame, for those from `start` to `stop` of its list, together with whoever helps."""
        self.part, self.start, self.stop = part, start, stop
        self.size = SHORT if part == PLAN else LONG
        if self.alone:
            return self.do_part(worker, start, stop)
        self.post.open((stop - start + self.size - 1) // self.size)
        try:
            self.take_turns(worker)
        finally:
            failed = self.post.wait()
        if failed > 0:
            with cython.gil:
                raise HelperFailed
        return 0

    def take_turns(self, worker: Worker) -> int:
        """Take turns while there are any."""
        while True:
            turn = self.post.take(worker.place)
            if turn < 0:
                return 0
            well = False
            try:
                start = self.start + turn * self.size
                self.do_part(worker, start, min(self.stop, start + self.size))
                well = True
            finally:
                self.post.finish(well)

    def help(self, worker: Worker) -> int:
        """Take turns, also in the frames that follow, until there are none for a while."""
        tries = 0
        with cython.nogil:
            while tries < IDLE:
                before = self.post.openings(worker.place)
                self.take_turns(worker)
                tries = 0 if self.post.openings(worker.place) != before else tries + 1
                self.post.rest(tries)
        return 0

    def do_part(self, worker: Worker, start: int, stop: int) -> int:
        if self.part == GATHER:
            return self.gather_some(worker, start, stop)
        if self.part == PLAN:
            return self.plan_some(worker, start, stop)
        return self.step_some(worker, start, stop)

    # 1. Who has to plan?

    def gather(self, rows: memoryview, worker: Worker) -> int:
        """Look after these, in the order of their ids."""
        count = len(rows)
        if count > len(self.due):
            self.due, self.walker, self.moved, self.gone = (empty(2 * count, np.int32) for _ in range(4))
            self.code = empty(2 * count, np.uint8)
        self.rows = rows
        self.number += 1
        self.dues = self.walkers = self.moves = 0
        late = 0
        with cython.nogil:
            self.share(worker, GATHER, 0, count)
            for i in range(count):
                self.walker[self.walkers] = self.due[self.dues] = rows[i]
                self.walkers += self.code[i] & WALKS
                self.dues += (self.code[i] & DUE) >> 1
                late |= self.code[i] & LATE
        self.late = late != 0
        return self.dues

    def gather_some(self, worker: Worker, start: int, stop: int) -> int:
        person = self.people.person
        for i in range(start, stop):
            if i + 8 < stop:  # beyond, somebody else may be at work
                expect_row(person, self.rows[i + 8])
                expect_path(person, self.rows[i + 4], self.labels.label, self.labels.version)
            self.code[i] = self.look_after(self.rows[i], worker)
        return 0

    def look_after(self, c: int, worker: Worker) -> int:
        person = self.people.person
        worker.hear(c, self.rises, self.falls)
        if person[c].at == person[c].goal:
            person[c].due = -1
            return 0
        if self.solid and self.waits_beside(c):
            person[c].answer, person[c].due = WAITING, -1
            return 0
        if person[c].spot > 0 and not (self.solid and self.standing[person[c].path[person[c].spot - 1]] > 0):
            return WALKS
        if person[c].spot == 0 and self.no_way(c):
            person[c].answer, person[c].due = UNREACHABLE, -1
            return 0
        if person[c].due < 0:
            person[c].due = self.number
        return WALKS | DUE | (LATE if person[c].due < self.number else 0)

    def waits_beside(self, c: int) -> bool:
        """Does somebody stand on its goal, one step from here?"""
        person = self.people.person
        goal = person[c].goal
        return self.standing[goal] > 0 and self.believed.step_cost(person[c].at, goal) < INF

    def no_way(self, c: int) -> bool:
        """Is it known that this one cannot reach its goal?"""
        person = self.people.person
        if person[c].shut == person[c].at:
            return True
        if person[c].linked != self.labels.version:
            if self.labels.apart(person[c].at, person[c].goal):
                return True
            person[c].linked = self.labels.version  # its steps do not lead away from what hangs together
        if self.believed.both_ways or person[c].work < self.believed.n:
            return False
        with cython.gil:  # labels prove less here, and it has searched for long
            return self.find_no_way(c)

    def find_no_way(self, c: int) -> bool:
        person = self.people.person
        person[c].work = 0
        goals = Goals([person[c].goal], self.believed.n)
        if can_reach(self.believed, goals, person[c].at):
            return False
        person[c].shut = person[c].at
        return True

    def sort_by_wait(self) -> None:
        """Whoever has waited longest comes first, and of those the smallest id."""
        if self.late:
            due = np.asarray(self.due)[: self.dues]
            due[:] = due[np.argsort(self.people.column("due", due), kind="stable")]

    def longest_wait(self) -> int:
        """How many frames has the first of those who are due waited?"""
        since: int = self.people.person[self.due[0]].due
        return self.number - since

    # 2. Planning.

    def set_clock(self, until: int, own_ns: int, longest: int) -> None:
        """Planning ends when the clock shows `until` (0: no limit), early enough for the steps that follow.

        own_ns: what the planner allows an episode. longest: the most expansions of an episode, INF if nobody knows.
        """
        self.until = max(1, until - (self.step_ns * self.walkers >> 4)) if until > 0 else 0
        self.own_ns, self.endless = own_ns, longest >= INF
        self.each = max(1, 32 // longest)  # episodes between two looks at the clock

    def plan(self, worker: Worker, start: int, stop: int, limit: int) -> int:
        """Plan for due[start:stop], with at most `limit` expansions each, until the time is over."""
        self.limit = limit
        with cython.nogil:
            return self.share(worker, PLAN, start, stop)

    def plan_some(self, worker: Worker, start: int, stop: int) -> int:
        person = self.people.person
        for i in range(start, stop):
            # whatever the clock shows, one plans
            if self.until > 0 and i > 0 and (i == start or i % self.each == 0) and now_ns() >= self.until:
                break
            c = self.due[i]
            if i + 4 < stop:  # what is needed next but one is asked for now: it comes while others are planned for
                expect_row(person, self.due[i + 4])
                expect_turn(person, self.due[i + 2], self.row, self.exits)
            if self.solid:
                spent = worker.plan_around(c, self.limit, self.deadline())
            else:
                spent = worker.plan(c, self.limit, self.deadline())
            person[c].due = -1
            person[c].work = min(MOST_WORK, person[c].work + spent)
            worker.used += spent
            worker.planned += 1
            if worker.planned & 255 == 0:
                check_signals()
        return 0

    def deadline(self) -> int:
        """The clock's time at which an episode that begins now has to end; 0: none."""
        if self.own_ns == 0:
            return self.until if self.endless else 0
        end = now_ns() + self.own_ns
        return min(end, self.until) if self.until > 0 else end

    def left_out(self) -> int:
        """Those who are due and could not plan wait. How many are they?"""
        person = self.people.person
        count = 0
        for i in range(self.dues):
            if i + 8 < self.dues:
                expect_row(person, self.due[i + 8])
            c = self.due[i]
            if person[c].due >= 0:
                person[c].answer = WAITING
                count += 1
        return count

    # 3. Steps.

    def commit(self, worker: Worker, used: int, numbers: memoryview, places: memoryview) -> int:
        """Everybody who has a path takes a step. used: expansions of this frame. How many have moved?

        numbers, places: room for the ids of all walkers, and for where they are.
        """
        self.numbers, self.places = numbers, places
        self.believed.hold()
        start = now_ns()
        try:
            with cython.nogil:
                if self.solid or not self.still:  # then they matter to each other, or all look when all have stepped
                    self.leave_to_others()
                else:
                    self.share(worker, STEP, 0, self.walkers)
                self.step_others()
                if self.world is not None and not self.still:
                    self.pass_time(self.world)
                self.labels.work((used + LABELLED - 1) // LABELLED)
        finally:
            self.believed.release()
        if self.walkers > 0:
            self.step_ns = (7 * self.step_ns + 16 * (now_ns() - start) // self.walkers) >> 3
        return self.moves
