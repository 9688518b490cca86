"""An agent: its position, its belief, and the path that it follows.

The methods for users come first. The loop of a trip (`simulation/trip_runner.py`) calls those below them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replan.arrays import view
from replan.budget import Budget, Deadline
from replan.clock import deadline_in
from replan.errors import InputError
from replan.initialized import Initialized
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.locking import holds_read_lock, read_lock
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.planners.base import Planner
from replan.planners.trip_start import start_trip
from replan.search.path import PlannedPath
from replan.serialization import Archive, copy_sharing, deep_copy, reduce_object
from replan.simulation.status import Status
from replan.simulation.user_units import to_user_units
from replan.spaces.change_log import ChangeLog
from replan.spaces.fast_observations import FastObservations
from replan.spaces.goals import Goals
from replan.spaces.heuristics import estimated_cost
from replan.spaces.neighbours import ChangedStates
from replan.spaces.observations import parse_bool_window, parse_map_observation, parse_observation
from replan.spaces.space import Space, check_space, key_to_state

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints

EPISODE_STATUSES = (COMPLETE, PARTIAL, UNREACHABLE, WAITING)


class Agent(Initialized):
    """An agent that plans, moves and observes.

    The program that uses it keeps the true map. The agent keeps its belief, and the path that it follows.

    Parameters
    ----------
    planner
        A planner, or the name of one. Each agent needs a planner of its own.
    belief
        The map that the agent believes in, which its observations change. Several agents may share it.
    start
        The cell on which the agent stands. On a graph, a node.
    goal
        A cell, or a set of cells: the agent then goes to the nearest one.
    deadline
        Time limit of a `plan()` in microseconds, unless the call has a budget. The memory for it is reserved now, as by
        `warm_up`. None: no time limit.
    **options
        Options of the planner if it is given by its name, such as lookahead=17. A lookahead holds beside a deadline.

    Raises
    ------
    InputError
        If a start, goal, deadline or option is not possible.

    Notes
    -----
    Attributes to read: `planner`, `belief`, `goals`, `state` (the number of the state on which the agent stands) and
    `episodes` (the number of searches).

    Examples
    --------
    The loop of a game or a robot that keeps the true map:

    >>> import numpy as np, replan
    >>> truth = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> agent = replan.Agent("Repeated Forward A*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (0, 2))
    >>> while path := agent.plan():
    ...     row, col = path[0]
    ...     if truth[row, col]:
    ...         changed_count = agent.observe([(row, col)], [True])
    ...     else:
    ...         agent.move((row, col))
    >>> agent.cell
    (0, 2)
    >>> agent.status, agent.planner_name, agent.episodes
    (<Status.ARRIVED: 'arrived'>, 'Repeated Forward A*', 3)
    >>> agent.retarget((0, 0))
    >>> path = agent.plan()
    >>> agent.goal, agent.path, round(agent.remaining_cost, 2)
    ((0, 0), [(1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)], 6.0)
    >>> agent.restart((2, 2))
    >>> agent.cell
    (2, 2)
    """

    planner: Planner
    planned_path: PlannedPath  # of the planner
    belief: Space
    goals: Goals
    state: int
    episodes: int
    episode_status: int  # of the last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING
    trip_number: int  # number of this trip in the planner; a larger one means that another agent uses the planner
    time_ns: int  # time limit of the agent; 0: that of the planner holds
    log_position: int  # number of the next entry of the belief's change log to apply
    changed: ChangedStates
    fast_observations: FastObservations | None  # reads cells given as plain tuples; None: the belief has no such reader

    def __init__(
        self,
        planner: Planner | str,
        belief: Space,
        start: Any,
        goal: Any,
        deadline: float | Deadline | None = None,
        **options: Any,
    ) -> None:
        self.check_not_initialized()
        check_space(belief)
        from replan.planners.registry import make_planner

        if deadline is not None and options.get("lookahead") is not None:
            options["deadline"], deadline = deadline, None  # the planner then keeps both limits
        planner = make_planner(planner, options)
        self.attach(belief, Goals.from_keys(belief, goal), key_to_state(belief, start))
        self.trip_number = start_trip(planner, belief, self.goals)
        self.time_ns = 0 if deadline is None else planner.budget_limits(Deadline._of(deadline))[1]
        planner.warm_up(self.time_ns > 0)
        self.planned_path, self.planner = planner.planned_path, planner
        self.log_position = self.belief.change_log.subscribe(self)
        self.is_initialized = True
        self.free_own_cell()

    def attach(self, belief: Space, goals: Goals, state: int) -> None:
        """Set the belief, the goals and the state. The caller sets the planner next."""
        self.belief, self.goals, self.state, self.locations_are_states = (
            belief,
            goals,
            state,
            belief.locations_are_states,
        )
        self.changed = self.belief.make_changed_states()
        self.fast_observations = belief.make_fast_observations()
        self.episodes, self.episode_status, self.is_syncing = 0, PARTIAL, False

    def check_usable(self) -> int:
        """Raise if the agent is not initialized, its planner was given away, or another thread uses it."""
        self.check_initialized()
        self.check_planner()
        if self.is_syncing:
            self._raise_syncing()
        return 0

    def _raise_syncing(self) -> None:
        raise RuntimeError("this agent is applying changes of its belief: it serves one thread at a time")

    @property
    def planner_name(self) -> str:
        """Name of the planner; for a planner of your own, the name of its class."""
        spec = getattr(self.planner, "spec", None)
        return spec.name if spec is not None else type(self.planner).__name__

    # Methods for users.

    @property
    def cell(self) -> Any:
        """Cell on which the agent stands."""
        self.check_initialized()
        return self.belief.unchecked_key(self.state)

    @property
    def status(self) -> Status:
        """Status of the agent after its last `plan()`."""
        self.check_usable()
        if self.is_at_goal():
            return Status.ARRIVED
        if self.episode_status == UNREACHABLE:
            return Status.UNREACHABLE
        return Status.WAITING if self.episode_status == WAITING else Status.WALKING

    @property
    def goal(self) -> Any:
        """Goal of the agent: a cell, or a set of cells if there are several."""
        self.check_initialized()
        keys = self.belief.keys(self.goals.states)
        return keys[0] if len(keys) == 1 else set(keys)

    @property
    def path(self) -> list[Any]:
        """Cells of the path that the agent follows, without its own cell. Empty if a search is due."""
        self.check_usable()
        return self.planned_path.keys(self.belief) if self.planned_path.next_state() >= 0 else []

    @property
    def remaining_cost(self) -> float:
        """Estimated cost from here to the goal, in straight steps.

        It is the cost of `path`, plus the estimate of the space from the end of the path to the goal. It is 0 at the
        goal, and infinite if the goal cannot be reached.
        """
        self.check_usable()
        if self.is_at_goal():
            return 0.0
        if self.episode_status == UNREACHABLE:
            return float("inf")
        end, cost = self.state, 0.0
        if self.planned_path.next_state() >= 0:
            end, cost = self.planned_path.end_state(), self.planned_path.cost(self.belief)
        return cost + estimated_cost(self.belief, self.goals, end)

    def snapshot(self) -> dict[str, np.ndarray[Any, Any]]:
        """Values of the planner's last search.

        Returns
        -------
        dict of str to ndarray
            Arrays of the shape of the grid; for a graph, in the order of its nodes. The planner decides which:

            - "g": cost from the start of the search (of a backward search: to the goal) in straight steps
            - "rhs": of D* Lite, g as it follows from the neighbours
            - "h": estimated cost of the rest, with all that was learned
            - "open": True for states in the open list; "closed": True for states expanded in this search
            - "parent": cell (row, col) from which the search came, (-1, -1) for none; of D* Lite, the next cell
              towards the goal. On a graph it is the number of a node, or -1.

            A cost is nan where there is none, and inf where no path is known. RTD* also has the values of its local
            search, as "local_...".

        Examples
        --------
        >>> import numpy as np, replan
        >>> agent = replan.Agent("A*", replan.Grid(np.zeros((1, 4), bool)), (0, 0), (0, 2))
        >>> path = agent.plan()
        >>> agent.snapshot()["g"]
        array([[ 0.,  1.,  2., nan]])
        """
        with read_lock(self):
            planner = self.planner
            is_overridden = type(planner).snapshot is not Planner.snapshot  # by a planner written in Python
            return to_user_units(self.belief, planner.snapshot() if is_overridden else planner._snapshot_arrays())

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Agent, not initialized>"
        if self.planner.trip_number != self.trip_number:
            return f"<Agent at {self.cell}, whose planner was given to another agent>"
        if self.planner.is_busy or self.is_syncing:
            return f"<Agent at {self.cell}, busy>"
        goal = self.goal if self.goals.count == 1 else f"one of {self.goals.count:,} goals"
        steps = self.planned_path.position - self.planned_path.end
        ahead = f", {steps:,} cells ahead" if self.planned_path.next_state() >= 0 else ""
        return f"<Agent at {self.cell}, to {goal} by {self.planner_name}: {self.status.value}{ahead}>"

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Tell the agent what was seen: cells that are blocked or free, or their weights.

        Parameters
        ----------
        cells
            A list of cells, or an array with a row and a column for each cell. On a graph, edges (u, v).
        blocked
            True for a blocked cell: a list, an array, or one value for all cells. A cell that is freed gets the weight
            that it had before it was blocked. Give either `blocked` or `weights`.
        weights
            Weight of each cell, 0 for a blocked one: a list, an array, or one value for all cells. On a graph, costs
            of the edges.

        Returns
        -------
        int
            Number of cells that the belief did not have so.

        Raises
        ------
        InputError
            If a cell is not on the map, or a value is not possible.

        Notes
        -----
        The agent does not believe that its own cell is blocked.

        Examples
        --------
        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (2, 2))
        >>> agent.observe([(1, 1), (0, 1)], [True, False])
        1
        >>> agent.observe(np.array([[1, 1], [2, 1]]), True)
        1
        """
        self.check_usable()
        if self.fast_observations is not None and type(cells) is list and (blocked is None) != (weights is None):
            changed_count = self.try_observe_list(
                self.fast_observations, cells, blocked if weights is None else weights, weights is not None
            )
            if changed_count >= 0:
                return changed_count
        locations, values = parse_observation(self.belief, cells, blocked, weights)
        return self.apply_observation(view(locations), view(values))

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        top_left: Any = None,
        seen_mask: ArrayLike | None = None,
    ) -> int:
        """Tell the agent what was seen of the whole map, or of a window of it.

        Parameters
        ----------
        blocked
            2-D array, True for a blocked cell. Give either `blocked` or `weights`.
        weights
            2-D array, the weight of each cell, 0 for a blocked one.
        top_left
            Cell (row, col) of the map at row 0 and column 0 of the window. None: the arrays show the whole map.
        seen_mask
            2-D array, True for the cells of the window that were really seen. The others are ignored.

        Returns
        -------
        int
            Number of cells that the belief did not have so.

        Raises
        ------
        InputError
            If the window reaches beyond the map, the shapes differ, or a value is not possible.

        Examples
        --------
        >>> import numpy as np, replan
        >>> agent = replan.Agent("D* Lite", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.observe_map(np.array([[0, 1], [0, 1], [1, 1]], bool), top_left=(3, 4))
        4
        """
        self.check_usable()
        window = (
            parse_bool_window(self.belief, blocked, weights, top_left, seen_mask)
            if self.fast_observations is not None
            else None
        )
        if window is not None and self.fast_observations is not None:
            return self.observe_window(self.fast_observations, view(window[0]), window[1], window[2])
        locations, values = parse_map_observation(self.belief, blocked, weights, top_left, seen_mask)
        return self.apply_observation(view(locations), view(values))

    def plan(self, budget: Budget | None = None) -> list[Any] | None:
        """Return the path ahead. Search first, if the path of the last search is used up or no longer valid.

        Parameters
        ----------
        budget
            Limit of a search, if one is due: `Expansions` or `Deadline`. None: the limits of the agent and its planner.

        Returns
        -------
        list of cells, or None
            The cells to walk through, without the agent's own. An empty list: the agent is at its goal. Its own cell
            alone: the agent has to wait. None: the goal cannot be reached, as far as is known. `status` says which.

        Raises
        ------
        InputError
            If the budget is none, or one that this planner cannot keep.

        Notes
        -----
        RTD*, TBA* and TBAA* divide one search among many calls. They continue it even if the agent has not moved since
        the last call.

        Examples
        --------
        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((1, 9), bool)), (0, 0), (0, 8))
        >>> agent.plan(replan.Expansions(3))
        [(0, 1), (0, 2), (0, 3)]
        >>> agent.move((0, 1))
        >>> agent.plan()
        [(0, 2), (0, 3)]
        """
        self.check_usable()
        if self.is_at_goal():
            return []
        self.read_changes(self.belief.change_log)
        self.free_own_cell()  # others that share the belief may have seen this agent as an obstacle
        if self.search_is_due():
            limit, time_ns = self.planner.expansion_limit, self.planner.time_limit_ns
            if budget is None and self.time_ns > 0:
                limit, time_ns = INF, self.time_ns
            elif budget is not None:
                limit, time_ns = self.planner.budget_limits(budget)
            self.search(limit, time_ns)
            if self.episode_status == UNREACHABLE:
                return None
            if self.planned_path.next_state() < 0:
                return [self.cell]
        return self.planned_path.keys(self.belief)

    def warm_up(self) -> None:
        """Reserve and prefault the memory of searches now.

        Call it once if you give `plan` a `Deadline`. Otherwise the first calls may exceed their limit, because the
        system provides memory when it is first used. On a map of 512 x 512 it takes some 10 ms.

        Examples
        --------
        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.warm_up()
        >>> path = agent.plan(replan.Deadline(1000))
        """
        self.check_usable()
        self.planner.warm_up(True)

    def move(self, cell: Any, even_if_blocked: bool = False) -> None:
        """Set the cell on which the agent stands.

        Parameters
        ----------
        cell
            The next cell of the path, or any other one: the agent then searches again.
        even_if_blocked
            True: `cell` is free although the belief says that it is blocked.

        Raises
        ------
        InputError
            If `cell` is no cell of the map, or is believed to be blocked.
        """
        self.check_usable()
        s = self.fast_observations.try_state(cell) if self.fast_observations is not None else -1
        if s < 0:
            s = key_to_state(self.belief, cell)
        if self.locations_are_states and s != self.state and not even_if_blocked and self.belief.read_value(s) == 0:
            raise InputError(
                f"{self.belief.key(s)} is believed to be blocked: observe that it is free before you move there, or "
                "use move(cell, even_if_blocked=True)"
            )
        self.set_position(s)
        self.free_own_cell()

    def restart(self, start: Any) -> None:
        """Put the agent on a cell for the next trial. It keeps its belief and what it has learned.

        Parameters
        ----------
        start
            The cell.

        Raises
        ------
        InputError
            If it is no cell of the map.
        """
        self.check_usable()
        self.state = key_to_state(self.belief, start)
        self.planned_path.is_valid = False
        self.planner.was_displaced = True
        self.free_own_cell()

    def retarget(self, goal: Any) -> None:
        """Set another goal.

        Parameters
        ----------
        goal
            A cell, or a set of cells.

        Raises
        ------
        InputError
            If a goal is not on the map.
        """
        self.check_usable()
        self.read_changes(self.belief.change_log)
        self.set_goals(Goals.from_keys(self.belief, goal))

    def sync(self) -> None:
        """Apply the changes that others have made in a shared belief. `plan` does so first.

        Examples
        --------
        >>> import numpy as np, replan
        >>> fog = replan.Grid(np.zeros((2, 3), bool))
        >>> scout, other = (replan.Agent("D* Lite", fog, start, (0, 2)) for start in ((0, 0), (1, 0)))
        >>> scout.observe([(0, 1)], [True])
        1
        >>> other.sync()
        >>> other.plan()
        [(1, 1), (1, 2), (0, 2)]
        """
        self.check_initialized()
        if self.planner.trip_number == self.trip_number:
            if not holds_read_lock(self.planner):
                self.planner._check_not_busy()
            self.read_changes(self.belief.change_log)
        else:  # its planner has another trip by now
            self.log_position = self.belief.change_log.end_number()

    def _on_external_change(self) -> bool:
        """Apply the changes before the log drops them. False if a search or another thread prevents it."""
        self.check_initialized()
        if self.log_position < self.belief.change_log.end_number():
            if self.planner.trip_number == self.trip_number and (self.planner.is_busy or self.is_syncing):
                return False
            self.sync()
        return True

    # Searching and moving.

    def is_at_goal(self) -> bool:
        """True if the agent stands on a goal."""
        return self.goals.is_goal(self.state)

    def search(self, limit: int, time_ns: int) -> int:
        """Run an episode. Marks the planner as busy."""
        done = False
        self.enter_planner()
        try:
            self.run_episode(limit, time_ns)
            done = True
        finally:
            self.planner.end_search(done)
        return 0

    def enter_planner(self) -> int:
        """Mark the planner as busy. Raise if another thread has begun a trip with it since the last check."""
        self.planner.begin_search()
        if self.planner.trip_number != self.trip_number:
            self.planner.end_search(True)
            self._raise_planner_taken()
        return 0

    def _raise_planner_taken(self) -> None:
        raise RuntimeError(
            "the planner of this agent was given to another agent: make one planner for each agent, as in "
            "[Agent(replan.planner('RTAA*'), ...) for ...]"
        )

    def run_episode(self, limit: int, time_ns: int) -> int:
        """Run one episode of the planner. Returns its status."""
        self.planned_path.is_valid = False
        self.episode_status = self.planner.run_episode(self.state, limit, deadline_in(time_ns))
        self.episodes += 1
        if self.episode_status == COMPLETE or self.episode_status == PARTIAL:
            self.planned_path.follow(self.planner.move_limit)
        return self.episode_status

    def search_is_due(self) -> bool:
        """True if the path is used up or not valid, or if a time-sliced search continues."""
        if (
            self.planner.is_time_sliced
            and self.episode_status == PARTIAL
            and self.planned_path.position == self.planned_path.length
        ):
            return True
        return self.planned_path.next_state() < 0

    def set_position(self, s: int) -> int:
        """Set the state on which the agent stands: the next one of the path, or any other."""
        if not self.planned_path.advance(s) and s != self.state:
            self.planned_path.is_valid = False
            self.planner.was_displaced = True
        self.state = s
        return 0

    def set_path_position(self, position: int) -> int:
        """Set the position of the agent on its path."""
        self.planned_path.position = position
        self.state = self.planned_path.states[position]
        return 0

    def free_own_cell(self) -> int:
        """Believe that the agent's own cell is free."""
        if self.locations_are_states and self.belief.read_value(self.state) == 0:
            value = self.belief.value_if_free(self.state)
            self.belief.begin_change()
            try:
                self.check_planner()
                self.accept(self.state, value)
            finally:
                self.belief.end_change()
        return 0

    def follow_target(self, state: int) -> None:
        """Set the goal to the state to which the target has moved."""
        self.set_goals(Goals([state], self.belief.n))

    def set_goals(self, goals: Goals) -> None:
        """Give the planner other goals. Keep the path if it is optimal and leads through the new goal."""
        busy = self.planner.is_busy
        self.planner.set_busy(False)  # a trip calls this between searches
        try:
            self.planner.retarget(goals)
        finally:
            self.planner.set_busy(busy)
        self.planner.goals = self.goals = goals
        is_cheapest = self.episode_status == COMPLETE and self.planner.is_optimal
        if not (is_cheapest and goals.single_state >= 0 and self.planned_path.shorten_to(goals.single_state)):
            self.planned_path.is_valid = False

    # Observations, and changes by others.

    def try_observe_list(self, reader: FastObservations, cells: list[Any], values: Any, is_weights: bool) -> int:
        """Observe a list of plain cells. Returns the number of changed cells; -1 if the list is not plain."""
        self.belief.begin_change()  # first: another thread may use the arrays of `plain` until now
        try:
            self.check_planner()
            if reader.try_parse(cells, values, is_weights):
                return self.accept_all(reader.locations, reader.values, reader.count)
        finally:
            self.belief.end_change()
        return -1

    def observe_window(self, reader: FastObservations, window: memoryview, cols: int, first_state: int) -> int:
        """Observe a window of the map whose first cell is `first_state`. Returns the number of changed cells."""
        self.belief.begin_change()
        try:
            self.check_planner()
            reader.compare_window(window, cols, first_state)
            return self.accept_all(reader.locations, reader.values, reader.count)
        finally:
            self.belief.end_change()

    def apply_observation(self, locations: memoryview, values: memoryview) -> int:
        """Set the values of locations in the belief. Returns how many have changed."""
        self.belief.begin_change()
        try:
            self.check_planner()
            return self.accept_all(locations, values, len(locations))
        finally:
            self.belief.end_change()

    def check_planner(self) -> int:
        """Raise RuntimeError if another agent or thread uses the planner."""
        if self.planner.trip_number != self.trip_number:
            self._raise_planner_taken()
        if self.planner.is_busy:
            self.planner._check_not_busy()
        return 0

    def accept_all(self, locations: memoryview, values: memoryview, count: int) -> int:
        """Set these values in the belief. Returns how many have changed. An error marks the planner as dirty."""
        changed_count, is_complete = 0, False
        try:
            for i in range(count):
                changed_count += self.accept_unguarded(locations[i], values[i])
            is_complete = True
        finally:
            if not is_complete:
                self.mark_dirty()
        return changed_count

    def accept(self, location: int, value: int) -> int:
        """Set the value of a location in the belief (0: blocked). Returns 1 if it has changed, else 0."""
        changed_count, is_complete = 0, False
        try:
            changed_count = self.accept_unguarded(location, value)
            is_complete = True
        finally:
            if not is_complete:
                self.mark_dirty()
        return changed_count

    def accept_unguarded(self, location: int, value: int) -> int:
        """Like `accept`, for callers that mark the planner as dirty after an error."""
        old = self.belief.read_value(location)
        if old == value or (value == 0 and self.locations_are_states and location == self.state):
            return 0
        # log_position < end_number(), without a call
        if self.log_position < self.belief.change_log.first_number + self.belief.change_log.log.count:
            self.read_changes(self.belief.change_log)
        self.change_belief(location, value, value == 0 or (old != 0 and value > old))
        return 1

    def change_belief(self, location: int, value: int, costs_increased: bool) -> int:
        """Set the value of a location, and notify the planner and the agents that share the belief."""
        is_shared = self.belief.change_log.subscriber_count > 1
        if is_shared:
            with cython.gil:
                self.belief.change_log.reserve(self.changed)
        count = self.belief.write_value(self.changed, location, value)
        if is_shared:
            with cython.gil:
                self.belief.change_log.add(self.changed, count, costs_increased)
            self.log_position = self.belief.change_log.end_number()
        if count == 0:
            return 0
        if not costs_increased or self.planner.replans_on_every_change:
            self.planned_path.is_valid = False
        if self.planner.trip_number != self.trip_number:  # Python code may have run since the last check
            with cython.gil:
                self._raise_planner_taken()
        states = ints(self.changed.entered) if self.planner.needs_entered_states else ints(self.changed.state)
        if self.planner.on_cost_changes(states, count, costs_increased) != 0:
            self.planned_path.is_valid = False
        for i in range(count if self.planned_path.is_valid else 0):
            self.planned_path.check_step(self.belief, self.changed.state[i])
        return 0

    def mark_dirty(self) -> int:
        """Mark the planner: after an error it knows only a part of the changes, and must begin again."""
        with cython.gil:
            self.planner.mark_dirty()
        return 0

    def read_changes(self, change_log: ChangeLog) -> int:
        """Apply the new entries of the change log. A nested call (planners may run Python code) does nothing."""
        if self.is_syncing:
            return 0
        self.is_syncing, is_complete = True, False
        try:
            self.apply_log(change_log)
            is_complete = True
        finally:
            self.is_syncing = False
            if not is_complete:
                self.mark_dirty()
        return 0

    def apply_log(self, change_log: ChangeLog) -> int:
        """Notify the planner of each new entry, and check the path."""
        end = change_log.end_number()  # entries that a planner adds while it is notified come the next time
        # a path that is shorter than the log is checked step by step, instead of once for each entry
        path_is_shorter = end - self.log_position > self.planned_path.position - self.planned_path.end
        checks_steps = self.planned_path.is_valid and path_is_shorter
        while self.log_position < end:
            i = self.log_position - change_log.first_number
            self.log_position += 1
            self.notify_planner(
                change_log.log.ids[i], change_log.log.values[i], change_log.log.kinds[i] != 0, not checks_steps
            )
        if checks_steps:
            self.planned_path.check_rest(self.belief)
        return 0

    def notify_planner(self, u: int, v: int, costs_increased: bool, checks_path: bool) -> int:
        """Notify the planner that the cost of steps from u, or to v, has changed. checks_path: check the path at u."""
        self.changed.state[0] = v if self.planner.needs_entered_states else u
        is_cut = self.planner.on_cost_changes(ints(self.changed.state), 1, costs_increased) != 0
        if is_cut or not costs_increased or self.planner.replans_on_every_change:  # a cheaper path may exist
            self.planned_path.is_valid = False
        if checks_path:
            self.planned_path.check_step(self.belief, u)
        return 0

    # Saving: see `replan/serialization.py`, `planners/saved_file.py` and `replan/locking.py`.

    def save(self, path: PathLike) -> None:
        """Write the agent to a file that `load` reads, with its planner and its belief.

        The file is for saved games that people share: to load it executes nothing. It holds parts of Replan only. For
        an agent with parts of your own, use `pickle`, and load only files of your own.

        Parameters
        ----------
        path
            The file. One that was there before is replaced when the new one is complete.

        Raises
        ------
        InputError
            If the file cannot be written, or a part is of your own: a planner, a rule, a queue, a heuristic or a space.
        RuntimeError
            If the agent is in the middle of a search.

        Examples
        --------
        >>> import numpy as np, pathlib, replan, tempfile
        >>> agent = replan.Agent("D* Lite", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.move(agent.plan()[0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     agent.save(pathlib.Path(folder, "guard.replan"))
        ...     loaded = replan.Agent.load(pathlib.Path(folder, "guard.replan"))
        >>> loaded.cell == agent.cell and loaded.plan() == agent.plan()
        True
        """
        saved_file.save(self, path)

    @classmethod
    def load(cls, path: PathLike) -> Agent:
        """Read an agent that `save` has written. It goes on as the saved one would.

        Parameters
        ----------
        path
            The file. It needs no trust: nothing in it is executed.

        Returns
        -------
        Agent
            The agent, with a belief of its own: `believed`.

        Raises
        ------
        InputError
            If the file cannot be read, is damaged, or holds something else.
        """
        return saved_file.load(path, Agent)

    def serialize(self, archive: Archive) -> None:
        used = archive.integer("used", self.planner.expansions)
        archive.require(used == self.planner.expansions, "its planner was used while it was saved")
        self.state = archive.integer("state", self.state, 0, self.belief.n - 1)
        self.trip_number = archive.integer("trip_number", self.trip_number, 0)
        self.time_ns = archive.integer("time_ns", self.time_ns, 0)
        self.episodes = archive.integer("episodes", self.episodes, 0)
        self.episode_status = archive.integer(
            "episode_status", self.episode_status, min(EPISODE_STATUSES), max(EPISODE_STATUSES)
        )
        follows = not self.planned_path.is_valid or self.planned_path.can_follow_from(self.state)
        archive.require(follows, "its path leads from elsewhere")

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self.check_usable()
        with read_lock(self.planner, self.belief):
            if self.is_syncing:  # another thread has begun to while this one took the guard
                self._raise_syncing()
            yield (self,)

    def __reduce__(self) -> Any:
        """A copy that goes on as this agent would, with its planner and its belief, for `copy` and `pickle`."""
        with read_lock(self):
            self.read_changes(self.belief.change_log)
            archive = Archive(self)
            self.serialize(archive)
            return reduce_object(self, (Agent, self.planner, self.belief, self.goals), archive)

    def __copy__(self) -> Agent:
        """An agent with a planner of its own that shares the belief of this one."""
        self.check_usable()
        return copy_sharing(self, *self.belief.shared_parts())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copy(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        planner, believed, goals = args
        self.check_not_initialized()
        check_space(believed)
        if not isinstance(planner, Planner) or not isinstance(goals, Goals) or goals.n != believed.n:
            raise InputError("its planner or its goals are not there")
        mine = getattr(planner, "space", None) is believed
        if not mine:
            raise InputError("its planner searches another space than it believes in; save an agent, not its planner")
        self.attach(believed, goals, 0)
        self.trip_number, self.time_ns = 0, 0
        self.planned_path, self.planner = planner.planned_path, planner
        self.serialize(Archive(self, fields))
        self.log_position = self.belief.change_log.subscribe(self)
        self.is_initialized = True


saved_file.register_savable(Agent)
