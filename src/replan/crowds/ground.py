"""What the characters of a crowd share: what they believe, what they see, and who stands where."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.crowds.labels import Labels
from replan.crowds.people import People
from replan.crowds.worker import Worker
from replan.errors import InputError
from replan.limits import BLOCK, INF, PARTIAL
from replan.spaces.news import News
from replan.spaces.space import Space, refuse_unmade
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import is_era, set_era

LAST_ERA = 255


class Ground:
    """The belief of a crowd, who stands on which state, and how often the belief has changed (`rises`, `falls`).

    In a world that does not change, whoever comes to a state from which somebody has looked around before sees nothing
    new: `looked[s]` is `era` then. When something is believed that nobody has seen another era begins. `risen` has how
    many rises there were, all over, when a state of a block was last among them: the paths of most characters lead by
    blocks where nothing has become dearer since they were looked at.
    """

    believed: Space
    people: People
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
        self.standing = zeros(believed.n, np.int32, True)  # how many stand on each state
        self.risen = zeros((believed.n >> BLOCK) + 1, np.int64)
        self.labels = Labels(believed)
        self.rises = self.falls = self.heard = 0
        self.still = self.world is None or self.world.still
        self.by_place = self.world is not None and self.still and self.world.eye.by_place
        self.looked, self.era = zeros(believed.n if self.by_place else 1, np.uint8, True), 1
        if self.world is not None:
            self.world.crowded, self.world.standing = True, self.standing

    # What they see.

    def knows(self, worker: Worker, before: int, at: int) -> bool:
        """Is there nothing new to be seen there, for somebody who comes from `before`? Whoever asks changes nothing."""
        if self.world is None:
            return True
        if not self.by_place:
            return False
        if is_era(self.looked, at, self.era):
            return True
        if worker.eye.look_on(before, at) > 0:
            return False
        set_era(self.looked, at, self.era)
        return True

    def look(self, world: World, before: int, at: int) -> int:
        """Somebody looks around who has looked around at `before` last; -1: nowhere."""
        if self.by_place and self.looked[at] == self.era:
            return 0
        k = world.eye.look_on(before, at)
        refused = 0
        for i in range(k):
            place = world.eye.seen[i]
            self.accept(place, world.truth.read(place))
            refused += self.believed.read(place) != world.truth.read(place)
        if self.by_place and refused == 0:
            self.looked[at] = self.era
        return 0

    def look_again(self) -> int:
        """Something is believed that nobody has seen: what was looked at before may look different now."""
        self.era += 1
        if self.era > LAST_ERA:
            self.era = 1
            for s in range(len(self.looked)):
                self.looked[s] = 0
        return 0

    def check(self, world: World, place: int) -> int:
        """A place has changed, or somebody has told something of it: does anybody see it?"""
        return self.accept(place, world.truth.read(place)) if world.eye.shown_to(self.standing, place) else 0

    # What they believe.

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
            self.risen[s >> BLOCK] = self.rises
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
        if news > 0:
            self.look_again()
        return news

    def watch(self, crowd: Any) -> None:
        """From now on hear of what others change in the belief."""
        self.heard = self.believed.news.watch(crowd)

    def catch_up(self) -> int:
        """Take in what others have changed in the belief."""
        return 0 if self.is_up_to_date() else self.read(self.believed.news)

    def is_up_to_date(self) -> bool:
        return self.heard == self.believed.news.end()

    def read(self, news: News) -> int:
        self.look_again()
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
                self.look_again()
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
                person[c].held, person[c].wander, person[c].nearest, person[c].linked = 0, 0, INF, -1
                self.arrive(states[i])
