"""The contract of all planners: one search episode at a time, from the state of the agent.

Each episode leaves a path in `planned_path` (`search/path.py`).
"""

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
    """Base class of all planners. `replan.planner` makes the planners of the package.

    A planner of your own derives from `Planner` in plain Python and defines `plan(state, budget)`. It may also define
    these methods, and set the counts below:

    - `begin(space, goals)`: a trip begins. Call `Planner.begin` first.
    - `retarget(goals)`: the goals have moved. Call `Planner.retarget`, too.
    - `notify(states, costs_increased)`: costs have changed.

    Attributes
    ----------
    space : Space
        What the agent believes. The planner searches it and does not own it.
    goals : Goals
        The goals of the trip.
    expansions : int
        States expanded since `begin`.
    percolations : int
        Levels that entries moved in a binary heap since `begin`.
    h_increase : int
        Sum of all increases of h-values since `begin`, in cost units.
    key_updates : int
        Queued keys that were brought up to date since `begin`.
    changed_state_count : int
        States whose changed costs were applied to the search since `begin`.
    apply_changes_ns : int
        Nanoseconds that this took.
    trip_number : int
        Number of calls of `begin`. If it differs from the number after your own call, other code has begun a trip.

    Examples
    --------
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

    A planner without an agent works on states (`Agent` and `simulate` do all of this):

    >>> grid = replan.Grid(np.zeros((1, 5), bool))
    >>> rtaa = replan.planner("RTAA*", lookahead=2)
    >>> rtaa.begin(grid, replan.Agent("A*", grid, (0, 0), (0, 4)).goals)
    >>> rtaa.warm_up()
    >>> grid.keys(rtaa.plan(grid.state((0, 0)), None)), rtaa.expansions, rtaa.count_of("percolations")
    ([(0, 1), (0, 2)], 2, 0)
    >>> rtaa.budget_limits(replan.Expansions(7)), rtaa.expansion_limit
    ((7, 0), 2)
    >>> rtaa.replans_on_every_change, rtaa.is_optimal, rtaa.waits_for_changes, rtaa.spec.slug
    (False, False, True, 'rtaa')
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
    columns: tuple[Column, ...] = ()  # the values that it stores for each state, beside its searches
    is_shareable = False  # True: a crowd may use it for one character after the other; see `can_be_shared`
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
        self.was_displaced = False  # True: the agent stands where its path does not lead
        self._reachability = Reachability()
        self.detects_unreachable = False  # True: it detects, beside its searches, that no goal can be reached
        self.parts: list[Planner] = []  # planners that this one is made of
        self.tables: list[StateTable] = []  # all values that it stores for states
        self.state_table = StateTable("states", tuple(type(self).columns))
        if self.state_table.columns:
            self.add_table(self.state_table)
        self.checks_h = False  # True: raise InputError for an h that is not consistent
        self.is_logging = False  # True: log the states that are expanded
        self.runs_to_completion = False  # True: search until a path is known, however long that takes
        # True: changed steps are reported by the state that they enter, not by their tail
        self.needs_entered_states = False
        self.replans_on_every_change = False  # True: every change starts a new episode
        # True: an episode goes on with the search of the last one, also while the agent waits
        self.is_time_sliced = False
        self.is_optimal = False  # True: its paths are cheapest presumed paths, and so are their prefixes
        self.waits_for_changes = True  # True: wait when no path is known, as long as the world has changes to come
        self.is_initialized = True

    def add_table(self, table: Table) -> Table:
        """Add a table of state values. From now on it is reserved, prefaulted, saved and shown with this planner."""
        self.tables.append(table)
        return table

    def can_be_shared(self) -> bool:
        """Tell whether a crowd can use this planner for all its characters.

        Returns
        -------
        bool
            True if the planner keeps nothing of states between two searches but the h-values that characters learn.

        Examples
        --------
        >>> import replan
        >>> replan.planner("RTAA*", lookahead=9).can_be_shared(), replan.planner("D* Lite").can_be_shared()
        (True, False)
        """
        return bool(type(self).is_shareable) and all(table.is_shareable() for table in self.tables)

    # The life cycle of a planner. Public methods check their arguments; planners of the core override the hooks.

    def begin(self, space: Space, goals: Goals) -> None:
        """Prepare for a trip to these goals.

        The first call for a map takes time in proportion to its size. Further calls for the same map do not.

        Parameters
        ----------
        space
            What the agent believes.
        goals
            Goals in that space.

        Raises
        ------
        InputError
            If the space or the goals are of the wrong type, or the goals belong to another space.
        RuntimeError
            If the planner is in the middle of a search.
        """
        self._ensure_initialized()
        self.prepare_trip(space, goals, True)

    def _ensure_initialized(self) -> None:
        """Call `Planner.__init__` if a user's class has left it out."""
        if not self.is_initialized and type(self).plan is not Planner.plan:
            Planner.__init__(self)
        self.check_initialized()

    def prepare_trip(self, space: Space, goals: Goals, is_new: bool) -> None:
        """Make everything that a trip needs. is_new: False if the caller restores a saved trip next."""
        check_space(space)
        if not isinstance(goals, Goals) or goals.n != space.n:
            raise InputError(f"goals are Goals of the same space, not {goals!r}")
        self._check_not_busy()
        self.is_busy = True  # what follows may run Python, and so another thread: it must not begin or search now
        try:
            self.reserve_path(space.n)
            self.space, self.goals = space, goals
            self.overrides_notify = type(self).notify is not Planner.notify
            self.planned_path.clear()
            self.planned_path.set_last_state(0)
            self.is_dirty, self.trip_number = True, self.trip_number + 1  # dirty until the trip is complete
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
        """Hook: reserve memory for the longest path on n states."""
        self.planned_path.reserve(n, n)

    def restore_trip(self, space: Space, goals: Goals) -> None:
        """Hook: make the arrays of a trip for a planner that is loaded. (h was checked when the trip began.)"""
        check, self.checks_h = self.checks_h, False
        self.begin_trip(space, goals)
        self.checks_h = check

    def begin_trip(self, space: Space, goals: Goals) -> None:
        """Hook: prepare what else a trip needs."""

    def warm_up(self, force: bool = False) -> None:
        """Touch all memory of the planner once, so that no search waits for page faults.

        Call it after `begin`. It does nothing for a planner without a deadline, unless `force` is true.

        Parameters
        ----------
        force
            Touch the memory of a planner without a deadline, too.

        Raises
        ------
        InputError
            If no trip has begun.
        """
        self._check_begun()
        if (force or self.time_limit_ns > 0) and self.prefaulted_n != self.space.n:
            self.prefault()

    def reset_tables(self, n: int) -> None:
        """Reserve and clear all tables for n states."""
        for table in self.tables:
            table.reserve(n)
            table.clear()

    def prefault(self) -> None:
        """Touch all memory once."""
        self.planned_path.prefault()
        self._reachability.prefault()
        for table in self.tables:
            table.prefault()
        for part in self.parts:
            if part.prefaulted_n != self.space.n:  # a part that was loaded has done so itself
                part.prefault()
        self.prefaulted_n = self.space.n

    def retarget(self, goals: Goals) -> None:
        """Search for other goals from now on.

        Parameters
        ----------
        goals
            The new goals, in the space of the trip.

        Raises
        ------
        InputError
            If no trip has begun, the goals belong to another space, or the planner cannot follow a moving target.
        RuntimeError
            If the planner is in the middle of a search.
        """
        if getattr(self, "space", None) is None or not isinstance(goals, Goals) or goals.n != self.space.n:
            raise InputError(f"{type(self).__name__} can be sent to other Goals of its space once a trip has begun")
        self.check_goals(goals)
        self._check_not_busy()
        if not self.is_dirty:  # otherwise the next search begins the trip again, with these goals
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
        """Hook: raise InputError, before anything is changed, if the planner cannot search for these goals."""
        for part in self.parts:
            part.check_goals(goals)

    def change_goals(self, goals: Goals) -> None:
        """Hook: search for these goals from now on."""
        self.is_dirty = False  # nothing has changed yet
        if type(self).retarget is not Planner.retarget:
            return  # a user's class that defines `retarget`
        hint = ": it could with a method retarget(goals)" if type(self).plan is not Planner.plan else ""
        raise InputError(f"{type(self).__name__} cannot follow a moving target{hint}")

    def begin_search(self) -> int:
        """Begin a search. A planner runs one search at a time: none inside another one, and none in a second thread."""
        if not cython.compiled or self.space is None or self.is_busy or self.is_dirty or self.space.is_changing:
            self._ensure_ready()
        self.set_busy(True)
        self.space.active_searches += 1
        return 0

    def _ensure_ready(self) -> None:
        """Raise if no search can begin now. After an error, begin the trip again."""
        self._check_begun()
        self._check_not_busy()
        self.space._check_not_changing()
        if self.is_dirty:  # an error has interrupted its last search
            trip_number = self.trip_number
            try:
                self.begin(self.space, self.goals)
            finally:
                if (
                    self.trip_number == trip_number + 1
                ):  # it is the same trip, unless another thread has begun one since
                    self.trip_number = trip_number
            self._check_not_busy()  # `begin` may have run Python, and so another thread that searches now

    def end_search(self, is_complete: bool) -> int:
        """End a search. is_complete: False if an error has interrupted it."""
        self.is_dirty = False
        if not is_complete:
            self.mark_dirty()
        self.set_busy(False)
        self.space.active_searches -= 1
        return 0

    def mark_dirty(self) -> int:
        """Mark this planner and its parts as interrupted by an error: their next search begins the trip again."""
        self.is_dirty, self.planned_path.is_valid = True, False
        for part in self.parts:
            part.mark_dirty()
        return 0

    def set_busy(self, busy: bool) -> int:
        """Set whether this planner and its parts are searching or being copied."""
        for part in self.parts:
            if busy:
                part._check_not_busy()  # it is being copied
        self.is_busy = busy
        for part in self.parts:
            part.set_busy(busy)
        return 0

    def log_to(self, log: EventLog, is_logging: bool) -> int:
        """Log the states that are expanded from now on, or stop logging them."""
        self.log, self.is_logging = log, is_logging
        for part in self.parts:
            part.log_to(log, is_logging)
        return 0

    def _check_begun(self) -> None:
        """Raise InputError if no trip has begun."""
        if getattr(self, "space", None) is None:
            name = type(self).__name__
            raise InputError(f"{name} has no trip yet: its begin() has not run, or has not called Planner.begin()")

    def _check_not_busy(self) -> None:
        """Raise RuntimeError if the planner is searching or being copied."""
        if self.is_busy:
            raise RuntimeError(
                f"{type(self).__name__} is in the middle of a search, or being copied: it cannot be called from "
                "inside that, nor by another thread meanwhile; make one planner for each"
            )

    def budget_limits(self, budget: Budget | None) -> tuple[int, int]:
        """Return the limits that a budget sets for an episode.

        Parameters
        ----------
        budget
            A budget, or None for the planner's own limits.

        Returns
        -------
        tuple of int
            The most expansions (at least 1) and the most nanoseconds (0: no limit).

        Raises
        ------
        InputError
            If the argument is no budget, or the planner cannot keep one.
        """
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
        """Run one episode and return its path.

        A planner of your own overrides this method.

        Parameters
        ----------
        state
            State of the agent, from 0 to `space.n` - 1.
        budget
            Limits of the episode, or None for the planner's own.

        Returns
        -------
        list of int or None
            The states to walk through, without `state`. An empty list means: wait. None means: no path is known.

        Raises
        ------
        InputError
            If no trip has begun, there is no such state, or the planner cannot keep a budget.
        RuntimeError
            If the planner is in the middle of a search.
        """
        limit, time_ns = self.budget_limits(budget)
        self._check_begun()
        agent_state = self.space.checked_state(state)
        self.begin_search()
        is_complete = False
        try:
            self.was_displaced = self.was_displaced or (
                self.planned_path.position_of(agent_state) < 0 and agent_state != self.planned_path.states[0]
            )
            self.planned_path.is_valid = False  # no agent follows the path that this returns
            status = self.run_episode(agent_state, limit, deadline_in(time_ns))
            is_complete = True
        finally:
            self.end_search(is_complete)
        if status == UNREACHABLE:
            return None
        return [] if status == WAITING else self.planned_path.later_states()

    def release_space(self) -> bool:
        """Forget the space, but keep the arrays for the next trip there. False if the planner cannot."""
        return False

    def notify(self, states: list[int], costs_increased: bool) -> None:
        """Tell the planner that costs have changed.

        A planner of your own may override this method. Planners that search from scratch each time need not.

        Parameters
        ----------
        states
            The states whose outgoing steps cost something else now.
        costs_increased
            True if these costs rose (or the steps are blocked), False if they fell.

        Raises
        ------
        InputError
            If no trip has begun, or there is no such state.
        RuntimeError
            If the planner is in the middle of a search.
        """
        self._check_begun()
        self._check_not_busy()
        changed_states = np.array([self.space.checked_state(s) for s in states], np.int32)
        if len(changed_states) > 0:
            self.on_cost_changes(ints(changed_states), len(changed_states), costs_increased)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the arrays of the search: one number for each state.

        Returns
        -------
        dict of str to numpy.ndarray
            Arrays by name, such as "g", "h" and "parent". Costs are in cost units (those of `Agent.snapshot` are in
            steps), -1 where there is no value.

        Raises
        ------
        InputError
            If no trip has begun.
        RuntimeError
            If the planner is in the middle of a search.
        """
        self._check_begun()
        with read_lock(self):
            return self._table_arrays()

    def _table_arrays(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        """Return the columns of all tables for these states."""
        return {name: array for table in self.tables for name, array in table.as_arrays(states).items()}

    def _snapshot_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return the arrays of a snapshot: the tables, and values that depend on the state of the agent."""
        return self._table_arrays()

    def count_of(self, name: str) -> int:
        """Return a count since `begin`, by its name.

        Parameters
        ----------
        name
            Name of a count, such as "expansions" or "percolations".

        Returns
        -------
        int
            The count. If this planner does not keep it, the sum of the counts of its parts.
        """
        count = getattr(self, name, None)
        return sum(part.count_of(name) for part in self.parts) if count is None else count

    # What the trip's loop calls. A planner written in Python inherits these; they call its `plan`.

    def run_episode(self, agent_state: int, limit: int, deadline: int) -> int:
        """Search from `agent_state` and set `planned_path`; return a status.

        limit: the most expansions. deadline: the clock value (`clock.now_ns`) at which to stop, 0 for none.
        """
        with cython.gil:
            return self._run_user_plan(agent_state, limit, deadline)

    def on_cost_changes(self, changed_states: memoryview, count: int, costs_increased: bool) -> int:
        """Apply that the costs of steps out of changed_states[:count] changed. The base class passes it on to `notify`.

        Return 0; or 1 if the planner knows that its path is blocked beyond the end of `planned_path`.
        """
        if self.overrides_notify:
            with cython.gil:
                self.notify([changed_states[i] for i in range(count)], costs_increased)
        return 0

    def update_reachability(self, states: memoryview, count: int, costs_increased: bool) -> int:
        """Tell the reachability test of changed costs. Part of `on_cost_changes`.

        After a failed search only a step that became cheaper can open a path.
        """
        for i in range(0 if costs_increased or self._reachability.failed_from < 0 else count):
            if self.is_generated(states[i]):
                self._reachability.failed_from = -1
        return self._reachability.on_cost_changes(states, count, costs_increased)

    def is_generated(self, s: int) -> bool:
        """Hook: False if the last failed search did not generate s, so that a cheaper step out of s opens no path."""
        return True

    def proves_unreachable(self, agent_state: int, expanded: int) -> bool:
        """True if, after a bounded episode that reached no goal, it is proved that no goal can be reached."""
        if not self._reachability.is_due(expanded):
            return False
        was_displaced, self.was_displaced = self.was_displaced, False
        return self._reachability.grow_pending(self.goals, agent_state, was_displaced)

    def _run_user_plan(self, agent_state: int, limit: int, deadline: int) -> int:
        """Run an episode by calling the user's `plan`, and check the path that it returns."""
        if type(self).plan is Planner.plan:
            raise missing_method_error(self, "planner", "plan")
        path = self.plan(agent_state, Budget(limit, max(1, deadline - now_ns()) if deadline else 0))
        if path is None:
            return UNREACHABLE
        path = returned_path(self, path, agent_state, self.space.n)
        i = self.planned_path.set_path(self.space, path, agent_state)
        if i > 0:
            states = [*reversed(path), agent_state]
            raise bad_return_error(self, "plan", missing_step_message(self.space, states[i], states[i - 1]))
        if not path:
            return WAITING
        return COMPLETE if self.goals.is_goal(self.planned_path.states[0]) else PARTIAL

    # Saving: see `replan/serialization.py` and `replan/locking.py`.

    def _hold(self) -> Iterator[list[Any]]:
        """Lock the planner, its parts and its space while it is saved or copied. Yield the planners."""
        self._ensure_initialized()
        self._check_not_busy()
        self.set_busy(True)  # now: what follows runs Python, and so other threads
        try:
            space = getattr(self, "space", None)
            with read_lock(*(() if space is None else (space,))):
                yield self.self_and_parts()
        finally:
            self.set_busy(False)

    def self_and_parts(self) -> list[Planner]:
        """Return this planner, its parts, and theirs."""
        planners = [self]
        for part in self.parts:
            planners += part.self_and_parts()
        return planners

    def __reduce__(self) -> Any:
        """Return what `copy` and `pickle` need. The copy continues with everything that this planner has learned."""
        with read_lock(self):
            if getattr(self, "space", None) is not None:
                self.space.change_log.sync_planner(self)
            archive = Archive(self)
            self.serialize(archive)
            return reduce_object(self, self.constructor_args(), archive)

    def __copy__(self) -> Any:
        """Return an independent planner that searches the same space."""
        space = getattr(self, "space", None)
        return copy_sharing(self, *(self.space.shared_parts() if space is not None else ()))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        """Make the planner from the arguments of its constructor and its saved fields."""
        kind.__init__(self, *restore_open_lists(args))
        self.serialize(Archive(self, fields))

    def constructor_args(self) -> tuple[Any, ...]:
        """Hook: return the class whose `__init__` makes such a planner, and its arguments."""
        return (Planner,)

    def serialize(self, archive: Archive) -> None:
        """Save or load all fields of the planner."""
        self.expansion_limit = archive.integer("expansion_limit", self.expansion_limit)
        self.time_limit_ns = archive.integer("time_limit_ns", self.time_limit_ns)
        archive.require(self.expansion_limit != 0, "it may expand nothing")
        self.move_limit = archive.integer("move_limit", self.move_limit)
        self.trip_number = archive.integer("trip_number", self.trip_number, 0, INF)
        self.replans_on_every_change = archive.boolean("replans_on_every_change", self.replans_on_every_change)
        self.is_optimal = archive.boolean("is_optimal", self.is_optimal)
        part_expansions = archive.integer("part_expansions", sum(part.expansions for part in self.parts))
        archive.require(
            part_expansions == sum(part.expansions for part in self.parts), "a part of it was used while it was saved"
        )
        self.waits_for_changes = archive.boolean("waits_for_changes", self.waits_for_changes)
        self.runs_to_completion = archive.boolean("runs_to_completion", self.runs_to_completion)
        self.spec = archive.value("spec", self.spec)
        self.detects_unreachable = archive.boolean("detect_unreachable", self.detects_unreachable)
        space = archive.instance("space", getattr(self, "space", None), Space, type(None))
        if space is None:
            return
        check_change_count(archive, space)
        trip_number, goals = self.trip_number, archive.instance("goals", getattr(self, "goals", None), Goals)
        is_prefaulted = archive.boolean("is_prefaulted", self.prefaulted_n == space.n)
        if archive.is_loading:
            self.prepare_trip(space, goals, False)
            self.trip_number = trip_number
            if is_prefaulted:
                self.prefault()
                self.prefaulted_n = space.n
        self.serialize_counts(archive)
        self.is_dirty = archive.boolean("is_dirty", self.is_dirty)
        if not self.is_dirty:
            self.serialize_trip(archive)
            self.serialize_tables(archive)

    def serialize_trip(self, archive: Archive) -> None:
        """Hook: save or load the state of the trip, the path first."""
        self.was_displaced = archive.boolean("was_displaced", self.was_displaced)
        self._reachability.serialize(archive.nested("reachability"), self.space)
        self.planned_path.serialize(archive.nested("path"), self.space.n)

    def serialize_tables(self, archive: Archive) -> None:
        """Save or load all tables, after the rest of the trip."""
        for table in self.tables:
            table.serialize(archive.nested(table.name))


def missing_step_message(space: Space, u: int, v: int) -> str:
    """Return why a path cannot step from u to v, as the end of an error message."""
    a, b = space.key(u), space.key(v)
    message = f"a path that steps from {a!r} to {b!r}"
    try:
        if not space.locations_are_states:
            key_to_location(space, (a, b))  # raises if there is no such edge
            return f"{message}, an edge that is believed blocked"
        for s, key in ((v, b), (u, a)):
            if space._checked_value_at(s) == 0:
                return f"{message}, and {key!r} is believed blocked"
    except (InputError, NotImplementedError):
        return f"{message}: there is no edge between them"
    return f"{message}: no step leads there, because they are not adjacent or a wall or corner lies between them"
