"""The truth, what happens to it, and what an agent gets to see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from replan.arrays import empty, view
from replan.errors import InputError, short
from replan.guard import held
from replan.initialized import Initialized
from replan.log import Log
from replan.own import whole, wrong_answer
from replan.planners.saved_file import savable
from replan.saving import Bag, deep_copied, reduced, twin
from replan.spaces.space import Space, key_to_place, refuse_unmade
from replan.wording import counted
from replan.worlds.changes import Change, Reaction, compile_changes, value_of
from replan.worlds.eyes import AdjacentCells, AdjacentEdges, Circle, Everywhere, Eye
from replan.worlds.sensors import Radius, Sensor, eye_for
from replan.worlds.targets import Target, target_for

try:
    import cython
except ImportError:
    from replan import _cython as cython

MOST_CREDIT = 1 << 20  # a target that is caught saves up moves, and takes them all in one step when it is let go
MOST_REACTIONS = 1_000_000  # changes in one step: a function that never ends must not hang the world


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
    >>> world.changing, world.all_in_view, world.time, world.may_open([grid.state((0, 2))])
    (True, False, 11, True)
    >>> belief = world.begin()
    >>> bool(belief.blocked.any()), world.time
    (False, 0)
    >>> world.rewind()
    """

    space: Space
    truth: Space
    belief: Space
    target_at: int
    log: Log
    eye: Eye
    target: Target | None
    happened: list[Change]
    when: memoryview  # the scripted changes in their order: steps, places and values
    what: memoryview
    value: memoryview
    due: int  # the next of them
    postponed: memoryview  # the first `late` are changes that wait for the agent to leave their cell
    late: int
    occupancy: memoryview
    credit: int  # the part of a move that the target has saved up, in units of 1 / target.per

    def __init__(
        self,
        space: Space,
        sensor: str | Sensor = "adjacent",
        known: str | Space = "nothing",
        changes: Iterable[Change] | Reaction | None = None,
        target: Target | Iterable[Any] | None = None,
    ) -> None:
        refuse_unmade(space)
        self.refuse_initialized()
        self._describe(space, sensor, known, changes, target)
        if self.target is not None:
            self._start_of_target(space)  # refuses cells that are not there
        self._set_up(apart=False)
        self.is_initialized = True

    def _describe(self, space: Space, sensor: Any, known: Any, changes: Any, target: Any) -> None:
        """Take over what the world is to be, checked."""
        self.space, self.sensor, self.known = space, sensor, known
        self.busy, self.touched = False, self.space.touched()
        self.reaction = changes if callable(changes) else None
        self.happened = []
        self.meddled: list[int] = []  # places that were changed by somebody who watches
        self.changes, when, what, value = compile_changes(None if callable(changes) else changes, space)
        self.when, self.what, self.value = view(when), view(what), view(value)
        self.scripted = sorted(set(what.tolist()))  # the places that will change
        self.postponed = empty(len(when) + 1, np.int32)
        self.time = self.due = self.late = self.credit = 0
        self.target, self.target_at = target_for(target), -1
        self.usual_target = self.target
        self.watched, self.apart, self.trips = False, False, 0
        self.crowded = False  # True: a crowd walks here, and `occupancy[s]` of its characters stand on s
        if self.target is not None and not getattr(self.target, "per", 0):
            raise InputError(f"{type(self.target).__name__} has no speed: its __init__ must call Target.__init__")
        self.cells = space.cells
        self.known_free: Space | None = None
        self._refuse_odd_belief()

    def _start_of_target(self, space: Space) -> int:
        assert self.target is not None
        self.target.prepare(space)
        return whole(self.target, "begin", self.target.begin(space), 0, space.n - 1, "the state to start from")

    @property
    def changing(self) -> bool:
        """May the terrain change?"""
        return bool(self.changes) or self.reaction is not None

    def _refuse_odd_belief(self) -> None:
        if not isinstance(self.known, Space):
            if not isinstance(self.known, str) or self.known not in ("nothing", "everything"):
                raise InputError(f"known is 'nothing', 'everything' or a space, not {short(self.known)}")
        elif type(self.known) is not type(self.space) or self.known.n != self.space.n:
            raise InputError("the map that is known has another size or kind than the world")

    def _set_up(self, apart: bool) -> None:
        """Truth and belief are spaces of their own where they may change; `apart`: in any case."""
        # none until there are truth and belief: where that fails, the next trip sets all of it up
        self.eye = None  # type: ignore[assignment, unused-ignore]
        self.apart = apart
        self.truth = _twin(self.space, "copy") if self._truth_changes() else self.space
        # where nothing will ever be news, belief and truth are one
        self.belief = _twin(self.space, "copy") if self._belief_changes() else self.space
        self._open_eyes()

    def _truth_changes(self) -> bool:
        return self.changing or self.apart

    def _belief_changes(self) -> bool:
        return self._truth_changes() or not (self._sees_all() or self._known_as("everything"))

    def _open_eyes(self) -> None:
        self.eye = self.new_eye()
        self.everywhere = self.eye if isinstance(self.eye, Everywhere) else None
        self.still = not self._truth_changes() and self.target is None

    def new_eye(self) -> Eye:
        """An eye for whoever looks at this world."""
        eye, sure = eye_for(self.sensor, self.truth, self.belief), not self.apart  # who watches may change anything
        eye.reports, eye.steady = 0, sure and isinstance(self.sensor, Radius) and not self.sensor.line_of_sight
        # in a still world, does what is in view depend on the place alone?
        eye.by_place = sure and isinstance(eye, (AdjacentCells, AdjacentEdges, Circle, Everywhere))
        return eye

    def _known_as(self, word: str) -> bool:
        return isinstance(self.known, str) and self.known == word

    @property
    def all_in_view(self) -> bool:
        """Does the agent know all places from the start, by its sensor or otherwise?"""
        return self._sees_all() or not self._known_as("nothing")

    def _sees_all(self) -> bool:
        return isinstance(self.sensor, str) and self.sensor == "everything"

    def begin(self) -> Space:
        """Go back to step 0, and return what the agent believes then."""
        self._enter()
        try:
            return self._begin()
        finally:
            self._leave()

    def _begin(self, apart: bool = False) -> Space:
        """apart: truth and belief can be changed on this trip, by whoever watches it."""
        if self.eye is None or apart != self.apart:
            self._set_up(apart)
        self.trips += 1
        if self.belief is not self.space:
            self.belief.assign(self._first_belief())
        self._rewind()
        return self.belief

    def rewind(self) -> None:
        """Go back to step 0; the agent still believes what it has seen."""
        self._enter()
        try:
            self._rewind()
        finally:
            self._leave()

    def _follow(self, target: Any) -> None:
        """Whoever watches a trip lets its goal move like this from now on; None: the goal stays where it is."""
        before = self.target
        self.target = target
        try:
            self.target_at = -1 if target is None else self._start_of_target(self.truth)
        except BaseException:
            self.target = before
            raise
        self.credit = 0

    def _rewind(self) -> None:
        self.time, self.target = 0, self.usual_target
        self.due = self.late = self.credit = 0
        self.target_at = -1 if self.target is None else self._start_of_target(self.space)
        self.eye.forget()
        if self.everywhere is not None:
            happened = [key_to_place(self.space, change[1]) for change in self.happened]
            for place in [*self.scripted, *happened, *self.meddled]:
                self.everywhere.report(place)  # what happened on the last trip is undone
        self.happened, self.meddled = [], []
        if self.truth is not self.space:
            self.truth.assign(self.space)
        self.let_due(-1)

    def _first_belief(self) -> Space:
        if self._sees_all() or self._known_as("everything"):
            return self.space
        if self._known_as("nothing"):
            if self.known_free is None:
                self.known_free = _twin(self.space, "believed_free")
            return self.known_free
        assert isinstance(self.known, Space)
        return self.known

    def _enter(self) -> None:
        """A trip begins. One at a time: not from inside another, and not from two threads."""
        self._refuse_busy()
        self.busy = True

    def _leave(self) -> None:
        self.busy = False

    def _run(self, trip: Callable[[], Any]) -> Any:
        """Do this while nobody else may. (In Python, Ctrl-C could come between `_enter` and `try`.)"""
        self._enter()
        try:
            return trip()
        finally:
            self._leave()

    def _refuse_busy(self) -> None:
        self.check_initialized()
        if self.busy:
            raise RuntimeError("an agent is walking in this world, or it is being copied: make one for each thread")

    def tick(self, at: int) -> int:
        """One step of time passes while an agent is at `at`: what is due happens, the target moves."""
        self.time += 1
        kept = 0
        for k in range(self.late):  # cells that the agent kept open
            i = self.postponed[k]
            if not self.happen(i, at):
                self.postponed[kept] = i
                kept += 1
        self.late = kept
        self.let_due(at)
        if self.reaction is not None:
            with cython.gil:
                self.react(at)
        return 0 if self.target is None else self.move_target(self.target, at)

    def let_due(self, at: int) -> int:
        """What the script has for this step and before happens."""
        while self.due < len(self.when) and self.when[self.due] <= self.time:
            if self.late > 0:
                self.overtake(self.what[self.due])
            if not self.happen(self.due, at):
                self.postponed[self.late] = self.due
                self.late += 1
            self.due += 1
        return 0

    def overtake(self, place: int) -> int:
        """What still waits to happen to this place does not: a later change has come."""
        kept = 0
        for k in range(self.late):
            if self.what[self.postponed[k]] != place:
                self.postponed[kept] = self.postponed[k]
                kept += 1
        self.late = kept
        return 0

    def react(self, at: int) -> int:
        """The terrain answers the agent's step."""
        for cell, to in self._reactions(at):
            place = key_to_place(self.space, cell)
            value = value_of(to, place, self.truth)
            if self.put(place, value, at):
                self.happened.append((self.time, cell, to))
        return 0

    def _reactions(self, at: int) -> list[tuple[Any, Any]]:
        """What the user's function answers, checked."""
        assert self.reaction is not None
        answer = self.reaction(self.time, self.space.key(at))
        name = getattr(self.reaction, "__name__", type(self.reaction).__name__)
        try:
            listed = list(islice(() if answer is None else answer, MOST_REACTIONS + 1))
            if len(listed) <= MOST_REACTIONS:
                return [(cell, to) for cell, to in listed]
        except (TypeError, ValueError):
            raise InputError(f"changes: {name}() returned {answer!r}; it returns a list of (cell, to)") from None
        raise InputError(f"changes: {name}() returned more than {MOST_REACTIONS:,} changes for one step")

    def move_target(self, target: Target, at: int) -> int:
        """The target moves as far as its speed allows. One that the agent has caught does not."""
        self.credit += target.moves
        while self.credit >= target.per and self.target_at != at:
            self.credit -= target.per
            self.target_at = target.next_state(self.truth, self.target_at, at)
        return 0

    def happen(self, i: int, at: int) -> bool:
        """Change number i happens, if it can."""
        return self.put(self.what[i], self.value[i], at)

    def put(self, place: int, value: int, at: int) -> bool:
        """Change a place, unless that would wall somebody in who stands there."""
        if value == 0 and self.cells and (place == at or (self.crowded and self.occupancy[place] > 0)):
            return False
        self.eye.report(place)  # first: what has changed must not stay unseen
        self.truth.write(self.touched, place, value)
        if self.watched:
            self.log.add(place, 0, value)
        return True

    def log_to(self, log: Log, watched: bool) -> int:
        """Log the places that are changed from now on, or no longer."""
        self.log, self.watched = log, watched
        return 0

    def more_to_come(self) -> bool:
        """May waiting help? (A cell that waits for the agent to leave it does not.)"""
        if self.due < len(self.when) or self.reaction is not None:
            return True
        return self.target is not None and not self.target.at_rest()

    def may_open(self, states: list[int]) -> bool:
        """Does the script free one of these cells, or could the terrain?"""
        self.check_initialized()
        opened = np.asarray(self.what)[np.asarray(self.value) != 0]
        return self.reaction is not None or bool(np.isin(states, opened).any())

    # Saving: see `replan/saving.py` and `replan/guard.py`.

    def __reduce__(self) -> Any:
        """A copy as it is now, for `copy` and `pickle`."""
        with held(self):
            bag = Bag(self)
            self.carry(bag)
            bag.numbers("reported", self._reported(), 0, max(0, self.space.places - 1))
            changes = self.changes if self.reaction is None else self.reaction
            return reduced(self, (World, self.space, self.sensor, self.known, changes, self.target), bag)

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self._enter()
        try:
            with held(self.space, self.truth, self.belief):
                yield (self,)
        finally:
            self._leave()

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        space, sensor, known, changes, target = args
        refuse_unmade(space)
        self.refuse_initialized()
        self._describe(space, sensor, known, changes, target)
        self.truth = self.belief = space
        bag = Bag(self, fields)
        self.carry(bag)
        self._open_eyes()
        for place in bag.numbers("reported", (), 0, max(0, space.places - 1)).tolist():
            self.eye.report(place)
        self.is_initialized = True

    def _reported(self) -> Any:
        """The places that have changed since the eye last looked."""
        if self.eye is None:
            return ()
        if self.everywhere is not None:
            return self.everywhere.seen[: self.everywhere.news]
        return self.eye.reported[: self.eye.reports] if self.eye.reports > 0 else ()

    def carry(self, bag: Bag) -> None:
        self.apart = bag.truth("apart", self.apart)
        self.truth, self.belief = bag.part("truth", self.truth, Space), bag.part("belief", self.belief, Space)
        for name, mine in (("truth", self.truth), ("belief", self.belief)):
            refuse_unmade(mine)
            bag.require(mine.is_like(self.space), f"its {name} is of another size or kind")
        bag.require((self.truth is not self.space) == self._truth_changes(), "its truth is not its own")
        bag.require((self.belief is not self.space) == self._belief_changes(), "its belief is not its own")
        self.time = bag.whole("time", self.time, 0)
        self.target_at = bag.whole("target_at", self.target_at, -1, self.space.n - 1)
        self.happened = bag.part("happened", self.happened, list)
        self.due = bag.whole("due", self.due, 0, len(self.when))
        late = bag.numbers("postponed", self.postponed[: self.late], 0, max(0, self.due - 1))
        bag.require(len(np.unique(late)) == len(late) <= self.due, "more changes are postponed than were due")
        self.late = len(late)
        np.asarray(self.postponed)[: len(late)] = late
        self.credit = bag.whole("credit", min(self.credit, MOST_CREDIT), 0, MOST_CREDIT)

    def __copy__(self) -> World:
        """A world of its own with the same terrain, which no world changes."""
        self._refuse_busy()
        return twin(self, *self.space.kept_together(), self.known)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copied(self, memo)

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<World, not made yet>"
        changes = counted(len(self.changes), "change")
        return f"<World: {self.space!r}, sensor {self.sensor!r}, known {self.known!r}, {changes}>"


def _twin(space: Space, method: str) -> Space:
    """Another space of the same kind and size, as its `copy` or `believed_free` makes it."""
    twin: Space = getattr(space, method)()
    if twin is space or not space.is_like(twin):
        raise wrong_answer(space, method, f"{twin!r}; it returns another {type(space).__name__} of the same size")
    return twin


savable(World)
