"""What a planner is: one search episode at a time, from where the agent stands. Each sets a path (`search/path.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from replan.budget import Budget
from replan.clock import deadline_in, now_ns
from replan.counts import HasCounts
from replan.errors import InputError
from replan.extensions import bad_return_error, missing_method_error, returned_path
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.locking import read_lock
from replan.log import EventLog
from replan.queues.base import restore_open_lists
from replan.search.path import PlannedPath
from replan.search.reachability import Reachability
from replan.search.state_table import ALL, Column, StateTable
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.spaces.goals import Goals
from replan.spaces.space import Space, check_change_count, check_space, key_to_location

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints


Table = TypeVar("Table", bound=StateTable)


class Planner(HasCounts):
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
    >>> rtaa.warm_up()
    >>> grid.keys(rtaa.plan(grid.state((0, 0)), None)), rtaa.expansions, rtaa.counted("percolations")
    ([(0, 1), (0, 2)], 2, 0)
    >>> rtaa.use(replan.Expansions(7)), rtaa.limit, rtaa.replans_on_every_change, rtaa.is_optimal, rtaa.waits_for_changes, rtaa.spec.slug
    ((7, 0), 2, False, False, True, 'rtaa')
    >>> grid.set_value(grid.location((0, 3)), 0)
    [12, 10, 11]
    >>> rtaa.notify([grid.state((0, 2)), grid.state((0, 3))], True)
    >>> int(rtaa.snapshot()["h"].max()) > 0
    True
    >>> rtaa.retarget(replan.Agent("A*", grid, (0, 0), (0, 1)).goals)
    """

    space: Space
    goals: Goals
    planned_path: PlannedPath
    trip_number: int
    spec: Any
    log: EventLog
    _reachability: Reachability
    columns: tuple[Column, ...] = ()  # what it keeps of each state beside its searches
    is_shareable = False  # may a crowd use it for one character after the other? See `can_serve_many`
    state_table: StateTable
    detects_unreachable: bool
    expansion_limit: int
    time_limit_ns: int
    move_limit: int

    def __init__(self) -> None:
        self.check_not_initialized()
        self.expansion_limit, self.time_limit_ns, self.move_limit, self.spec, self.prefaulted_n = INF, 0, INF, None, -1
        self.trip_number, self.is_busy, self.is_dirty = 0, False, False
        self.planned_path = PlannedPath()
        self.was_displaced = False  # was the agent put elsewhere than where its path leads?
        self._reachability = Reachability()
        self.detects_unreachable = False  # does it detect, beside its searches, that no goal can be reached?
        self.parts: list[Planner] = []  # planners that this one is made of
        self.tables: list[StateTable] = []  # all that it keeps of states
        self.state_table = StateTable("states", tuple(type(self).columns))
        if self.state_table.columns:
            self.add_table(self.state_table)
        self.checks_h = False  # refuse an h that is not consistent?
        self.is_logging = False  # does somebody want to know which states are expanded?
        self.runs_to_completion = False  # does it search until a way is known, however long that takes?
        self.needs_entered_states = False  # does `changed` tell it the states that changed steps enter, not those that they leave?
        self.replans_on_every_change = False  # does every change call for a new episode?
        self.is_time_sliced = False  # True: an episode goes on with the search of the last one, also while the agent waits
        self.is_optimal = False  # are its paths cheapest presumed ones, so that their beginnings are, too?
        self.waits_for_changes = True  # does it wait when no way is known, as long as the world has changes to come?
        self.is_initialized = True

    def add_table(self, table: Table) -> Table:
        """A table of this planner: from now on it is reserved, prefaulted, saved and shown with it."""
        self.tables.append(table)
        return table

    def can_be_shared(self) -> bool:
        """True if a crowd can share it: between two searches it keeps nothing of states but what characters learn.

        >>> import replan
        >>> replan.planner("RTAA*", lookahead=9).can_be_shared(), replan.planner("D* Lite").can_be_shared()
        (True, False)
        """
        return bool(type(self).is_shareable) and all(table.is_shareable() for table in self.tables)

    # The life of a planner. What people may call is checked here; planners of the core override the hooks.

    def begin(self, space: Space, goals: Goals) -> None:
        """Prepare for a trip to these goals. Linear in the map the first time, nothing the next time."""
        self._ensure_initialized()
        self.prepare_trip(space, goals, True)

    def _ensure_initialized(self) -> None:
        """A planner written in Python may have left out `__init__` of this class."""
        if not self.is_initialized and type(self).plan is not Planner.plan:
            Planner.__init__(self)
        self.check_initialized()

    def prepare_trip(self, space: Space, goals: Goals, is_new: bool) -> None:
        """Have all that a trip needs. anew: it begins; otherwise what is known of it is put back next."""
        check_space(space)
        if not isinstance(goals, Goals) or goals.n != space.n:
            raise InputError(f"goals are Goals of the same space, not {goals!r}")
        self._check_not_busy()
        self.is_busy = True  # what follows may run Python, and other threads with it: nobody else may begin or search then
        try:
            self.reserve_path(space.n)
            self.space, self.goals = space, goals
            self.overrides_notify = type(self).notify is not Planner.notify  # a planner written in Python may want to know
            self.planned_path.clear()
            self.planned_path.set_last_state(0)
            self.is_dirty, self.trip_number = True, self.trip_number + 1  # torn until all of it is there
            self.start_counting()
            self._reachability.begin(space, self.detects_unreachable)
            self.reset_tables(space.n)
            if is_new:
                self.begin_trip(space, goals)
            else:
                self.restore_trip(space, goals)
            self.is_dirty = False
        finally:
            self.is_busy = False

    def reserve_path(self, n: int) -> None:
        """Hook: memory for the longest path on n states."""
        self.planned_path.reserve(n, n)

    def restore_trip(self, space: Space, goals: Goals) -> None:
        """Hook: the arrays of a trip for a planner that is loaded. h was looked at when the trip began."""
        check, self.checks_h = self.checks_h, False
        self.begin_trip(space, goals)
        self.checks_h = check

    def begin_trip(self, space: Space, goals: Goals) -> None:
        """Hook: what else a trip needs."""

    def warm_up(self, force: bool = False) -> None:
        """After `begin`, where there is a deadline or `certainly`: touches all memory once, so that none waits."""
        self._check_begun()
        if (force or self.time_limit_ns > 0) and self.prefaulted_n != self.space.n:
            self.prefault()

    def reset_tables(self, n: int) -> None:
        for table in self.tables:
            table.reserve(n)
            table.clear()

    def prefault(self) -> None:
        """Have all memory at hand, so that no search waits for it."""
        self.planned_path.prefault()
        self._reachability.prefault()
        for table in self.tables:
            table.prefault()
        for part in self.parts:
            if part.prefaulted_n != self.space.n:  # a part that was loaded has seen to that itself
                part.prefault()
        self.prefaulted_n = self.space.n

    def retarget(self, goals: Goals) -> None:
        """The goal has moved."""
        if getattr(self, "space", None) is None or not isinstance(goals, Goals) or goals.n != self.space.n:
            raise InputError(f"{type(self).__name__} can be sent to other Goals of its space once a trip has begun")
        self.check_goals(goals)
        self._check_not_busy()
        if not self.is_dirty:  # otherwise the trip begins anew, with these goals
            self.is_busy = self.is_dirty = True
            try:
                self.change_goals(goals)
                self.is_dirty = False
            finally:
                self.is_busy = False
                if self.is_dirty:
                    self.mark_dirty()
        self.goals = goals
        self._reachability.set_goals(goals)

    def check_goals(self, goals: Goals) -> None:
        """Hook: raise, before anything is changed, if it cannot head for these."""
        for part in self.parts:
            part.check_goals(goals)

    def change_goals(self, goals: Goals) -> None:
        """Hook: head for these from now on."""
        self.is_dirty = False  # nothing was begun
        if type(self).retarget is not Planner.retarget:
            return  # one in Python that says what to do
        way_out = ": it could with a method retarget(goals)" if type(self).plan is not Planner.plan else ""
        raise InputError(f"{type(self).__name__} cannot follow a moving target{way_out}")

    def begin_search(self) -> int:
        """A search begins. One at a time: not from inside another of the same planner, and not from two threads."""
        if not cython.compiled or self.space is None or self.is_busy or self.is_dirty or self.space.is_changing:
            self._ensure_ready()
        self.set_busy(True)
        self.space.active_searches += 1
        return 0

    def _ensure_ready(self) -> None:
        self._check_begun()
        self._check_not_busy()
        self.space._check_not_changing()
        if self.is_dirty:  # an error has left its search half done
            trips = self.trip_number
            try:
                self.begin(self.space, self.goals)
            finally:
                if self.trip_number == trips + 1:  # it is the same trip, unless another thread has begun one since
                    self.trip_number = trips
            self._check_not_busy()  # it may have run Python, and with it another thread that searches now

    def end_search(self, is_complete: bool) -> int:
        """The search has ended, or has been broken off by an error."""
        self.is_dirty = False
        if not is_complete:
            self.mark_dirty()
        self.set_busy(False)
        self.space.active_searches -= 1
        return 0

    def mark_dirty(self) -> int:
        """An error has left its search half done, and perhaps those of its parts: all of them begin anew."""
        self.is_dirty, self.planned_path.is_valid = True, False
        for part in self.parts:
            part.mark_dirty()
        return 0

    def set_busy(self, busy: bool) -> int:
        for part in self.parts:
            if busy:
                part._check_not_busy()  # it is being copied
        self.is_busy = busy
        for part in self.parts:
            part.set_busy(busy)
        return 0

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        """Log the states that are expanded from now on, or no longer."""
        self.log, self.is_logging = log, is_logging
        for part in self.parts:
            part.log_to(log, is_logging)
        return 0

    def _check_begun(self) -> None:
        if getattr(self, "space", None) is None:
            name = type(self).__name__
            raise InputError(f"{name} has no trip yet: its begin() has not run, or has not called Planner.begin()")

    def _check_not_busy(self) -> None:
        if self.is_busy:
            raise RuntimeError(
                f"{type(self).__name__} is in the middle of a search, or being copied: it cannot be called from "
                "inside that, nor by another thread meanwhile; make one planner for each"
            )

    def budget_limits(self, budget: Budget | None) -> tuple[int, int]:
        """How many expansions (at least one) and ns a budget allows; for None, the planner's own."""
        if budget is None:
            return self.expansion_limit, self.time_limit_ns
        limit, time_ns = Budget._checked(budget).expansions, budget.nanoseconds
        if self.runs_to_completion and (limit < INF or time_ns):
            name = self.spec.name if self.spec is not None else type(self).__name__
            raise InputError(f"{name} searches all the way and cannot keep a budget: take RTD*, or a real-time planner")
        return max(1, limit), time_ns

    def __repr__(self) -> str:
        spec = getattr(self, "spec", None)
        return f"<{type(self).__name__}>" if spec is None else f"<{spec.describe(self)}>"

    def plan(self, state: int, budget: Budget | None) -> list[int] | None:
        """One episode from `state`: the states to walk through, `state` not among them. None: no way is known."""
        limit, time_ns = self.budget_limits(budget)
        self._check_begun()
        at = self.space.checked_state(state)
        self.begin_search()
        whole = False
        try:
            self.was_displaced = self.was_displaced or (self.planned_path.position_of(at) < 0 and at != self.planned_path.states[0])
            self.planned_path.is_valid = False  # nobody follows what this returns
            status = self.run_episode(at, limit, deadline_in(time_ns))
            whole = True
        finally:
            self.end_search(whole)
        if status == UNREACHABLE:
            return None
        return [] if status == WAITING else self.planned_path.later_states()

    def release_space(self) -> bool:
        """Forget the space, and keep the arrays for the next trip there. False from a planner that cannot."""
        return False

    def notify(self, states: list[int], costs_increased: bool) -> None:
        """The costs of steps out of these states went up (rise) or down."""
        self._check_begun()
        self._check_not_busy()
        told = np.array([self.space.checked_state(s) for s in states], np.int32)
        if len(told) > 0:
            self.on_cost_changes(ints(told), len(told), costs_increased)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays of the search, one number a state, costs in ticks, -1 for none; `Agent.snapshot` has steps."""
        self._check_begun()
        with read_lock(self):
            return self._table_arrays()

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """What its tables hold, of these states."""
        return {name: array for table in self.tables for name, array in table.as_arrays(states).items()}

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """For people: the arrays, and what the planner does not keep but works out from where the agent stands."""
        return self._table_arrays()

    def count_of(self, name: str) -> int:
        """A count since `begin`, by its name; one that this planner does not keep is that of its parts together."""
        own = getattr(self, name, None)
        return sum(part.count_of(name) for part in self.parts) if own is None else own

    # What the loop calls. A planner written in Python inherits these and is asked for its `plan`.

    def run_episode(self, at: int, limit: int, deadline: int) -> int:
        """Search from `at` within `limit` expansions and before the clock shows `deadline` (0: none); lay a trail."""
        with cython.gil:
            return self._run_user_plan(at, limit, deadline)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """The costs of steps out of told[:k] changed. Planners that search anew each time need not know.

        0, or 1 from a planner that knows its path to be cut beyond the trail that it laid.
        """
        if self.overrides_notify:
            with cython.gil:
                self.notify([changed_states[i] for i in range(count)], costs_increased)
        return 0

    def update_reachability(self, states: memoryview, k: int, costs_increased: bool) -> int:
        """What `changed` does for `reachability`: after a failed search only a cheaper step can open a way."""
        for i in range(0 if costs_increased or self._reachability.failed_from < 0 else k):
            if self.is_generated(states[i]):
                self._reachability.failed_from = -1
        return self._reachability.on_cost_changes(states, k, costs_increased)

    def is_generated(self, s: int) -> bool:
        """Hook: may a cheaper step out of s open a way, after a search in vain? Not if that never came there."""
        return True

    def proves_unreachable(self, at: int, expanded: int) -> bool:
        """After a bounded episode that has not come to a goal: is it known by now that there is no way?"""
        if not self._reachability.is_due(expanded):
            return False
        carried, self.was_displaced = self.was_displaced, False
        return self._reachability.grow_pending(self.goals, at, carried)

    def _run_user_plan(self, at: int, limit: int, deadline: int) -> int:
        if type(self).plan is Planner.plan:
            raise missing_method_error(self, "planner", "plan")
        path = self.plan(at, Budget(limit, max(1, deadline - now_ns()) if deadline else 0))
        if path is None:
            return UNREACHABLE
        path = returned_path(self, path, at, self.space.n)
        i = self.planned_path.set_path(self.space, path, at)
        if i > 0:
            states = [*reversed(path), at]
            raise bad_return_error(self, "plan", missing_step_message(self.space, states[i], states[i - 1]))
        if not path:
            return WAITING
        return COMPLETE if self.goals.is_goal(self.planned_path.states[0]) else PARTIAL

    # Saving: see `replan/serialization.py` and `replan/locking.py`.

    def _hold(self) -> Iterator[list[Any]]:
        self._ensure_initialized()
        self._check_not_busy()
        self.set_busy(True)  # at once: what follows runs Python, and other threads with it
        try:
            space = getattr(self, "space", None)
            with read_lock(*(() if space is None else (space,))):
                yield self.self_and_parts()
        finally:
            self.set_busy(False)

    def self_and_parts(self) -> list[Planner]:
        """This planner, and all that it is made of."""
        found = [self]
        for part in self.parts:
            found += part.self_and_parts()
        return found

    def __reduce__(self) -> Any:
        """A copy that goes on as this planner would, with all that was learned, for `copy` and `pickle`."""
        with read_lock(self):
            if getattr(self, "space", None) is not None:
                self.space.change_log.sync_planner(self)
            bag = Archive(self)
            self.serialize(bag)
            return reduce_object(self, self.constructor_args(), bag)

    def __copy__(self) -> Any:
        """A planner of its own that searches the same space."""
        space = getattr(self, "space", None)
        return copy_sharing(self, *(self.space.shared_parts() if space is not None else ()))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        kind.__init__(self, *restore_open_lists(args))
        self.serialize(Archive(self, fields))

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: the class whose `__init__` makes such a planner, and its arguments."""
        return (Planner,)

    def serialize(self, bag: Archive) -> None:
        self.expansion_limit, self.time_limit_ns = bag.integer("limit", self.expansion_limit), bag.integer("time_ns", self.time_limit_ns)
        bag.require(self.expansion_limit != 0, "it may expand nothing")
        self.move_limit, self.trip_number = bag.integer("moves", self.move_limit), bag.integer("trips", self.trip_number, 0, INF)
        self.replans_on_every_change, self.is_optimal = bag.boolean("eager", self.replans_on_every_change), bag.boolean("cheapest", self.is_optimal)
        used = bag.integer("used", sum(part.expansions for part in self.parts))
        bag.require(used == sum(part.expansions for part in self.parts), "a part of it was used while it was saved")
        self.waits_for_changes, self.runs_to_completion = bag.boolean("patient", self.waits_for_changes), bag.boolean("whole_way", self.runs_to_completion)
        self.spec, self.detects_unreachable = bag.value("spec", self.spec), bag.boolean("detect_unreachable", self.detects_unreachable)
        space = bag.instance("space", getattr(self, "space", None), Space, type(None))
        if space is None:
            return
        check_change_count(bag, space)
        trips, goals = self.trip_number, bag.instance("goals", getattr(self, "goals", None), Goals)
        ready = bag.boolean("ready", self.prefaulted_n == space.n)
        if bag.is_loading:
            self.prepare_trip(space, goals, False)
            self.trip_number = trips
            if ready:
                self.prefault()
                self.prefaulted_n = space.n
        self.serialize_counts(bag)
        self.is_dirty = bag.boolean("torn", self.is_dirty)
        if not self.is_dirty:
            self.serialize_trip(bag)
            self.serialize_tables(bag)

    def serialize_trip(self, bag: Archive) -> None:
        """Hook: where the trip stands, and what was learned on it. First of all the path."""
        self.was_displaced = bag.boolean("carried", self.was_displaced)
        self._reachability.serialize(bag.nested("reachability"), self.space)
        self.planned_path.serialize(bag.nested("path"), self.space.n)

    def serialize_tables(self, bag: Archive) -> None:
        """All that is kept of states, after the rest of the trip."""
        for table in self.tables:
            table.serialize(bag.nested(table.name))


def missing_step_message(space: Space, u: int, v: int) -> str:
    """Why a path cannot step from u to v, as the end of an error message."""
    a, b = space.key(u), space.key(v)
    answer = f"a path that steps from {a!r} to {b!r}"
    try:
        if not space.locations_are_states:
            key_to_location(space, (a, b))  # raises if there is none
            return f"{answer}, an edge that is believed blocked"
        for s, key in ((v, b), (u, a)):
            if space._checked_value_at(s) == 0:
                return f"{answer}, and {key!r} is believed blocked"
    except (InputError, NotImplementedError):
        return f"{answer}: there is no edge between them"
    return f"{answer}: no step leads there, because they are not adjacent or a wall or corner lies between them"
