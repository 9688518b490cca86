"""What the characters of a crowd believe together, and what they see together."""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import zeros
from replan.limits import BLOCK_BITS, INF
from replan.search.components import Components
from replan.serialization import Archive
from replan.spaces.change_log import ChangeLog
from replan.spaces.space import Space, check_space
from replan.worlds.observers import Observer
from replan.worlds.world import World

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import is_seen, mark_seen

MAX_EPOCH = 255


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
    increase_count: int
    decrease_count: int

    def __init__(self, space: Space, world: World | None, occupancy: memoryview) -> None:
        check_space(space)
        if world is not None:
            world._check_not_busy()
        self.space, self.world, self.occupancy = space, world, occupancy
        self.changed = self.space.make_changed_states()
        self.last_increase = zeros((space.n >> BLOCK_BITS) + 1, np.int64)
        self.components = Components(space)
        self.increase_count = self.decrease_count = self.log_position = 0
        self.occupied_may_be_blocked = False  # True if others may have blocked an occupied state
        self.is_static = self.world is None or self.world.is_static
        self.records_seen = self.world is not None and self.is_static and self.world.observer.depends_on_position_only
        self.seen_epoch, self.epoch = zeros(space.n if self.records_seen else 1, np.uint8, True), 1
        if self.world is not None:
            self.world.has_crowd, self.world.occupancy = True, self.occupancy

    # Seeing.

    def shows_nothing_new(self, eye: Observer, before: int, at: int) -> bool:
        """True if a character that comes from `before` sees nothing new at `at`. Changes no belief."""
        if self.world is None:
            return True
        if not self.records_seen:
            return False
        if is_seen(self.seen_epoch, at, self.epoch):
            return True
        if eye.sense_step(before, at) > 0:
            return False
        mark_seen(self.seen_epoch, at, self.epoch)
        return True

    def sense(self, world: World, before: int, at: int) -> int:
        """Believe what a character sees at `at`. before: where it has looked around last; -1: nowhere."""
        if self.records_seen and self.seen_epoch[at] == self.epoch:
            return 0
        k = world.observer.sense_step(before, at)
        refused = 0
        for i in range(k):
            place = world.observer.changed_locations[i]
            self.accept(place, world.truth.read_value(place))
            refused += self.space.read_value(place) != world.truth.read_value(place)
        if self.records_seen and refused == 0:
            self.seen_epoch[at] = self.epoch
        return 0

    def sense_location(self, world: World, place: int) -> int:
        """Believe the true value of a place if a character sees it."""
        return self.accept(place, world.truth.read_value(place)) if world.observer.is_visible_to_any(self.occupancy, place) else 0

    def begin_epoch(self) -> int:
        """Begin a new era: every state may show something new."""
        self.epoch += 1
        if self.epoch > MAX_EPOCH:
            self.epoch = 1
            for s in range(len(self.seen_epoch)):
                self.seen_epoch[s] = 0
        return 0

    # Believing.

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value. 1 if that is new; an occupied cell is not believed to be blocked."""
        old = self.space.read_value(place)
        if old == value or (value == 0 and self.space.locations_are_states and self.occupancy[place] > 0):
            return 0
        rise, shared = value == 0 or (old != 0 and value > old), self.space.change_log.subscriber_count > 1
        if shared:
            with cython.gil:
                self.space.change_log.reserve(self.changed)
        k = self.space.write_value(self.changed, place, value)
        for i in range(k):
            self.count_change(self.changed.state[i], rise)
        if shared:
            with cython.gil:
                self.space.change_log.add(self.changed, k, rise)
            self.log_position = self.space.change_log.end_number()
        return 1

    def count_change(self, s: int, costs_increased: bool) -> int:
        """The costs of the steps from s have increased, or decreased."""
        if costs_increased:
            self.increase_count += 1
            self.last_increase[s >> BLOCK_BITS] = self.increase_count
        else:
            self.decrease_count += 1
        return self.components.on_cost_change(s, costs_increased)

    def observe(self, places: memoryview, values: memoryview) -> int:
        """Believe these values. Returns how many of them are new."""
        news = 0
        self.begin_change()
        try:
            for i in range(len(places)):
                news += self.accept(places[i], values[i])
                if self.world is not None and self.world.observer.skips_unchanged:
                    self.sense_location(self.world, places[i])  # a character that sees the place need not believe it
        finally:
            self.end_change()
        if news > 0:
            self.begin_epoch()
        return news

    def on_arrival(self, at: int) -> int:
        """A character has been put on a state: the state is free, and the character looks around."""
        self.begin_change()
        try:
            if self.space.locations_are_states and self.space.read_value(at) == 0:
                self.accept(at, self.space.value_if_free(at))
                self.begin_epoch()
            if self.world is not None:
                self.sense(self.world, -1, at)
        finally:
            self.end_change()
        return 0

    # Saving: see `replan/serialization.py`.

    def serialize(self, bag: Archive) -> None:
        """What has changed so far, what has been seen, and the components."""
        self.increase_count, self.decrease_count = bag.integer("increase_count", self.increase_count, 0, INF), bag.integer("decrease_count", self.decrease_count, 0, INF)
        self.occupied_may_be_blocked = bag.boolean("occupied_may_be_blocked", self.occupied_may_be_blocked)
        self.epoch = bag.integer("epoch", self.epoch, 1, MAX_EPOCH)
        seen = bag.integers("seen_epoch", self.seen_epoch, 0, MAX_EPOCH, len(self.seen_epoch))
        last_rise = bag.integers("last_increase", self.last_increase, 0, INF, len(self.last_increase))
        if bag.is_loading:
            np.asarray(self.seen_epoch)[:], np.asarray(self.last_increase)[:] = seen, last_rise
        self.components.serialize(bag.nested("components"))

    # Changes that others have made to the space.

    def subscribe(self, crowd: Any) -> None:
        """Have the space report changes to this crowd from now on."""
        self.log_position = self.space.change_log.subscribe(crowd)

    def is_synced(self) -> bool:
        return self.log_position == self.space.change_log.end_number()

    def sync(self) -> int:
        """Count the changes that others have made since the last call."""
        return 0 if self.is_synced() else self.read_changes(self.space.change_log)

    def begin_change(self) -> int:
        """Begin to change the space: until `release` no other may. The changes of others are counted first.

        Memory for the changes that follow is reserved here: `accept` then runs no Python code, which Ctrl-C could break
        off in the middle of a change. Another thread may add to the change log while its memory is reserved, unless the
        space is held.
        """
        self.space.begin_change()
        is_ready = False
        try:
            self.sync()
            news = self.space.change_log
            if news.subscriber_count > 1:
                if news.log.count > news.capacity // 2:
                    news.flush()
                news.log.reserve(news.log.count + news.capacity // 2)
            is_ready = True
        finally:
            if not is_ready:
                self.space.end_change()
        return 0

    def end_change(self) -> int:
        return self.space.end_change()

    def read_changes(self, news: ChangeLog) -> int:
        self.begin_epoch()
        while self.log_position < news.end_number():
            i = self.log_position - news.first_number
            self.count_change(news.log.ids[i], news.log.kinds[i] != 0)
            self.occupied_may_be_blocked = self.occupied_may_be_blocked or self.occupancy[news.log.ids[i]] > 0
            self.log_position += 1  # after the change is counted: an error in between repeats it
        return 0

    def unblock_occupied(self) -> int:
        """Believe that occupied states are free, whatever others have changed in the space."""
        if not self.occupied_may_be_blocked or not self.space.locations_are_states:
            return 0
        self.begin_change()
        try:
            for s in np.flatnonzero(self.occupancy).tolist():
                if self.space.read_value(s) == 0:
                    self.accept(s, self.space.value_if_free(s))
            self.occupied_may_be_blocked = False
        finally:
            self.end_change()
        return 0
