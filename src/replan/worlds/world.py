"""The truth, what happens to it, and what an agent gets to see."""

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

MAX_CREDIT = 1 << 20  # a target that is caught saves up moves, and takes them all in one step when it is let go
MAX_CHANGES_PER_STEP = 1_000_000  # changes in one step: a function that never ends must not hang the world


class World(Initialized):
    """The terrain as it is, in which an agent moves that may know less.

    space: the truth, a Grid, a Graph or your own Space; it is not changed. sensor: "adjacent" (the cells that a step
    could enter if all were free; the edges that leave a node), "everything", `Radius(r)` or your own `Sensor`. known:
    what the agent believes at first: "nothing" (all is free and cheap until seen otherwise), "everything", or a space
    of the same shape. changes: `(step, cell, to)` with `to` "blocked", "free" or a weight; a step is a move or a wait,
    and a cell is not blocked while the agent stands on it (those of step 0 have happened when it starts). Or a
    function: it is called after each step with the number of the step and the agent's cell and returns `(cell, to)` for
    what happens then; `happened` records it as changes that can be replayed. target: a list of cells that the goal
    visits, one a step from step 1 on (it stays on the last), or a `Target`: `Route`, `Flee`, `Wander`. Raises
    InputError for what cannot be.

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
    change_times: memoryview  # the scripted changes in their order: steps, places and values
    change_locations: memoryview
    change_values: memoryview
    next_change: int  # the next of them
    postponed_changes: memoryview  # the first `late` are changes that wait for the agent to leave their cell
    postponed_count: int
    occupancy: memoryview
    target_credit: int  # the part of a move that the target has saved up, in units of 1 / target.per

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
            self._start_of_target(space)  # refuses cells that are not there
        self._set_up(has_own_spaces=False)
        self.is_initialized = True

    def _set_arguments(self, space: Space, sensor: Any, known: Any, changes: Any, target: Any) -> None:
        """Take over what the world is to be, checked."""
        self.space, self.sensor, self.known = space, sensor, known
        self.is_busy, self.changed = False, self.space.make_changed_states()
        self.change_function = changes if callable(changes) else None
        self.applied_changes = []
        self.edited_locations: list[int] = []  # places that were changed by somebody who watches
        self.changes, when, what, value = compile_changes(None if callable(changes) else changes, space)
        self.change_times, self.change_locations, self.change_values = view(when), view(what), view(value)
        self.scripted_locations = sorted(set(what.tolist()))  # the places that will change
        self.postponed_changes = empty(len(when) + 1, np.int32)
        self.time = self.next_change = self.postponed_count = self.target_credit = 0
        self.target, self.target_state = make_target(target), -1
        self.initial_target = self.target
        self.is_watched, self.has_own_spaces, self._trip_number = False, False, 0
        self.has_crowd = False  # True: a crowd walks here, and `occupancy[s]` of its characters stand on s
        if self.target is not None and not getattr(self.target, "_speed_denominator", 0):
            raise InputError(f"{type(self.target).__name__} has no speed: its __init__ must call Target.__init__")
        self.locations_are_states = space.locations_are_states
        self.free_belief: Space | None = None
        self._check_known()

    def _start_of_target(self, space: Space) -> int:
        assert self.target is not None
        self.target.prepare(space)
        return returned_integer(self.target, "begin", self.target.begin(space), 0, space.n - 1, "the state to start from")

    @property
    def can_change(self) -> bool:
        """May the terrain change?"""
        return bool(self.changes) or self.change_function is not None

    def _check_known(self) -> None:
        if not isinstance(self.known, Space):
            if not isinstance(self.known, str) or self.known not in ("nothing", "everything"):
                raise InputError(f"known is 'nothing', 'everything' or a space, not {short_repr(self.known)}")
        elif type(self.known) is not type(self.space) or self.known.n != self.space.n:
            raise InputError("the map that is known has another size or kind than the world")

    def _set_up(self, has_own_spaces: bool) -> None:
        """Truth and belief are spaces of their own where they may change; `apart`: in any case."""
        # none until there are truth and belief: where that fails, the next trip sets all of it up
        self.observer = None  # type: ignore[assignment, unused-ignore]
        self.has_own_spaces = has_own_spaces
        self.truth = _checked_copy(self.space, "copy") if self._truth_is_copy() else self.space
        # where nothing will ever be news, belief and truth are one
        self.belief = _checked_copy(self.space, "copy") if self._belief_is_copy() else self.space
        self._attach_observer()

    def _truth_is_copy(self) -> bool:
        return self.can_change or self.has_own_spaces

    def _belief_is_copy(self) -> bool:
        return self._truth_is_copy() or not (self._senses_everything() or self._known_is("everything"))

    def _attach_observer(self) -> None:
        self.observer = self.make_observer()
        self.full_observer = self.observer if isinstance(self.observer, FullObserver) else None
        self.is_static = not self._truth_is_copy() and self.target is None

    def make_observer(self) -> Observer:
        """An eye for whoever looks at this world."""
        eye, sure = observer_for(self.sensor, self.truth, self.belief), not self.has_own_spaces  # who watches may change anything
        eye.reported_count, eye.skips_unchanged = 0, sure and isinstance(self.sensor, Radius) and not self.sensor.line_of_sight
        # in a still world, does what is in view depend on the place alone?
        eye.depends_on_position_only = sure and isinstance(eye, (AdjacentCellsObserver, AdjacentEdgesObserver, RadiusObserver, FullObserver))
        return eye

    def _known_is(self, word: str) -> bool:
        return isinstance(self.known, str) and self.known == word

    @property
    def is_fully_known(self) -> bool:
        """Does the agent know all places from the start, by its sensor or otherwise?"""
        return self._senses_everything() or not self._known_is("nothing")

    def _senses_everything(self) -> bool:
        return isinstance(self.sensor, str) and self.sensor == "everything"

    def begin(self) -> Space:
        """Go back to step 0, and return what the agent believes then."""
        self._begin_call()
        try:
            return self._begin()
        finally:
            self._end_call()

    def _begin(self, has_own_spaces: bool = False) -> Space:
        """apart: truth and belief can be changed on this trip, by whoever watches it."""
        if self.observer is None or has_own_spaces != self.has_own_spaces:
            self._set_up(has_own_spaces)
        self._trip_number += 1
        if self.belief is not self.space:
            self.belief.assign(self._first_belief())
        self._rewind()
        return self.belief

    def rewind(self) -> None:
        """Go back to step 0; the agent still believes what it has seen."""
        self._begin_call()
        try:
            self._rewind()
        finally:
            self._end_call()

    def _set_target(self, target: Any) -> None:
        """Whoever watches a trip lets its goal move like this from now on; None: the goal stays where it is."""
        before = self.target
        self.target = target
        try:
            self.target_state = -1 if target is None else self._start_of_target(self.truth)
        except BaseException:
            self.target = before
            raise
        self.target_credit = 0

    def _rewind(self) -> None:
        self.time, self.target = 0, self.initial_target
        self.next_change = self.postponed_count = self.target_credit = 0
        self.target_state = -1 if self.target is None else self._start_of_target(self.space)
        self.observer.reset()
        if self.full_observer is not None:
            happened = [key_to_location(self.space, change[1]) for change in self.applied_changes]
            for place in [*self.scripted_locations, *happened, *self.edited_locations]:
                self.full_observer.report_change(place)  # what happened on the last trip is undone
        self.applied_changes, self.edited_locations = [], []
        if self.truth is not self.space:
            self.truth.assign(self.space)
        self.apply_due_changes(-1)

    def _first_belief(self) -> Space:
        if self._senses_everything() or self._known_is("everything"):
            return self.space
        if self._known_is("nothing"):
            if self.free_belief is None:
                self.free_belief = _checked_copy(self.space, "believed_free")
            return self.free_belief
        assert isinstance(self.known, Space)
        return self.known

    def _begin_call(self) -> None:
        """A trip begins. One at a time: not from inside another, and not from two threads."""
        self._check_not_busy()
        self.is_busy = True

    def _end_call(self) -> None:
        self.is_busy = False

    def _call_alone(self, trip: Callable[[], Any]) -> Any:
        """Do this while nobody else may. (In Python, Ctrl-C could come between `_enter` and `try`.)"""
        self._begin_call()
        try:
            return trip()
        finally:
            self._end_call()

    def _check_not_busy(self) -> None:
        self.check_initialized()
        if self.is_busy:
            raise RuntimeError("an agent is walking in this world, or it is being copied: make one for each thread")

    def tick(self, agent_state: int) -> int:
        """One step of time passes while an agent is at `at`: what is due happens, the target moves."""
        self.time += 1
        kept = 0
        for k in range(self.postponed_count):  # cells that the agent kept open
            i = self.postponed_changes[k]
            if not self.try_apply_change(i, agent_state):
                self.postponed_changes[kept] = i
                kept += 1
        self.postponed_count = kept
        self.apply_due_changes(agent_state)
        if self.change_function is not None:
            with cython.gil:
                self.call_change_function(agent_state)
        return 0 if self.target is None else self.move_target(self.target, agent_state)

    def apply_due_changes(self, at: int) -> int:
        """What the script has for this step and before happens."""
        while self.next_change < len(self.change_times) and self.change_times[self.next_change] <= self.time:
            if self.postponed_count > 0:
                self.drop_postponed(self.change_locations[self.next_change])
            if not self.try_apply_change(self.next_change, at):
                self.postponed_changes[self.postponed_count] = self.next_change
                self.postponed_count += 1
            self.next_change += 1
        return 0

    def drop_postponed(self, place: int) -> int:
        """What still waits to happen to this place does not: a later change has come."""
        kept = 0
        for k in range(self.postponed_count):
            if self.change_locations[self.postponed_changes[k]] != place:
                self.postponed_changes[kept] = self.postponed_changes[k]
                kept += 1
        self.postponed_count = kept
        return 0

    def call_change_function(self, at: int) -> int:
        """The terrain answers the agent's step."""
        for cell, to in self._checked_answer(at):
            place = key_to_location(self.space, cell)
            value = parse_change_value(to, place, self.truth)
            if self.try_set_value(place, value, at):
                self.applied_changes.append((self.time, cell, to))
        return 0

    def _checked_answer(self, at: int) -> list[tuple[Any, Any]]:
        """What the user's function answers, checked."""
        assert self.change_function is not None
        answer = self.change_function(self.time, self.space.key(at))
        name = getattr(self.change_function, "__name__", type(self.change_function).__name__)
        try:
            listed = list(islice(() if answer is None else answer, MAX_CHANGES_PER_STEP + 1))
            if len(listed) <= MAX_CHANGES_PER_STEP:
                return [(cell, to) for cell, to in listed]
        except (TypeError, ValueError):
            raise InputError(f"changes: {name}() returned {answer!r}; it returns a list of (cell, to)") from None
        raise InputError(f"changes: {name}() returned more than {MAX_CHANGES_PER_STEP:,} changes for one step")

    def move_target(self, target: Target, at: int) -> int:
        """The target moves as far as its speed allows. One that the agent has caught does not."""
        self.target_credit += target._speed_numerator
        while self.target_credit >= target._speed_denominator and self.target_state != at:
            self.target_credit -= target._speed_denominator
            self.target_state = target.next_state(self.truth, self.target_state, at)
        return 0

    def try_apply_change(self, i: int, at: int) -> bool:
        """Change number i happens, if it can."""
        return self.try_set_value(self.change_locations[i], self.change_values[i], at)

    def try_set_value(self, location: int, value: int, agent_state: int) -> bool:
        """Change a place, unless that would wall somebody in who stands there."""
        if value == 0 and self.locations_are_states and (location == agent_state or (self.has_crowd and self.occupancy[location] > 0)):
            return False
        self.observer.report_change(location)  # first: what has changed must not stay unseen
        self.truth.write_value(self.changed, location, value)
        if self.is_watched:
            self.log.add(location, 0, value)
        return True

    def set_log(self, log: EventLog, is_watched: bool) -> int:
        """Log the places that are changed from now on, or no longer."""
        self.log, self.is_watched = log, is_watched
        return 0

    def can_still_change(self) -> bool:
        """May waiting help? (A cell that waits for the agent to leave it does not.)"""
        if self.next_change < len(self.change_times) or self.change_function is not None:
            return True
        return self.target is not None and not self.target.is_at_rest()

    def _may_become_free(self, states: list[int]) -> bool:
        """Does the script free one of these cells, or could the terrain?"""
        self.check_initialized()
        opened = np.asarray(self.change_locations)[np.asarray(self.change_values) != 0]
        return self.change_function is not None or bool(np.isin(states, opened).any())

    # Saving: see `replan/serialization.py` and `replan/locking.py`.

    def __reduce__(self) -> Any:
        """A copy as it is now, for `copy` and `pickle`."""
        with read_lock(self):
            bag = Archive(self)
            self.serialize(bag)
            bag.integers("reported_locations", self._reported_locations(), 0, max(0, self.space.n_locations - 1))
            changes = self.changes if self.change_function is None else self.change_function
            return reduce_object(self, (World, self.space, self.sensor, self.known, changes, self.target), bag)

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
        bag = Archive(self, fields)
        self.serialize(bag)
        self._attach_observer()
        for place in bag.integers("reported_locations", (), 0, max(0, space.n_locations - 1)).tolist():
            self.observer.report_change(place)
        self.is_initialized = True

    def _reported_locations(self) -> Any:
        """The places that have changed since the eye last looked."""
        if self.observer is None:
            return ()
        if self.full_observer is not None:
            return self.full_observer.changed_locations[: self.full_observer.change_count]
        return self.observer.reported_locations[: self.observer.reported_count] if self.observer.reported_count > 0 else ()

    def serialize(self, bag: Archive) -> None:
        self.has_own_spaces = bag.boolean("has_own_spaces", self.has_own_spaces)
        self.truth, self.belief = bag.instance("truth", self.truth, Space), bag.instance("belief", self.belief, Space)
        for name, mine in (("truth", self.truth), ("belief", self.belief)):
            check_space(mine)
            bag.require(mine.has_same_shape(self.space), f"its {name} is of another size or kind")
        bag.require((self.truth is not self.space) == self._truth_is_copy(), "its truth is not its own")
        bag.require((self.belief is not self.space) == self._belief_is_copy(), "its belief is not its own")
        self.time = bag.integer("time", self.time, 0)
        self.target_state = bag.integer("target_state", self.target_state, -1, self.space.n - 1)
        self.applied_changes = bag.instance("applied_changes", self.applied_changes, list)
        self.next_change = bag.integer("next_change", self.next_change, 0, len(self.change_times))
        late = bag.integers("postponed_changes", self.postponed_changes[: self.postponed_count], 0, max(0, self.next_change - 1))
        bag.require(len(np.unique(late)) == len(late) <= self.next_change, "more changes are postponed than were due")
        self.postponed_count = len(late)
        np.asarray(self.postponed_changes)[: len(late)] = late
        self.target_credit = bag.integer("target_credit", min(self.target_credit, MAX_CREDIT), 0, MAX_CREDIT)

    def __copy__(self) -> World:
        """A world of its own with the same terrain, which no world changes."""
        self._check_not_busy()
        return copy_sharing(self, *self.space.shared_parts(), self.known)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<World, not made yet>"
        changes = format_count(len(self.changes), "change")
        return f"<World: {self.space!r}, sensor {self.sensor!r}, known {self.known!r}, {changes}>"


def _checked_copy(space: Space, method: str) -> Space:
    """Another space of the same kind and size, as its `copy` or `believed_free` makes it."""
    twin: Space = getattr(space, method)()
    if twin is space or not space.has_same_shape(twin):
        raise bad_return_error(space, method, f"{twin!r}; it returns another {type(space).__name__} of the same size")
    return twin


register_savable(World)
