"""What the characters of a crowd believe together, and what they see together."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.limits import BLOCK, INF
from replan.saving import Bag
from replan.search.components import Components
from replan.spaces.news import News
from replan.spaces.space import Space, refuse_unmade
from replan.worlds.eyes import Eye
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import is_seen, mark_seen

LAST_ERA = 255


class SharedBelief:
    """The believed space of a crowd, and the world that its characters see. occupancy[s]: characters on state s.

    `rises` and `falls` count how often a step cost has increased and decreased. `last_rise[s >> BLOCK]` is the value of
    `rises` when a state of this block was last among the increased ones. A path whose blocks have no later rise than
    the one that its character knows is still valid.

    In a world that does not change, a second look from the same state shows nothing new: `seen[s]` is `era` after the
    first look from s. A new era begins when the crowd believes something that no sensor has reported.
    """

    space: Space
    occupancy: memoryview
    world: World | None
    rises: int
    falls: int

    def __init__(self, space: Space, world: World | None, occupancy: memoryview) -> None:
        refuse_unmade(space)
        if world is not None:
            world._refuse_busy()
        self.space, self.world, self.occupancy = space, world, occupancy
        self.changed = self.space.touched()
        self.last_rise = zeros((space.n >> BLOCK) + 1, np.int64)
        self.components = Components(space)
        self.rises = self.falls = self.log_position = 0
        self.may_be_blocked = False  # True if others may have blocked an occupied state
        self.is_static = self.world is None or self.world.still
        self.records_seen = self.world is not None and self.is_static and self.world.eye.by_place
        self.seen, self.era = zeros(space.n if self.records_seen else 1, np.uint8, True), 1
        if self.world is not None:
            self.world.crowded, self.world.occupancy = True, self.occupancy

    # Seeing.

    def shows_nothing_new(self, eye: Eye, before: int, at: int) -> bool:
        """True if a character that comes from `before` sees nothing new at `at`. Changes no belief."""
        if self.world is None:
            return True
        if not self.records_seen:
            return False
        if is_seen(self.seen, at, self.era):
            return True
        if eye.look_on(before, at) > 0:
            return False
        mark_seen(self.seen, at, self.era)
        return True

    def sense(self, world: World, before: int, at: int) -> int:
        """Believe what a character sees at `at`. before: where it has looked around last; -1: nowhere."""
        if self.records_seen and self.seen[at] == self.era:
            return 0
        k = world.eye.look_on(before, at)
        refused = 0
        for i in range(k):
            place = world.eye.seen[i]
            self.accept(place, world.truth.read(place))
            refused += self.space.read(place) != world.truth.read(place)
        if self.records_seen and refused == 0:
            self.seen[at] = self.era
        return 0

    def sense_place(self, world: World, place: int) -> int:
        """Believe the true value of a place if a character sees it."""
        return self.accept(place, world.truth.read(place)) if world.eye.shown_to(self.occupancy, place) else 0

    def forget_seen(self) -> int:
        """Begin a new era: every state may show something new."""
        self.era += 1
        if self.era > LAST_ERA:
            self.era = 1
            for s in range(len(self.seen)):
                self.seen[s] = 0
        return 0

    # Believing.

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value. 1 if that is new; an occupied cell is not believed to be blocked."""
        old = self.space.read(place)
        if old == value or (value == 0 and self.space.cells and self.occupancy[place] > 0):
            return 0
        rise, shared = value == 0 or (old != 0 and value > old), self.space.news.sharing > 1
        if shared:
            with cython.gil:
                self.space.news.reserve(self.changed)
        k = self.space.write(self.changed, place, value)
        for i in range(k):
            self.count_change(self.changed.state[i], rise)
        if shared:
            with cython.gil:
                self.space.news.add(self.changed, k, rise)
            self.log_position = self.space.news.end()
        return 1

    def count_change(self, s: int, rise: bool) -> int:
        """The costs of the steps from s have increased, or decreased."""
        if rise:
            self.rises += 1
            self.last_rise[s >> BLOCK] = self.rises
        else:
            self.falls += 1
        return self.components.changed(s, rise)

    def observe(self, places: memoryview, values: memoryview) -> int:
        """Believe these values. Returns how many of them are new."""
        news = 0
        self.hold()
        try:
            for i in range(len(places)):
                news += self.accept(places[i], values[i])
                if self.world is not None and self.world.eye.steady:
                    self.sense_place(self.world, places[i])  # a character that sees the place need not believe it
        finally:
            self.release()
        if news > 0:
            self.forget_seen()
        return news

    def arrive(self, at: int) -> int:
        """A character has been put on a state: the state is free, and the character looks around."""
        self.hold()
        try:
            if self.space.cells and self.space.read(at) == 0:
                self.accept(at, self.space.value_if_free(at))
                self.forget_seen()
            if self.world is not None:
                self.sense(self.world, -1, at)
        finally:
            self.release()
        return 0

    # Saving: see `replan/saving.py`.

    def carry(self, bag: Bag) -> None:
        """What has changed so far, what has been seen, and the components."""
        self.rises, self.falls = bag.whole("rises", self.rises, 0, INF), bag.whole("falls", self.falls, 0, INF)
        self.may_be_blocked = bag.truth("may_be_blocked", self.may_be_blocked)
        self.era = bag.whole("era", self.era, 1, LAST_ERA)
        seen = bag.numbers("seen", self.seen, 0, LAST_ERA, len(self.seen))
        last_rise = bag.numbers("last_rise", self.last_rise, 0, INF, len(self.last_rise))
        if bag.loading:
            np.asarray(self.seen)[:], np.asarray(self.last_rise)[:] = seen, last_rise
        self.components.carry(bag.inner("components"))

    # Changes that others have made to the space.

    def watch(self, crowd: Any) -> None:
        """Have the space report changes to this crowd from now on."""
        self.log_position = self.space.news.watch(crowd)

    def is_synced(self) -> bool:
        return self.log_position == self.space.news.end()

    def sync(self) -> int:
        """Count the changes that others have made since the last call."""
        return 0 if self.is_synced() else self.read_changes(self.space.news)

    def hold(self) -> int:
        """Begin to change the space: until `release` no other may. The changes of others are counted first.

        Memory for the changes that follow is reserved here: `accept` then runs no Python code, which Ctrl-C could break
        off in the middle of a change. Another thread may add to the change log while its memory is reserved, unless the
        space is held.
        """
        self.space.hold()
        is_ready = False
        try:
            self.sync()
            news = self.space.news
            if news.sharing > 1:
                if news.log.count > news.room // 2:
                    news.settle()
                news.log.reserve(news.log.count + news.room // 2)
            is_ready = True
        finally:
            if not is_ready:
                self.space.release()
        return 0

    def release(self) -> int:
        return self.space.release()

    def read_changes(self, news: News) -> int:
        self.forget_seen()
        while self.log_position < news.end():
            i = self.log_position - news.before
            self.count_change(news.log.numbers[i], news.log.kinds[i] != 0)
            self.may_be_blocked = self.may_be_blocked or self.occupancy[news.log.numbers[i]] > 0
            self.log_position += 1  # after the change is counted: an error in between repeats it
        return 0

    def free_occupied(self) -> int:
        """Believe that occupied states are free, whatever others have changed in the space."""
        if not self.may_be_blocked or not self.space.cells:
            return 0
        self.hold()
        try:
            for s in np.flatnonzero(self.occupancy).tolist():
                if self.space.read(s) == 0:
                    self.accept(s, self.space.value_if_free(s))
            self.may_be_blocked = False
        finally:
            self.release()
        return 0
