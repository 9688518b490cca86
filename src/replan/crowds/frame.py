"""What happens in one frame of a crowd: who has to plan, planning, steps, and what is seen.

1. `gather`: everybody takes in what has changed. Those whose path is used up, or no longer good, are due to plan.
2. `run`: workers draw numbers and plan for those who are due, in the order of the list; nobody changes anything that
   another one reads.
3. `commit`: in the order of their ids, those who have a path take a step each, and see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, zeros
from replan.clock import now_ns
from replan.crowds.labels import Labels
from replan.crowds.people import People
from replan.crowds.worker import Worker
from replan.errors import InputError
from replan.limits import INF, PARTIAL, UNREACHABLE, WAITING
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.grid import Grid
from replan.spaces.news import News
from replan.spaces.space import Space, refuse_unmade
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import draw, expect_label, expect_row, expect_step, expect_turn, longs
    from replan.search.reach import can_reach

LABELLED = 2  # so many expansions pay for labelling a state
MOST_WORK = 0x7FFFFFFF


class Frame:
    """What all characters share, and the lists of the present frame.

    due[:dues]: who has to plan. walker[:walkers]: who may take a step. moved[:moves]: who has.
    """

    believed: Space
    people: People
    number: int
    rises: int
    falls: int

    def __init__(self, believed: Space, people: People, world: World | None, solid: bool) -> None:
        refuse_unmade(believed)
        if not isinstance(people, People):
            raise InputError(f"a frame is of People, not of {people!r}")
        if world is not None:
            world._refuse_busy()
        self.believed, self.people, self.world = believed, people, world
        self.touched = self.believed.touched()
        self.cells, self.solid = believed.cells, solid
        self.standing = zeros(believed.n, np.int32)  # how many stand on each state
        self.labels = Labels(believed)
        self.row, self.true_value, self.believed_value = 0, zeros(0, np.uint16), zeros(0, np.uint16)
        if isinstance(believed, Grid):
            self.believed_grid = believed
            self.true_grid: Any = self.world.truth if self.world is not None else believed
            self.row, self.believed_value = believed.width, self.believed_grid.value
            self.true_value = self.true_grid.value  # type: ignore[attr-defined, unused-ignore]
        self.number = self.rises = self.falls = 0
        self.dues = self.walkers = self.moves = self.heard = 0
        self.late = False  # has somebody who is due waited for more than this frame?
        self.due, self.walker, self.moved = (empty(64, np.int32) for _ in range(3))
        self.ticket = zeros(1, np.int64)
        if self.world is not None:
            self.world.crowded, self.world.standing = True, self.standing
        self.stop = self.limit = self.until = self.own_ns = self.each = 0
        self.endless = False
        self.step_ns = 0  # what a step takes beside planning, in 1/16 ns

    # 1. Who has to plan?

    def gather(self, rows: memoryview, worker: Worker) -> int:
        """Look after these, in the order of their ids."""
        count = len(rows)
        if count > len(self.due):
            self.due, self.walker, self.moved = (empty(2 * count, np.int32) for _ in range(3))
        self.number += 1
        self.dues = self.walkers = self.moves = 0
        self.late = False
        person = self.people.person
        with cython.nogil:
            for i in range(count):
                if i + 8 < count:
                    expect_row(person, rows[i + 8])
                    expect_label(person, rows[i + 4], self.labels.label)
                self.look_after(rows[i], worker)
        return self.dues

    def look_after(self, c: int, worker: Worker) -> int:
        person = self.people.person
        worker.hear(c, self.rises, self.falls)
        if person[c].at == person[c].goal:
            person[c].due = -1
            return 0
        if self.solid and self.waits_beside(c):
            person[c].answer, person[c].due = WAITING, -1
            return 0
        if person[c].spot == 0 or (self.solid and self.standing[person[c].path[person[c].spot - 1]] > 0):
            if person[c].spot == 0 and self.no_way(c):
                person[c].answer, person[c].due = UNREACHABLE, -1
                return 0
            if person[c].due < 0:
                person[c].due = self.number
            elif person[c].due < self.number:
                self.late = True
            self.due[self.dues] = c
            self.dues += 1
        self.walker[self.walkers] = c
        self.walkers += 1
        return 0

    def waits_beside(self, c: int) -> bool:
        """Does somebody stand on its goal, one step from here?"""
        person = self.people.person
        goal = person[c].goal
        return self.standing[goal] > 0 and self.believed.step_cost(person[c].at, goal) < INF

    def no_way(self, c: int) -> bool:
        """Is it known that this one cannot reach its goal?"""
        person = self.people.person
        if person[c].shut == person[c].at or self.labels.apart(person[c].at, person[c].goal):
            return True
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

    def open_round(self, start: int, stop: int, limit: int) -> None:
        """Workers may plan for due[start:stop], with at most `limit` expansions each."""
        self.ticket[0], self.stop, self.limit = start, stop, limit

    def run(self, worker: Worker, first: bool) -> int:
        """Plan for whoever is next, until nobody is or the time is over. How many expansions has it taken?

        first: plan for one in any case.
        """
        with cython.nogil:
            return self.plan_on(worker, first)

    def plan_on(self, worker: Worker, first: bool) -> int:
        person, ticket, node = self.people.person, longs(self.ticket), worker.planner.look.search.node
        used = 0
        episodes = 0 if not first else 1
        while True:
            if self.until > 0 and not first and episodes % self.each == 0 and now_ns() >= self.until:
                break
            i = draw(ticket)
            if i >= self.stop:
                break
            c = self.due[i]
            if i + 4 < self.stop:  # what is needed next but one is asked for now: it comes while others are planned for
                expect_row(person, self.due[i + 4])
                expect_turn(person, self.due[i + 2], node, self.row)
            if self.solid:
                spent = worker.plan_around(c, self.limit, self.deadline())
            else:
                spent = worker.plan(c, self.limit, self.deadline())
            person[c].due = -1
            person[c].work = min(MOST_WORK, person[c].work + spent)
            used += spent
            first = False
            episodes += 1
            if episodes & 255 == 0:
                check_signals()
        return used

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
            c = self.due[i]
            if person[c].due >= 0:
                person[c].answer = WAITING
                count += 1
        return count

    # 3. Steps.

    def commit(self, used: int) -> int:
        """Everybody who has a path takes a step. used: expansions of this frame. How many have moved?"""
        self.believed.hold()
        start, person = now_ns(), self.people.person
        try:
            with cython.nogil:
                for i in range(self.walkers):
                    if i + 3 < self.walkers:
                        expect_step(
                            person, self.walker[i + 3], self.standing, self.true_value, self.believed_value, self.row
                        )
                    self.step(self.walker[i])
                if self.world is not None and not self.world.still:
                    self.pass_time(self.world)
                self.labels.work((used + LABELLED - 1) // LABELLED)
        finally:
            self.believed.release()
        if self.walkers > 0:
            self.step_ns = (7 * self.step_ns + 16 * (now_ns() - start) // self.walkers) >> 3
        return self.moves

    def step(self, c: int) -> int:
        person = self.people.person
        if person[c].spot == 0:
            return 0
        at, spot = person[c].at, person[c].spot
        s = person[c].path[spot - 1]
        if person[c].rises != self.rises and self.believed.step_cost(at, s) > person[c].toll[spot]:
            return 0  # somebody has just seen that it cannot go there
        if self.solid and self.standing[s] > 0:
            person[c].answer = WAITING
            return 0
        self.standing[at] -= 1
        self.standing[s] += 1
        person[c].at, person[c].spot = s, spot - 1
        self.moved[self.moves] = c
        self.moves += 1
        return self.look(self.world, at, s) if self.world is not None and self.world.still else 0

    def look(self, world: World, before: int, at: int) -> int:
        """Somebody looks around who has looked around at `before` last; -1: nowhere."""
        k = world.eye.look_on(before, at)
        for i in range(k):
            self.accept(world.eye.seen[i], world.truth.read(world.eye.seen[i]))
        return 0

    def pass_time(self, world: World) -> int:
        """A step of time in a world that changes: everybody looks around."""
        person = self.people.person
        world.tick(-1)
        if world.eye.steady:  # what has not changed need not be looked at again
            for i in range(self.moves):
                c = self.moved[i]
                self.look(world, person[c].path[person[c].spot + 1], person[c].at)
            for i in range(world.eye.reports):
                self.check(world, world.eye.reported[i])
            world.eye.reports = 0
            return 0
        for c in range(self.people.used):
            if person[c].at >= 0:
                self.look(world, -1, person[c].at)
        return 0

    def check(self, world: World, place: int) -> int:
        """A place has changed, or somebody has told something of it: does anybody see it?"""
        return self.accept(place, world.truth.read(place)) if world.eye.shown_to(self.standing, place) else 0

    # What is believed.

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value. 1 if that is news; that somebody stands in a wall is not believed."""
        old = self.believed.read(place)
        if old == value or (value == 0 and self.cells and self.standing[place] > 0):
            return 0
        rise = value == 0 or (old != 0 and value > old)
        k = self.believed.write(self.touched, place, value)
        for i in range(k):
            self.notice(self.touched.state[i], rise)
        if self.believed.news.sharing > 1:
            with cython.gil:
                self.believed.news.add(self.touched, k, rise)
            self.heard = self.believed.news.end()
        return 1

    def notice(self, s: int, rise: bool) -> int:
        """The steps out of a state have become dearer, or cheaper."""
        if rise:
            self.rises += 1
            self.labels.blocked()
        else:
            self.falls += 1
            self.labels.opened(s)
        return 0

    def take_in(self, places: memoryview, values: memoryview) -> int:
        """Believe all of this; how many are news?"""
        news = 0
        self.catch_up()
        self.believed.hold()
        try:
            for i in range(len(places)):
                news += self.accept(places[i], values[i])
                if self.world is not None and self.world.eye.steady:
                    self.check(self.world, places[i])  # who sees it need not believe it
        finally:
            self.believed.release()
        return news

    def watch(self, crowd: Any) -> None:
        """From now on hear of what others change in the belief."""
        self.heard = self.believed.news.watch(crowd)

    def catch_up(self) -> int:
        """Take in what others have changed in the belief."""
        return self.read(self.believed.news)

    def is_up_to_date(self) -> bool:
        return self.heard == self.believed.news.end()

    def read(self, news: News) -> int:
        while self.heard < news.end():
            i = self.heard - news.before
            self.heard += 1
            self.notice(news.log.numbers[i], news.log.kinds[i] != 0)
        return 0

    # Who comes, goes, and is sent elsewhere.

    def first_taken(self, states: memoryview, rows: memoryview) -> int:
        """The first of these states on which somebody stands who is not of these rows, or who is named twice; -1: none.

        Only asked where characters are solid.
        """
        person, taken = self.people.person, -1
        for i in range(len(rows)):
            self.standing[person[rows[i]].at] -= 1
        for i in range(len(states)):
            if self.standing[states[i]] > 0 and taken < 0:
                taken = states[i]
            self.standing[states[i]] += 1
        for i in range(len(states)):
            self.standing[states[i]] -= 1
        for i in range(len(rows)):
            self.standing[person[rows[i]].at] += 1
        return taken

    def enter(self, at: int, goal: int, number: int, tie: int) -> int:
        """Somebody stands there from now on, and looks around. The number of its row."""
        c = self.people.enter(at, goal, number, tie)
        self.people.person[c].rises, self.people.person[c].falls = self.rises, self.falls
        self.arrive(at)
        return c

    def arrive(self, at: int) -> int:
        self.standing[at] += 1
        self.believed.hold()
        try:
            if self.cells and self.believed.read(at) == 0:
                self.accept(at, self.believed.least_at(at))
            if self.world is not None:
                self.look(self.world, -1, at)
        finally:
            self.believed.release()
        return 0

    def leave(self, rows: memoryview) -> None:
        for i in range(len(rows)):
            self.standing[self.people.person[rows[i]].at] -= 1
            self.people.leave(rows[i])

    def retarget(self, rows: memoryview, goals: memoryview, worker: Worker) -> None:
        """Send these to other goals."""
        with cython.nogil:
            for i in range(len(rows)):
                if self.people.person[rows[i]].goal != goals[i]:
                    worker.hear(rows[i], self.rises, self.falls)
                    worker.retarget(rows[i], goals[i])

    def put(self, rows: memoryview, states: memoryview) -> None:
        """Put these elsewhere."""
        person = self.people.person
        for i in range(len(rows)):
            c = rows[i]
            if person[c].at != states[i]:
                self.standing[person[c].at] -= 1
                person[c].at, person[c].spot, person[c].shut, person[c].answer = states[i], 0, -1, PARTIAL
                person[c].held, person[c].wander, person[c].nearest = 0, 0, INF
                self.arrive(states[i])
