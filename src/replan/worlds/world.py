"""A world: the true terrain, its changes, its moving target, and what the agent senses of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from replan.arrays import empty, view
from replan.errors import InputError, short_repr
from replan.extensions import bad_return_error, returned_integer
from replan.formatting import format_count
from replan.initialized import Initialized
from replan.locking import read_lock
from replan.log import EventLog
from replan.planners.saved_file import register_savable
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.spaces.space import Space, check_space, key_to_location
from replan.worlds.changes import Change, ChangeFunction, compile_changes, parse_change_value
from replan.worlds.observers import AdjacentCellsObserver, AdjacentEdgesObserver, FullObserver, Observer, RadiusObserver
from replan.worlds.sensors import Radius, Sensor, observer_for
from replan.worlds.targets import Target, make_target

try:
    import cython
except ImportError:
    from replan import _cython as cython

MAX_CREDIT = 1 << 20  # limit of `World.target_credit`, which grows while the target is caught
MAX_CHANGES_PER_STEP = 1_000_000  # changes in one step: a generator that never ends must not block the trip


class World(Initialized):
    """The true terrain, how it changes, and what an agent senses of it.

    Parameters
    ----------
    space
        The truth: a Grid, a Graph or your own Space. It is not changed.
    sensor
        "adjacent" (the cells that one step could enter if all were free; on a graph, the edges that leave a node),
        "everything", `Radius(r)` or your own `Sensor`.
    known
        Initial belief of the agent: "nothing" (all cells are free and cost least until they are seen), "everything", or
        a space of the same shape.
    changes
        List of changes `(step, cell, to)`, where `to` is "blocked", "free" or a weight. Or a function
        `changes(step, cell)`: it is called after each step with the number of the step and the agent's cell, and
        returns a list of `(cell, to)`, or None.
    target
        A list of cells that the goal visits, one for each step from step 1 on (it stays on the last one), or a
        `Target`: `Route`, `Flee`, `Wander`. None: the goal does not move.

    Raises
    ------
    InputError
        If a change, a target, a sensor or `known` is not possible in this space.

    Notes
    -----
    A step is a move or a wait. Changes of step 0 are applied before the agent starts. A cell on which the agent stands
    is not blocked until the agent leaves it. `applied_changes` lists the changes that a function has made, as
    `(step, cell, to)`. They can be replayed in another world.

    Examples
    --------
    >>> import replan
    >>> grid = replan.Grid([[0, 0, 0, 0], [0, 1, 1, 0]], neighbors=4)
    >>> world = replan.World(grid, sensor=replan.Radius(2), changes=[(1, (0, 2), "blocked"), (9, (0, 2), "free")])
    >>> trip = replan.simulate(world, "D* Lite", (0, 0), (0, 3))
    >>> trip.moves, trip.waits
    (3, 8)
    >>> world.can_change, world.is_fully_known, world.time, world._may_become_free([grid.state((0, 2))])
    (True, False, 11, True)
    >>> belief = world.begin()
    >>> bool(belief.blocked.any()), world.time
    (False, 0)
    >>> world.rewind()
    """

    space: Space
    truth: Space
    belief: Space
    target_state: int
    log: EventLog
    observer: Observer
    target: Target | None
    applied_changes: list[Change]
    change_times: memoryview  # scripted changes in their order: steps, locations and values
    change_locations: memoryview
    change_values: memoryview
    next_change: int  # index of the next scripted change
    postponed_changes: memoryview  # indices of the changes that wait for the agent to leave their cell
    postponed_count: int
    occupancy: memoryview  # number of a crowd's characters on each state, if has_crowd
    target_credit: int  # fraction of a move that the target has saved, in units of 1 / target._speed_denominator

    def __init__(
        self,
        space: Space,
        sensor: str | Sensor = "adjacent",
        known: str | Space = "nothing",
        changes: Iterable[Change] | ChangeFunction | None = None,
        target: Target | Iterable[Any] | None = None,
    ) -> None:
        check_space(space)
        self.check_not_initialized()
        self._set_arguments(space, sensor, known, changes, target)
        if self.target is not None:
            self._start_of_target(space)  # raises InputError for a cell that is not on the map
        self._set_up(has_own_spaces=False)
        self.is_initialized = True

    def _set_arguments(self, space: Space, sensor: Any, known: Any, changes: Any, target: Any) -> None:
        """Check the arguments of `__init__`, and set the fields that follow from them."""
        self.space, self.sensor, self.known = space, sensor, known
        self.is_busy, self.changed = False, self.space.make_changed_states()
        self.neighbours = self.space.make_neighbours()
        self.change_function = changes if callable(changes) else None
        self.applied_changes = []
        self.edited_locations: list[int] = []  # locations that `LiveStory.change` has changed
        self.changes, times, locations, values = compile_changes(None if callable(changes) else changes, space)
        self.change_times, self.change_locations, self.change_values = view(times), view(locations), view(values)
        self.scripted_locations = sorted(set(locations.tolist()))  # locations that will change
        self.postponed_changes = empty(len(times) + 1, np.int32)
        self.time = self.next_change = self.postponed_count = self.target_credit = 0
        self.target, self.target_state, self.target_trip = make_target(target), -1, 0
        self.initial_target = self.target
        self.is_watched, self.has_own_spaces, self._trip_number = False, False, 0
        self.trip_searches = 0  # searches on the truth that are trips in this world
        self.has_crowd = False  # True: a crowd moves in this world, and `occupancy` is set
        if self.target is not None and not getattr(self.target, "_speed_denominator", 0):
            raise InputError(f"{type(self.target).__name__} has no speed: its __init__ must call Target.__init__")
        self.locations_are_states = space.locations_are_states
        self.free_belief: Space | None = None
        self._check_known()

    def _start_of_target(self, space: Space) -> int:
        """Put the target at its start. Returns its state."""
        assert self.target is not None
        self.claim_target(self.target)
        return returned_integer(
            self.target, "begin", self.target.begin(space), 0, space.n - 1, "the state to start from"
        )

    def claim_target(self, target: Target) -> None:
        """Begin a trip with the target. Raise if an agent moves in the world that has the target now."""
        other = target.world
        if other is not None and other is not self and other._has_running_trip(target):
            raise RuntimeError("this target moves in another world, where an agent is moving: make one for each world")
        target.trip_count, target.world = target.trip_count + 1, self
        self.target_trip = target.trip_count

    def _has_running_trip(self, target: Target) -> bool:
        """True if an agent is moving in this world, and this is its target."""
        return bool(self.is_busy) and self.target is target

    def _raise_target_taken(self) -> None:
        raise RuntimeError("the target of this world was given to another world, or trip: make one for each world")

    @property
    def can_change(self) -> bool:
        """True if changes are scripted or made by a function."""
        return bool(self.changes) or self.change_function is not None

    def _check_known(self) -> None:
        """Raise InputError if `known` is no possible belief."""
        if not isinstance(self.known, Space):
            if not isinstance(self.known, str) or self.known not in ("nothing", "everything"):
                raise InputError(f"known is 'nothing', 'everything' or a space, not {short_repr(self.known)}")
        elif type(self.known) is not type(self.space) or self.known.n != self.space.n:
            raise InputError("the map that is known has another size or kind than the world")

    def _set_up(self, has_own_spaces: bool) -> None:
        """Create truth, belief and observer. Truth and belief are copies if they may change, or if `has_own_spaces`."""
        # None until truth and belief exist: if a copy fails, the next trip sets up all of them
        self.observer = None  # type: ignore[assignment, unused-ignore]
        self.has_own_spaces = has_own_spaces
        self.truth = self._own_space(getattr(self, "truth", None)) if self._truth_is_copy() else self.space
        # an agent that knows all from the start needs no copy
        self.belief = self._own_space(getattr(self, "belief", None)) if self._belief_is_copy() else self.space
        self._attach_observer()

    def _own_space(self, previous: Space | None) -> Space:
        """Return a copy of the space: the previous one, which others may share, or a new one."""
        return _checked_copy(self.space, "copy") if previous is None or previous is self.space else previous

    def _truth_is_copy(self) -> bool:
        return self.can_change or self.has_own_spaces

    def _belief_is_copy(self) -> bool:
        return self._truth_is_copy() or not (self._senses_everything() or self._known_is("everything"))

    def _attach_observer(self) -> None:
        self.observer = self.make_observer()
        self.full_observer = self.observer if isinstance(self.observer, FullObserver) else None
        self.is_static = not self._truth_is_copy() and self.target is None

    def make_observer(self) -> Observer:
        """Return an observer of this world."""
        observer = observer_for(self.sensor, self.truth, self.belief)
        is_predictable = not self.has_own_spaces  # else a live story may change anything
        observer.reported_count = 0
        observer.skips_unchanged = is_predictable and isinstance(self.sensor, Radius) and not self.sensor.line_of_sight
        observer.depends_on_position_only = is_predictable and isinstance(
            observer, (AdjacentCellsObserver, AdjacentEdgesObserver, RadiusObserver, FullObserver)
        )
        return observer

    def _known_is(self, word: str) -> bool:
        return isinstance(self.known, str) and self.known == word

    @property
    def is_fully_known(self) -> bool:
        """True if the agent knows all cells from the start, by its sensor or otherwise."""
        return self._senses_everything() or not self._known_is("nothing")

    def _senses_everything(self) -> bool:
        return isinstance(self.sensor, str) and self.sensor == "everything"

    def begin(self) -> Space:
        """Go back to step 0.

        Returns
        -------
        Space
            The belief of an agent that starts now.
        """
        self._begin_call()
        try:
            return self._begin()
        finally:
            self._end_call()

    def _begin(self, has_own_spaces: bool = False) -> Space:
        """Go back to step 0. has_own_spaces: truth and belief may be changed from outside on this trip."""
        if self.observer is None or has_own_spaces != self.has_own_spaces:
            self._set_up(has_own_spaces)
        self._trip_number += 1
        if self.belief is not self.space:
            self.belief.assign(self._first_belief())
        self._rewind()
        return self.belief

    def rewind(self) -> None:
        """Go back to step 0. The agent keeps its belief."""
        self._begin_call()
        try:
            self._rewind()
        finally:
            self._end_call()

    def _set_target(self, target: Any) -> None:
        """Let the goal move like `target` (None: not at all) until the next trip begins."""
        previous = self.target
        self.target = target
        try:
            self.target_state = -1 if target is None else self._start_of_target(self.truth)
        except BaseException:
            self.target = previous
            raise
        self.target_credit = 0

    def _rewind(self) -> None:
        self.time, self.target = 0, self.initial_target
        self.next_change = self.postponed_count = self.target_credit = 0
        self.target_state = -1 if self.target is None else self._start_of_target(self.space)
        self.observer.reset()
        if self.full_observer is not None:
            applied_locations = [key_to_location(self.space, change[1]) for change in self.applied_changes]
            for location in [*self.scripted_locations, *applied_locations, *self.edited_locations]:
                self.full_observer.report_change(location)  # the last trip changed it; now it is as at first
        self.applied_changes, self.edited_locations = [], []
        if self.truth is not self.space:
            self.truth.assign(self.space)
        self.apply_due_changes(-1)

    def _first_belief(self) -> Space:
        """Return what the agent believes before its first observation."""
        if self._senses_everything() or self._known_is("everything"):
            return self.space
        if self._known_is("nothing"):
            if self.free_belief is None:
                self.free_belief = _checked_copy(self.space, "believed_free")
            return self.free_belief
        assert isinstance(self.known, Space)
        return self.known

    def _begin_call(self) -> None:
        """Mark the world as busy. Raise RuntimeError if a trip is running, in this thread or another one."""
        self._check_not_busy()
        self.is_busy = True

    def _end_call(self) -> None:
        self.is_busy = False

    def _call_alone(self, action: Callable[[], Any]) -> Any:
        """Call `action` while the world is marked as busy. (In plain Python, Ctrl-C could come before the `try`.)"""
        self._begin_call()
        try:
            return action()
        finally:
            self._end_call()

    def _check_not_busy(self) -> None:
        self.check_initialized()
        if self.is_busy:
            raise RuntimeError("an agent is walking in this world, or it is being copied: make one for each thread")

    def tick(self, agent_state: int) -> int:
        """Advance the time by one step: apply the changes that are due, then move the target."""
        self.time += 1
        remaining = 0
        for j in range(self.postponed_count):  # changes of a cell on which the agent stood
            i = self.postponed_changes[j]
            if not self.try_apply_change(i, agent_state):
                self.postponed_changes[remaining] = i
                remaining += 1
        self.postponed_count = remaining
        self.apply_due_changes(agent_state)
        if self.change_function is not None:
            with cython.gil:
                self.call_change_function(agent_state)
        return 0 if self.target is None else self.move_target(self.target, agent_state)

    def apply_due_changes(self, agent_state: int) -> int:
        """Apply the scripted changes up to the current time."""
        while self.next_change < len(self.change_times) and self.change_times[self.next_change] <= self.time:
            if self.postponed_count > 0:
                self.drop_postponed(self.change_locations[self.next_change])
            if not self.try_apply_change(self.next_change, agent_state):
                self.postponed_changes[self.postponed_count] = self.next_change
                self.postponed_count += 1
            self.next_change += 1
        return 0

    def drop_postponed(self, location: int) -> int:
        """Drop the postponed changes of a location: a later change replaces them."""
        remaining = 0
        for j in range(self.postponed_count):
            if self.change_locations[self.postponed_changes[j]] != location:
                self.postponed_changes[remaining] = self.postponed_changes[j]
                remaining += 1
        self.postponed_count = remaining
        return 0

    def call_change_function(self, agent_state: int) -> int:
        """Apply the changes that the user's function returns for this step."""
        for cell, to in self._checked_answer(agent_state):
            location = key_to_location(self.space, cell)
            value = parse_change_value(to, location, self.truth)
            if self.try_set_value(location, value, agent_state):
                self.applied_changes.append((self.time, cell, to))
        return 0

    def _checked_answer(self, agent_state: int) -> list[tuple[Any, Any]]:
        """Call the user's function. Returns its list of (cell, to), checked."""
        assert self.change_function is not None
        answer = self.change_function(self.time, self.space.key(agent_state))
        name = getattr(self.change_function, "__name__", type(self.change_function).__name__)
        try:
            changes = list(islice(() if answer is None else answer, MAX_CHANGES_PER_STEP + 1))
            if len(changes) <= MAX_CHANGES_PER_STEP:
                return [(cell, to) for cell, to in changes]
        except (TypeError, ValueError):
            raise InputError(f"changes: {name}() returned {answer!r}; it returns a list of (cell, to)") from None
        raise InputError(f"changes: {name}() returned more than {MAX_CHANGES_PER_STEP:,} changes for one step")

    def move_target(self, target: Target, agent_state: int) -> int:
        """Move the target as far as its speed allows, until the agent has caught it."""
        if target.trip_count != self.target_trip:
            with cython.gil:
                self._raise_target_taken()
        self.target_credit += target._speed_numerator
        while self.target_credit >= target._speed_denominator and self.target_state != agent_state:
            self.target_credit -= target._speed_denominator
            self.target_state = target.next_state(self.truth, self.neighbours, self.target_state, agent_state)
        return 0

    def try_apply_change(self, i: int, agent_state: int) -> bool:
        """Apply change number i. False if a cell is occupied."""
        return self.try_set_value(self.change_locations[i], self.change_values[i], agent_state)

    def try_set_value(self, location: int, value: int, agent_state: int) -> bool:
        """Set the value of a location. False if that would block an occupied cell."""
        if (
            value == 0
            and self.locations_are_states
            and (location == agent_state or (self.has_crowd and self.occupancy[location] > 0))
        ):
            return False
        self.observer.report_change(location)  # before the write: a change must not stay unreported if the write fails
        if self.truth.change_log.subscriber_count > 0:
            with cython.gil:
                self.set_shared_value(location, value)
        else:
            self.truth.write_value(self.changed, location, value)
        if self.is_watched:
            self.log.add(location, 0, value)
        return True

    def set_shared_value(self, location: int, value: int) -> int:
        """Set the value of a location of a truth in which agents, fields or queries believe: log the change."""
        if self.truth.active_searches > self.trip_searches:
            self.truth.check_not_searched()
        self.truth._write_logged(location, value)
        return 0

    def set_log(self, log: EventLog, is_watched: bool) -> int:
        """Set the log of changed locations, and whether it is written."""
        self.log, self.is_watched = log, is_watched
        return 0

    def can_still_change(self) -> bool:
        """True if the world may still change while the agent waits. Postponed changes wait for the agent to move."""
        if self.next_change < len(self.change_times) or self.change_function is not None:
            return True
        return self.target is not None and not self.target.is_at_rest()

    def _may_become_free(self, states: list[int]) -> bool:
        """True if a change may free one of these states."""
        self.check_initialized()
        freed = np.asarray(self.change_locations)[np.asarray(self.change_values) != 0]
        return self.change_function is not None or bool(np.isin(states, freed).any())

    # Saving: see `replan/serialization.py` and `replan/locking.py`.

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need to make a copy in the same state."""
        with read_lock(self):
            archive = Archive(self)
            self.serialize(archive)
            archive.integers("reported_locations", self._reported_locations(), 0, max(0, self.space.n_locations - 1))
            changes = self.changes if self.change_function is None else self.change_function
            return reduce_object(self, (World, self.space, self.sensor, self.known, changes, self.target), archive)

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self._begin_call()
        try:
            with read_lock(self.space, self.truth, self.belief):
                yield (self,)
        finally:
            self._end_call()

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        space, sensor, known, changes, target = args
        check_space(space)
        self.check_not_initialized()
        self._set_arguments(space, sensor, known, changes, target)
        self.truth = self.belief = space
        archive = Archive(self, fields)
        self.serialize(archive)
        self._attach_observer()
        for location in archive.integers("reported_locations", (), 0, max(0, space.n_locations - 1)).tolist():
            self.observer.report_change(location)
        self.is_initialized = True

    def _reported_locations(self) -> Any:
        """Return the locations that have changed since the observer last sensed."""
        if self.observer is None:
            return ()
        if self.full_observer is not None:
            return self.full_observer.changed_locations[: self.full_observer.change_count]
        count = self.observer.reported_count
        return self.observer.reported_locations[:count] if count > 0 else ()

    def serialize(self, archive: Archive) -> None:
        self.has_own_spaces = archive.boolean("has_own_spaces", self.has_own_spaces)
        self.truth = archive.instance("truth", self.truth, Space)
        self.belief = archive.instance("belief", self.belief, Space)
        for name, own_space in (("truth", self.truth), ("belief", self.belief)):
            check_space(own_space)
            archive.require(own_space.has_same_shape(self.space), f"its {name} is of another size or kind")
        archive.require(
            (self.truth is not self.space) == self._truth_is_copy(),
            "its truth must be a copy of the space exactly if it may change",
        )
        archive.require(
            (self.belief is not self.space) == self._belief_is_copy(),
            "its belief must be a copy of the space exactly if it may change",
        )
        self.time = archive.integer("time", self.time, 0)
        self.target_state = archive.integer("target_state", self.target_state, -1, self.space.n - 1)
        self.applied_changes = archive.instance("applied_changes", self.applied_changes, list)
        self.next_change = archive.integer("next_change", self.next_change, 0, len(self.change_times))
        postponed = archive.integers(
            "postponed_changes", self.postponed_changes[: self.postponed_count], 0, max(0, self.next_change - 1)
        )
        archive.require(
            len(np.unique(postponed)) == len(postponed) <= self.next_change, "more changes are postponed than were due"
        )
        self.postponed_count = len(postponed)
        np.asarray(self.postponed_changes)[: len(postponed)] = postponed
        if (
            self.target is not None
        ):  # a copy of the target belongs to the copy of the world, unless another world has it
            is_own = archive.boolean("has_target", self.target.trip_count == self.target_trip)
            self.target_trip = self.target.trip_count if is_own else -1
        self.target_credit = archive.integer("target_credit", min(self.target_credit, MAX_CREDIT), 0, MAX_CREDIT)

    def __copy__(self) -> World:
        """Copy the world. The copy shares the space and `known`, which no world changes."""
        self._check_not_busy()
        return copy_sharing(self, *self.space.shared_parts(), self.known)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<World, not initialized>"
        changes = format_count(len(self.changes), "change")
        return f"<World: {self.space!r}, sensor {self.sensor!r}, known {self.known!r}, {changes}>"


def _checked_copy(space: Space, method: str) -> Space:
    """Return a space from `space.copy()` or `space.believed_free()`, checked for class and size."""
    copied: Space = getattr(space, method)()
    if copied is space or not space.has_same_shape(copied):
        raise bad_return_error(space, method, f"{copied!r}; it returns another {type(space).__name__} of the same size")
    return copied


register_savable(World)
