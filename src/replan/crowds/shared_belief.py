"""The shared belief of the characters of a crowd, updated by what they sense."""

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
    """Believed space of a crowd, and the world that its characters sense. occupancy[s]: characters on state s.

    `increase_count` and `decrease_count` count the states whose step costs have increased and decreased.
    `last_increase[s >> BLOCK_BITS]` is the value of `increase_count` at the last increase in this block of states. A
    path is valid if its blocks have no later increase than the character's `known_increases`.

    In a static world, sensing twice from the same state reports nothing new: `seen_epoch[s]` is set to `epoch` at the
    first time. A new epoch begins when the belief changes in another way than by sensing.
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
        self.occupied_may_be_blocked = False  # True if other users of the space may have blocked an occupied state
        self.is_static = self.world is None or self.world.is_static
        self.records_seen = self.world is not None and self.is_static and self.world.observer.depends_on_position_only
        self.seen_epoch, self.epoch = zeros(space.n if self.records_seen else 1, np.uint8, True), 1
        if self.world is not None:
            self.world.has_crowd, self.world.occupancy = True, self.occupancy

    # Sensing.

    def shows_nothing_new(self, observer: Observer, previous_state: int, state: int) -> bool:
        """True if a character that comes from `previous_state` sees nothing new. Does not change the belief."""
        if self.world is None:
            return True
        if not self.records_seen:
            return False
        if is_seen(self.seen_epoch, state, self.epoch):
            return True
        if observer.sense_step(previous_state, state) > 0:
            return False
        mark_seen(self.seen_epoch, state, self.epoch)
        return True

    def sense(self, world: World, previous_state: int, state: int) -> int:
        """Update the belief by what a character sees at `state`. previous_state: where it sensed last; -1: nowhere."""
        if self.records_seen and self.seen_epoch[state] == self.epoch:
            return 0
        count = world.observer.sense_step(previous_state, state)
        rejected_count = 0
        for i in range(count):
            location = world.observer.changed_locations[i]
            self.accept(location, world.truth.read_value(location))
            rejected_count += self.space.read_value(location) != world.truth.read_value(location)
        if self.records_seen and rejected_count == 0:
            self.seen_epoch[state] = self.epoch
        return 0

    def sense_location(self, world: World, location: int) -> int:
        """Believe the true value of a location if a character sees it."""
        return (
            self.accept(location, world.truth.read_value(location))
            if world.observer.is_visible_to_any(self.occupancy, location)
            else 0
        )

    def begin_epoch(self) -> int:
        """Begin a new epoch: sensing from any state may report something new."""
        self.epoch += 1
        if self.epoch > MAX_EPOCH:
            self.epoch = 1
            for s in range(len(self.seen_epoch)):
                self.seen_epoch[s] = 0
        return 0

    # Changes of the belief.

    def accept(self, location: int, value: int) -> int:
        """Believe that a location has this value, but never block an occupied cell. Returns 1 if that is new."""
        old_value = self.space.read_value(location)
        if old_value == value or (value == 0 and self.space.locations_are_states and self.occupancy[location] > 0):
            return 0
        costs_increased = value == 0 or (old_value != 0 and value > old_value)
        must_log = self.space.change_log.subscriber_count > 1
        if must_log:
            with cython.gil:
                self.space.change_log.reserve(self.changed)
        count = self.space.write_value(self.changed, location, value)
        for i in range(count):
            self.count_change(self.changed.state[i], costs_increased)
        if must_log:
            with cython.gil:
                self.space.change_log.add(self.changed, count, costs_increased)
            self.log_position = self.space.change_log.end_number()
        return 1

    def count_change(self, s: int, costs_increased: bool) -> int:
        """Count a change of the costs of the steps from s, and tell the components."""
        if costs_increased:
            self.increase_count += 1
            self.last_increase[s >> BLOCK_BITS] = self.increase_count
        else:
            self.decrease_count += 1
        return self.components.on_cost_change(s, costs_increased)

    def observe(self, locations: memoryview, values: memoryview) -> int:
        """Believe these values. Returns the number of new ones."""
        new_count = 0
        self.begin_change()
        try:
            for i in range(len(locations)):
                new_count += self.accept(locations[i], values[i])
                if self.world is not None and self.world.observer.skips_unchanged:
                    # a character that sees the location believes the true value
                    self.sense_location(self.world, locations[i])
        finally:
            self.end_change()
        if new_count > 0:
            self.begin_epoch()
        return new_count

    def on_arrival(self, state: int) -> int:
        """Update the belief for a character that was put on a state: the state is free, and the character senses."""
        self.begin_change()
        try:
            if self.space.locations_are_states and self.space.read_value(state) == 0:
                self.accept(state, self.space.value_if_free(state))
                self.begin_epoch()
            if self.world is not None:
                self.sense(self.world, -1, state)
        finally:
            self.end_change()
        return 0

    # Saving: see `replan/serialization.py`.

    def serialize(self, archive: Archive) -> None:
        """Save or load the counts of changes, the epochs, and the components."""
        self.increase_count = archive.integer("increase_count", self.increase_count, 0, INF)
        self.decrease_count = archive.integer("decrease_count", self.decrease_count, 0, INF)
        self.occupied_may_be_blocked = archive.boolean("occupied_may_be_blocked", self.occupied_may_be_blocked)
        self.epoch = archive.integer("epoch", self.epoch, 1, MAX_EPOCH)
        seen = archive.integers("seen_epoch", self.seen_epoch, 0, MAX_EPOCH, len(self.seen_epoch))
        last_increase = archive.integers("last_increase", self.last_increase, 0, INF, len(self.last_increase))
        if archive.is_loading:
            np.asarray(self.seen_epoch)[:], np.asarray(self.last_increase)[:] = seen, last_increase
        self.components.serialize(archive.nested("components"))

    # Changes of the space by other users.

    def subscribe(self, crowd: Any) -> None:
        """Subscribe to the change log of the space."""
        self.log_position = self.space.change_log.subscribe(crowd)

    def is_synced(self) -> bool:
        """True if all changes by others are counted."""
        return self.log_position == self.space.change_log.end_number()

    def sync(self) -> int:
        """Count the changes that others have made since the last call."""
        return 0 if self.is_synced() else self.read_changes(self.space.change_log)

    def begin_change(self) -> int:
        """Begin to change the space: no other user can change it until `end_change`. Counts earlier changes by others.

        This reserves the memory for the following changes. `accept` then runs no Python code, which Ctrl-C could
        interrupt in the middle of a change. `space.begin_change` comes first, so that no other thread adds to the
        change log while its memory is reserved.
        """
        self.space.begin_change()
        is_ready = False
        try:
            self.sync()
            change_log = self.space.change_log
            if change_log.subscriber_count > 1:
                if change_log.log.count > change_log.capacity // 2:
                    change_log.flush()
                change_log.log.reserve(change_log.log.count + change_log.capacity // 2)
            is_ready = True
        finally:
            if not is_ready:
                self.space.end_change()
        return 0

    def end_change(self) -> int:
        """End the changes of `begin_change`."""
        return self.space.end_change()

    def read_changes(self, change_log: ChangeLog) -> int:
        """Count the new entries of the change log."""
        self.begin_epoch()
        while self.log_position < change_log.end_number():
            i = self.log_position - change_log.first_number
            self.count_change(change_log.log.ids[i], change_log.log.kinds[i] != 0)
            self.occupied_may_be_blocked = self.occupied_may_be_blocked or self.occupancy[change_log.log.ids[i]] > 0
            self.log_position += 1  # after the change is counted: an error in between repeats it
        return 0

    def unblock_occupied(self) -> int:
        """Believe that all occupied states are free, even if other users have blocked them."""
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
