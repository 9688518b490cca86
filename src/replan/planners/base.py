"""What a planner is: one search episode at a time, from where the agent stands. Each sets a path (`search/path.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from replan.budget import Budget
from replan.clock import deadline_in, now_ns
from replan.counts import Counting
from replan.errors import InputError
from replan.guard import held
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.log import Log
from replan.own import missing, path_answer, wrong_answer
from replan.queues.base import with_lists
from replan.saving import Bag, deep_copied, reduced, twin
from replan.search.path import PlannedPath
from replan.search.reachability import Reachability
from replan.search.state_table import ALL, Column, StateTable
from replan.spaces.goals import Goals
from replan.spaces.space import Space, key_to_place, refuse_changed, refuse_unmade

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints


Table = TypeVar("Table", bound=StateTable)


class Planner(Counting):
    """The contract of all planners: one episode at a time. `replan.planner` makes those of the package.

    `space` is what the agent believes. The planner searches it and does not own it. `expansions`, `percolations`,
    `h_increase` (ticks), `refreshes` (queued keys brought up to date), `intakes` (states whose changed costs were taken
    in) and `intake_ns` (the time that took) count since `begin`. `trips` counts the calls of `begin`: whoever uses a
    planner for a trip can tell whether somebody else has taken it over.

    A planner of your own derives from `Planner` in plain Python and defines `plan(state, budget)`:

    >>> import numpy as np, replan
    >>> class Eastwards(replan.Planner):
    ...     '''Walks to the right.'''
    ...     def plan(self, state, budget):
    ...         self.expansions += 1
    ...         return [state + 1]
    >>> world = replan.World(replan.Grid(np.zeros((1, 5), bool)))
    >>> trip = replan.simulate(world, Eastwards(), (0, 0), (0, 4))
    >>> trip.path, trip.expansions
    ([(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)], 4)

    It may also define `begin(space, goals)` (a trip begins; call `Planner.begin` first), `retarget(goals)` (the goal
    has moved: call `Planner.retarget`, too) and `notify(states, rise)` (costs have changed), and set a Trip's counts.

    Without an agent, by the numbers of states (`Agent` and `simulate` do all of this):

    >>> grid = replan.Grid(np.zeros((1, 5), bool))
    >>> rtaa = replan.planner("RTAA*", lookahead=2)
    >>> rtaa.begin(grid, replan.Agent("A*", grid, (0, 0), (0, 4)).goals)
    >>> rtaa.get_ready()
    >>> grid.keys(rtaa.plan(grid.state((0, 0)), None)), rtaa.expansions, rtaa.counted("percolations")
    ([(0, 1), (0, 2)], 2, 0)
    >>> rtaa.use(replan.Expansions(7)), rtaa.limit, rtaa.eager, rtaa.cheapest, rtaa.patient, rtaa.spec.slug
    ((7, 0), 2, False, False, True, 'rtaa')
    >>> grid.put(grid.place((0, 3)), 0)
    [12, 10, 11]
    >>> rtaa.notify([grid.state((0, 2)), grid.state((0, 3))], True)
    >>> int(rtaa.snapshot()["h"].max()) > 0
    True
    >>> rtaa.retarget(replan.Agent("A*", grid, (0, 0), (0, 1)).goals)
    """

    space: Space
    goals: Goals
    planned_path: PlannedPath
    trips: int
    spec: Any
    log: Log
    reachability: Reachability
    columns: tuple[Column, ...] = ()  # what it keeps of each state beside its searches
    serves_many = False  # may a crowd use it for one character after the other? See `can_serve_many`
    state_table: StateTable
    notice: bool
    limit: int
    time_ns: int
    moves: int

    def __init__(self) -> None:
        self.refuse_initialized()
        self.limit, self.time_ns, self.moves, self.spec, self.ready_for = INF, 0, INF, None, -1
        self.trips, self.busy, self.torn = 0, False, False
        self.planned_path = PlannedPath()
        self.carried = False  # was the agent put elsewhere than where its path leads?
        self.reachability = Reachability()
        self.notice = False  # does it detect, beside its searches, that no goal can be reached?
        self.parts: list[Planner] = []  # planners that this one is made of
        self.tables: list[StateTable] = []  # all that it keeps of states
        self.state_table = StateTable("states", tuple(type(self).columns))
        if self.state_table.columns:
            self.keep(self.state_table)
        self.checks_h = False  # refuse an h that is not consistent?
        self.watched = False  # does somebody want to know which states are expanded?
        self.whole_way = False  # does it search until a way is known, however long that takes?
        self.forward = False  # does `changed` tell it the states that changed steps enter, not those that they leave?
        self.eager = False  # does every change call for a new episode?
        self.sliced = False  # True: an episode goes on with the search of the last one, also while the agent waits
        self.cheapest = False  # are its paths cheapest presumed ones, so that their beginnings are, too?
        self.patient = True  # does it wait when no way is known, as long as the world has changes to come?
        self.is_initialized = True

    def keep(self, table: Table) -> Table:
        """A table of this planner: from now on it is reserved, prefaulted, saved and shown with it."""
        self.tables.append(table)
        return table

    def can_serve_many(self) -> bool:
        """True if a crowd can share it: between two searches it keeps nothing of states but what characters learn.

        >>> import replan
        >>> replan.planner("RTAA*", lookahead=9).can_serve_many(), replan.planner("D* Lite").can_serve_many()
        (True, False)
        """
        return bool(type(self).serves_many) and all(table.serves_many() for table in self.tables)

    # The life of a planner. What people may call is checked here; planners of the core override the hooks.

    def begin(self, space: Space, goals: Goals) -> None:
        """Prepare for a trip to these goals. Linear in the map the first time, nothing the next time."""
        self._be_made()
        self.set_out(space, goals, True)

    def _be_made(self) -> None:
        """A planner written in Python may have left out `__init__` of this class."""
        if not self.is_initialized and type(self).plan is not Planner.plan:
            Planner.__init__(self)
        self.check_initialized()

    def set_out(self, space: Space, goals: Goals, anew: bool) -> None:
        """Have all that a trip needs. anew: it begins; otherwise what is known of it is put back next."""
        refuse_unmade(space)
        if not isinstance(goals, Goals) or goals.n != space.n:
            raise InputError(f"goals are Goals of the same space, not {goals!r}")
        self._refuse_busy()
        self.busy = True  # what follows may run Python, and other threads with it: nobody else may begin or search then
        try:
            self.reserve_path(space.n)
            self.space, self.goals = space, goals
            self.listens = type(self).notify is not Planner.notify  # a planner written in Python may want to know
            self.planned_path.clear()
            self.planned_path.start_at_end(0)
            self.torn, self.trips = True, self.trips + 1  # torn until all of it is there
            self.start_counting()
            self.reachability.begin(space, self.notice)
            self.reserve_tables(space.n)
            if anew:
                self.begin_trip(space, goals)
            else:
                self.resume_trip(space, goals)
            self.torn = False
        finally:
            self.busy = False

    def reserve_path(self, n: int) -> None:
        """Hook: memory for the longest path on n states."""
        self.planned_path.reserve(n, n)

    def resume_trip(self, space: Space, goals: Goals) -> None:
        """Hook: the arrays of a trip for a planner that is loaded. h was looked at when the trip began."""
        check, self.checks_h = self.checks_h, False
        self.begin_trip(space, goals)
        self.checks_h = check

    def begin_trip(self, space: Space, goals: Goals) -> None:
        """Hook: what else a trip needs."""

    def get_ready(self, certainly: bool = False) -> None:
        """After `begin`, where there is a deadline or `certainly`: touches all memory once, so that none waits."""
        self._refuse_unbegun()
        if (certainly or self.time_ns > 0) and self.ready_for != self.space.n:
            self.prefault()

    def reserve_tables(self, n: int) -> None:
        for table in self.tables:
            table.reserve(n)
            table.clear()

    def prefault(self) -> None:
        """Have all memory at hand, so that no search waits for it."""
        self.planned_path.prefault()
        self.reachability.touch()
        for table in self.tables:
            table.prefault()
        for part in self.parts:
            if part.ready_for != self.space.n:  # a part that was loaded has seen to that itself
                part.prefault()
        self.ready_for = self.space.n

    def retarget(self, goals: Goals) -> None:
        """The goal has moved."""
        if getattr(self, "space", None) is None or not isinstance(goals, Goals) or goals.n != self.space.n:
            raise InputError(f"{type(self).__name__} can be sent to other Goals of its space once a trip has begun")
        self.refuse_goals(goals)
        self._refuse_busy()
        if not self.torn:  # otherwise the trip begins anew, with these goals
            self.busy = self.torn = True
            try:
                self.new_goals(goals)
                self.torn = False
            finally:
                self.busy = False
                if self.torn:
                    self.mark_dirty()
        self.goals = goals
        self.reachability.aim(goals)

    def refuse_goals(self, goals: Goals) -> None:
        """Hook: raise, before anything is changed, if it cannot head for these."""
        for part in self.parts:
            part.refuse_goals(goals)

    def new_goals(self, goals: Goals) -> None:
        """Hook: head for these from now on."""
        self.torn = False  # nothing was begun
        if type(self).retarget is not Planner.retarget:
            return  # one in Python that says what to do
        way_out = ": it could with a method retarget(goals)" if type(self).plan is not Planner.plan else ""
        raise InputError(f"{type(self).__name__} cannot follow a moving target{way_out}")

    def enter(self) -> int:
        """A search begins. One at a time: not from inside another of the same planner, and not from two threads."""
        if not cython.compiled or self.space is None or self.busy or self.torn or self.space.changing:
            self._make_fit()
        self.set_busy(True)
        self.space.searches += 1
        return 0

    def _make_fit(self) -> None:
        self._refuse_unbegun()
        self._refuse_busy()
        self.space._refuse_while_changed()
        if self.torn:  # an error has left its search half done
            trips = self.trips
            try:
                self.begin(self.space, self.goals)
            finally:
                if self.trips == trips + 1:  # it is the same trip, unless another thread has begun one since
                    self.trips = trips
            self._refuse_busy()  # it may have run Python, and with it another thread that searches now

    def leave(self, whole: bool) -> int:
        """The search has ended, or has been broken off by an error."""
        self.torn = False
        if not whole:
            self.mark_dirty()
        self.set_busy(False)
        self.space.searches -= 1
        return 0

    def mark_dirty(self) -> int:
        """An error has left its search half done, and perhaps those of its parts: all of them begin anew."""
        self.torn, self.planned_path.is_valid = True, False
        for part in self.parts:
            part.mark_dirty()
        return 0

    def set_busy(self, busy: bool) -> int:
        for part in self.parts:
            if busy:
                part._refuse_busy()  # it is being copied
        self.busy = busy
        for part in self.parts:
            part.set_busy(busy)
        return 0

    def log_to(self, log: Log, watched: bool) -> int:
        """Log the states that are expanded from now on, or no longer."""
        self.log, self.watched = log, watched
        for part in self.parts:
            part.log_to(log, watched)
        return 0

    def _refuse_unbegun(self) -> None:
        if getattr(self, "space", None) is None:
            name = type(self).__name__
            raise InputError(f"{name} has no trip yet: its begin() has not run, or has not called Planner.begin()")

    def _refuse_busy(self) -> None:
        if self.busy:
            raise RuntimeError(
                f"{type(self).__name__} is in the middle of a search, or being copied: it cannot be called from "
                "inside that, nor by another thread meanwhile; make one planner for each"
            )

    def use(self, budget: Budget | None) -> tuple[int, int]:
        """How many expansions (at least one) and ns a budget allows; for None, the planner's own."""
        if budget is None:
            return self.limit, self.time_ns
        limit, time_ns = Budget.check(budget).expansions, budget.nanoseconds
        if self.whole_way and (limit < INF or time_ns):
            name = self.spec.name if self.spec is not None else type(self).__name__
            raise InputError(f"{name} searches all the way and cannot keep a budget: take RTD*, or a real-time planner")
        return max(1, limit), time_ns

    def __repr__(self) -> str:
        spec = getattr(self, "spec", None)
        return f"<{type(self).__name__}>" if spec is None else f"<{spec.describe(self)}>"

    def plan(self, state: int, budget: Budget | None) -> list[int] | None:
        """One episode from `state`: the states to walk through, `state` not among them. None: no way is known."""
        limit, time_ns = self.use(budget)
        self._refuse_unbegun()
        at = self.space.checked_state(state)
        self.enter()
        whole = False
        try:
            self.carried = self.carried or (self.planned_path.position_of(at) < 0 and at != self.planned_path.states[0])
            self.planned_path.is_valid = False  # nobody follows what this returns
            status = self.episode(at, limit, deadline_in(time_ns))
            whole = True
        finally:
            self.leave(whole)
        if status == UNREACHABLE:
            return None
        return [] if status == WAITING else self.planned_path.later_states()

    def let_go(self) -> bool:
        """Forget the space, and keep the arrays for the next trip there. False from a planner that cannot."""
        return False

    def notify(self, states: list[int], rise: bool) -> None:
        """The costs of steps out of these states went up (rise) or down."""
        self._refuse_unbegun()
        self._refuse_busy()
        told = np.array([self.space.checked_state(s) for s in states], np.int32)
        if len(told) > 0:
            self.changed(ints(told), len(told), rise)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays of the search, one number a state, costs in ticks, -1 for none; `Agent.snapshot` has steps."""
        self._refuse_unbegun()
        with held(self):
            return self._arrays()

    def _arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """What its tables hold, of these states."""
        return {name: array for table in self.tables for name, array in table.shown(states).items()}

    def _shown(self) -> dict[str, np.ndarray[Any, Any]]:
        """For people: the arrays, and what the planner does not keep but works out from where the agent stands."""
        return self._arrays()

    def counted(self, name: str) -> int:
        """A count since `begin`, by its name; one that this planner does not keep is that of its parts together."""
        own = getattr(self, name, None)
        return sum(part.counted(name) for part in self.parts) if own is None else own

    # What the loop calls. A planner written in Python inherits these and is asked for its `plan`.

    def episode(self, at: int, limit: int, deadline: int) -> int:
        """Search from `at` within `limit` expansions and before the clock shows `deadline` (0: none); lay a trail."""
        with cython.gil:
            return self._python_episode(at, limit, deadline)

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        """The costs of steps out of told[:k] changed. Planners that search anew each time need not know.

        0, or 1 from a planner that knows its path to be cut beyond the trail that it laid.
        """
        if self.listens:
            with cython.gil:
                self.notify([told[i] for i in range(k)], rise)
        return 0

    def note_changes(self, states: memoryview, k: int, rise: bool) -> int:
        """What `changed` does for `reachability`: after a failed search only a cheaper step can open a way."""
        for i in range(0 if rise or self.reachability.failed_from < 0 else k):
            if self.met(states[i]):
                self.reachability.failed_from = -1
        return self.reachability.changed(states, k, rise)

    def met(self, s: int) -> bool:
        """Hook: may a cheaper step out of s open a way, after a search in vain? Not if that never came there."""
        return True

    def finds_no_way(self, at: int, expanded: int) -> bool:
        """After a bounded episode that has not come to a goal: is it known by now that there is no way?"""
        if not self.reachability.due(expanded):
            return False
        carried, self.carried = self.carried, False
        return self.reachability.work(self.goals, at, carried)

    def _python_episode(self, at: int, limit: int, deadline: int) -> int:
        if type(self).plan is Planner.plan:
            raise missing(self, "planner", "plan")
        path = self.plan(at, Budget(limit, max(1, deadline - now_ns()) if deadline else 0))
        if path is None:
            return UNREACHABLE
        path = path_answer(self, path, at, self.space.n)
        i = self.planned_path.set_path(self.space, path, at)
        if i > 0:
            states = [*reversed(path), at]
            raise wrong_answer(self, "plan", no_step(self.space, states[i], states[i - 1]))
        if not path:
            return WAITING
        return COMPLETE if self.goals.has(self.planned_path.states[0]) else PARTIAL

    # Saving: see `replan/saving.py` and `replan/guard.py`.

    def _hold(self) -> Iterator[list[Any]]:
        self._be_made()
        self._refuse_busy()
        self.set_busy(True)  # at once: what follows runs Python, and other threads with it
        try:
            space = getattr(self, "space", None)
            with held(*(() if space is None else (space,))):
                yield self.with_parts()
        finally:
            self.set_busy(False)

    def with_parts(self) -> list[Planner]:
        """This planner, and all that it is made of."""
        found = [self]
        for part in self.parts:
            found += part.with_parts()
        return found

    def __reduce__(self) -> Any:
        """A copy that goes on as this planner would, with all that was learned, for `copy` and `pickle`."""
        with held(self):
            if getattr(self, "space", None) is not None:
                self.space.news.inform(self)
            bag = Bag(self)
            self.carry(bag)
            return reduced(self, self.made_from(), bag)

    def __copy__(self) -> Any:
        """A planner of its own that searches the same space."""
        space = getattr(self, "space", None)
        return twin(self, *(self.space.kept_together() if space is not None else ()))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copied(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *with_lists(args))
        self.carry(Bag(self, fields))

    def made_from(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes such a planner, and its arguments."""
        return (Planner,)

    def carry(self, bag: Bag) -> None:
        self.limit, self.time_ns = bag.whole("limit", self.limit), bag.whole("time_ns", self.time_ns)
        bag.require(self.limit != 0, "it may expand nothing")
        self.moves, self.trips = bag.whole("moves", self.moves), bag.whole("trips", self.trips, 0, INF)
        self.eager, self.cheapest = bag.truth("eager", self.eager), bag.truth("cheapest", self.cheapest)
        used = bag.whole("used", sum(part.expansions for part in self.parts))
        bag.require(used == sum(part.expansions for part in self.parts), "a part of it was used while it was saved")
        self.patient, self.whole_way = bag.truth("patient", self.patient), bag.truth("whole_way", self.whole_way)
        self.spec, self.notice = bag.any("spec", self.spec), bag.truth("notice", self.notice)
        space = bag.part("space", getattr(self, "space", None), Space, type(None))
        if space is None:
            return
        refuse_changed(bag, space)
        trips, goals = self.trips, bag.part("goals", getattr(self, "goals", None), Goals)
        ready = bag.truth("ready", self.ready_for == space.n)
        if bag.loading:
            self.set_out(space, goals, False)
            self.trips = trips
            if ready:
                self.prefault()
                self.ready_for = space.n
        self.carry_counts(bag)
        self.torn = bag.truth("torn", self.torn)
        if not self.torn:
            self.carry_trip(bag)
            self.carry_tables(bag)

    def carry_trip(self, bag: Bag) -> None:
        """Hook: where the trip stands, and what was learned on it. First of all the path."""
        self.carried = bag.truth("carried", self.carried)
        self.reachability.carry(bag.inner("reachability"), self.space)
        self.planned_path.carry(bag.inner("path"), self.space.n)

    def carry_tables(self, bag: Bag) -> None:
        """All that is kept of states, after the rest of the trip."""
        for table in self.tables:
            table.carry(bag.inner(table.name))


def no_step(space: Space, u: int, v: int) -> str:
    """Why a path cannot step from u to v, as the end of an error message."""
    a, b = space.key(u), space.key(v)
    answer = f"a path that steps from {a!r} to {b!r}"
    try:
        if not space.cells:
            key_to_place(space, (a, b))  # raises if there is none
            return f"{answer}, an edge that is believed blocked"
        for s, key in ((v, b), (u, a)):
            if space.value_at(s) == 0:
                return f"{answer}, and {key!r} is believed blocked"
    except (InputError, NotImplementedError):
        return f"{answer}: there is no edge between them"
    return f"{answer}: no step leads there, because they are not adjacent or a wall or corner lies between them"
