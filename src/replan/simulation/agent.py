"""An agent: where it stands, what it believes, and which path it follows.

People drive it by the methods that come first; the compiled loop of a trip (`simulation/trip_runner.py`) calls those below.
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
    """One agent on its way.

    planner: a planner or the name of one; each agent needs one of its own. believed: the space that the agent believes
    in; it changes as the agent observes, and may be shared with others that look as well. start, goal: cells (nodes of
    a graph); the goal may be a set. deadline: microseconds that a `plan()` may take unless it is given a budget; the
    memory for it is taken now (see `get_ready`). options: of the planner that is named, such as lookahead=17,
    which holds beside a deadline.

    Raises InputError for a start, goal, deadline or option that cannot be. What it holds: planner, believed, goals, at
    (the number of the state it stands on) and episodes (how many searches there were).

    This is the loop of a game or a robot that keeps the truth itself:

    >>> import numpy as np, replan
    >>> truth = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    >>> agent = replan.Agent("Repeated Forward A*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (0, 2))
    >>> while path := agent.plan():
    ...     row, col = path[0]
    ...     if truth[row, col]:
    ...         news = agent.observe([(row, col)], [True])
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
    trip_number: int  # the planner's number of this trip: another one, and somebody else has taken it over
    time_ns: int  # of its own deadline, 0: the planner's
    log_position: int  # the number of the next change of the belief to take in
    changed: ChangedStates
    fast_observations: FastObservations | None  # reads plain cells of the belief, if it has such a reader

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
            options["deadline"], deadline = deadline, None  # both are to hold: the planner keeps them together
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
        """Believe in this space from now on. The planner comes next."""
        self.belief, self.goals, self.state, self.locations_are_states = belief, goals, state, belief.locations_are_states
        self.changed = self.belief.make_changed_states()
        self.fast_observations = belief.plain_sights()
        self.episodes, self.episode_status, self.is_syncing = 0, PARTIAL, False

    def check_usable(self) -> int:
        """Is this agent made, is its planner its own, and does nobody use it at this moment?"""
        self.check_initialized()
        self.check_planner()
        if self.is_syncing:
            self._raise_syncing()
        return 0

    def _raise_syncing(self) -> None:
        raise RuntimeError("this agent is taking in what has changed: it serves one thread at a time")

    @property
    def planner_name(self) -> str:
        """The name of its planner; of one of your own, its class."""
        spec = getattr(self.planner, "spec", None)
        return spec.name if spec is not None else type(self.planner).__name__

    # For people.

    @property
    def cell(self) -> Any:
        """Where the agent stands."""
        self.check_initialized()
        return self.belief.unchecked_key(self.state)

    @property
    def status(self) -> Status:
        """How the agent is doing, as far as it knew when it last planned."""
        self.check_usable()
        if self.is_at_goal():
            return Status.ARRIVED
        if self.episode_status == UNREACHABLE:
            return Status.UNREACHABLE
        return Status.WAITING if self.episode_status == WAITING else Status.WALKING

    @property
    def goal(self) -> Any:
        """Where the agent is to go: a cell, or the set of them if there are several."""
        self.check_initialized()
        keys = self.belief.keys(self.goals.states)
        return keys[0] if len(keys) == 1 else set(keys)

    @property
    def path(self) -> list[Any]:
        """The cells that `plan` returned last, as far as they still lie ahead. Empty where a search is due."""
        self.check_usable()
        return self.planned_path.keys(self.belief) if self.planned_path.next_state() >= 0 else []

    @property
    def remaining_cost(self) -> float:
        """What the way to the goal costs from here, in steps, as far as is known.

        It is the cost of `path` and, if that ends before the goal, the space's estimate from its end; 0 on arrival, and
        infinity when no way is known.
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
        """What the planner's last search knows: arrays of the shape of the grid; on a graph, in the order of its nodes.

        Costs are in steps, nan where there is none and inf where there is no way:

        - "g": from where the search began (backwards: to the goal); "rhs" of D* Lite: g as the neighbours would have it
        - "h": the estimate of the rest of the way, with all that was learned

        True or False: "open": waiting to be expanded; "closed": expanded in this search. And cells:

        - "parent": the cell (row, col) that the search came from, (-1, -1) for none; of D* Lite the one that leads on
          towards the goal. On a graph it is the number of a node, or -1.

        Which of them there are depends on the planner; RTD* has those of its local search as "local_...", too.

        >>> import numpy as np, replan
        >>> agent = replan.Agent("A*", replan.Grid(np.zeros((1, 4), bool)), (0, 0), (0, 2))
        >>> path = agent.plan()
        >>> agent.snapshot()["g"]
        array([[ 0.,  1.,  2., nan]])
        """
        with read_lock(self):
            planner = self.planner
            own = type(planner).snapshot is not Planner.snapshot  # of a planner that is written in Python
            return to_user_units(self.belief, planner.snapshot() if own else planner._snapshot_arrays())

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Agent, not made yet>"
        if self.planner.trip_number != self.trip_number:
            return f"<Agent at {self.cell}, whose planner has been given to another one>"
        if self.planner.is_busy or self.is_syncing:
            return f"<Agent at {self.cell}, busy>"
        goal = self.goal if self.goals.count == 1 else f"one of {self.goals.count:,} goals"
        steps = self.planned_path.position - self.planned_path.end
        ahead = f", {steps:,} cells ahead" if self.planned_path.next_state() >= 0 else ""
        return f"<Agent at {self.cell}, to {goal} by {self.planner_name}: {self.status.value}{ahead}>"

    def observe(self, cells: Any, blocked: ArrayLike | None = None, weights: ArrayLike | None = None) -> int:
        """Say what was seen: for each cell whether it is blocked, or its weight (0: blocked). How much of it is news?

        cells: a list of cells, or an array with a row and a column for each. blocked, weights: a list or an array, or
        one for all of them. What is freed by blocked=False gets the weight that it had before it was blocked. On a
        graph cells are edges (u, v), and weights are their costs. What is known already costs nothing. That its own
        cell is blocked is not believed by an agent that stands there. Raises InputError for cells that are not on the
        map, and values that they cannot have.

        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (2, 2))
        >>> agent.observe([(1, 1), (0, 1)], [True, False])
        1
        >>> agent.observe(np.array([[1, 1], [2, 1]]), True)
        1
        """
        self.check_usable()
        if self.fast_observations is not None and type(cells) is list and (blocked is None) != (weights is None):
            news = self.try_observe_list(self.fast_observations, cells, blocked if weights is None else weights, weights is not None)
            if news >= 0:
                return news
        places, values = parse_observation(self.belief, cells, blocked, weights)
        return self.apply_observation(view(places), view(values))

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        top_left: Any = None,
        seen_mask: ArrayLike | None = None,
    ) -> int:
        """Say what was seen of a whole map, or of a window of it. How many cells of it are news?

        blocked: 2-D, True where a cell is blocked; or weights: 2-D, the weight of each cell (0: blocked). at: the cell
        (row, col) of the map that is the first one, row 0 and column 0, of the window; None: it is the whole map. seen:
        2-D, True for the cells of the window that were really seen; what it shows of the others is not believed. What
        is known already costs next to nothing. Raises InputError for a window that reaches beyond the map, for an array
        of another shape than the map where there is no `at`, and for values that cannot be.

        >>> import numpy as np, replan
        >>> agent = replan.Agent("D* Lite", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.observe_map(np.array([[0, 1], [0, 1], [1, 1]], bool), at=(3, 4))
        4
        """
        self.check_usable()
        window = parse_bool_window(self.belief, blocked, weights, top_left, seen_mask) if self.fast_observations is not None else None
        if window is not None and self.fast_observations is not None:
            return self.observe_window(self.fast_observations, view(window[0]), window[1], window[2])
        places, values = parse_map_observation(self.belief, blocked, weights, top_left, seen_mask)
        return self.apply_observation(view(places), view(values))

    def plan(self, budget: Budget | None = None) -> list[Any] | None:
        """The cells to walk through from here, this one not among them.

        Empty when the agent has arrived; its own cell alone when it has to wait (`status` says so); None when the goal
        cannot be reached, as far as is known. Searches only when the path of the last search is used up or no longer
        good. RTD*, TBA* and TBAA* share out one search over many calls: until it is over they go on with it, also where
        the agent has not moved since the last call.

        budget: expansions or time of a search, if one is due; None: as the planner and the agent were made. Raises
        InputError for what is no budget, or one that this planner cannot keep.

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
        """Take all memory that searches may need now, so that none waits for it: for whoever gives `plan` a Deadline.

        On a map of 512 x 512 that takes some 10 ms. Without it the first calls of `plan` may take longer than they are
        allowed, by the time that the system needs to hand out what they touch for the first time.

        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.warm_up()
        >>> path = agent.plan(replan.Deadline(1000))
        """
        self.check_usable()
        self.planner.warm_up(True)

    def move(self, cell: Any, even_if_blocked: bool = False) -> None:
        """The agent stands on `cell` now: the next one of its path, or any other (it then searches anew).

        A cell that is believed to be blocked is refused, unless even_if_blocked: it is then known to be free.
        Raises InputError for what is no cell.
        """
        self.check_usable()
        s = self.fast_observations.try_state(cell) if self.fast_observations is not None else -1
        if s < 0:
            s = key_to_state(self.belief, cell)
        if self.locations_are_states and s != self.state and not even_if_blocked and self.belief.read_value(s) == 0:
            raise InputError(
                f"{self.belief.key(s)} is believed to be blocked: observe that it is free before you move there, or "
                "mean it: move(cell, even_if_blocked=True)"
            )
        self.set_position(s)
        self.free_own_cell()

    def restart(self, start: Any) -> None:
        """Stand at a cell again, with all that was seen and learned: the next trial. Raises InputError."""
        self.check_usable()
        self.state = key_to_state(self.belief, start)
        self.planned_path.is_valid = False
        self.planner.was_displaced = True
        self.free_own_cell()

    def retarget(self, goal: Any) -> None:
        """Walk to another goal, or set of goals, from now on. Raises InputError for one that is not on the map."""
        self.check_usable()
        self.read_changes(self.belief.change_log)
        self.set_goals(Goals.from_keys(self.belief, goal))

    def sync(self) -> None:
        """Take in what others have changed in a belief that is shared. `plan` does so first of all.

        >>> import numpy as np, replan
        >>> fog = replan.Grid(np.zeros((2, 3), bool))
        >>> scout, other = (replan.Agent("D* Lite", fog, start, (0, 2)) for start in ((0, 0), (1, 0)))
        >>> scout.observe([(0, 1)], [True])
        1
        >>> other.sync()
        >>> other.on_external_change(), other.plan()
        (True, [(1, 1), (1, 2), (0, 2)])
        """
        self.check_initialized()
        if self.planner.trip_number == self.trip_number:
            if not holds_read_lock(self.planner):
                self.planner._check_not_busy()
            self.read_changes(self.belief.change_log)
        else:  # its planner has another trip by now
            self.log_position = self.belief.change_log.end_number()

    def on_external_change(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a search or another thread is at work here."""
        self.check_initialized()
        if self.log_position < self.belief.change_log.end_number():
            if self.planner.trip_number == self.trip_number and (self.planner.is_busy or self.is_syncing):
                return False
            self.sync()
        return True

    # Searching, and walking.

    def is_at_goal(self) -> bool:
        return self.goals.is_goal(self.state)

    def search(self, limit: int, time_ns: int) -> int:
        """An episode, for whoever does not hold the planner yet."""
        done = False
        self.enter_planner()
        try:
            self.run_episode(limit, time_ns)
            done = True
        finally:
            self.planner.end_search(done)
        return 0

    def enter_planner(self) -> int:
        """Hold the planner for a search. Another thread may have begun a trip with it since the last check."""
        self.planner.begin_search()
        if self.planner.trip_number != self.trip_number:
            self.planner.end_search(True)
            self._raise_planner_taken()
        return 0

    def _raise_planner_taken(self) -> None:
        raise RuntimeError(
            "the planner of this agent has been given to another one since: make one planner for each agent, as in "
            "[Agent(replan.planner('RTAA*'), ...) for ...]"
        )

    def run_episode(self, limit: int, time_ns: int) -> int:
        """One episode of the planner; its answer."""
        self.planned_path.is_valid = False
        self.episode_status = self.planner.run_episode(self.state, limit, deadline_in(time_ns))
        self.episodes += 1
        if self.episode_status == COMPLETE or self.episode_status == PARTIAL:
            self.planned_path.follow(self.planner.move_limit)
        return self.episode_status

    def search_is_due(self) -> bool:
        """Is the path used up, or is the agent where it was after the last slice of a search that is not over?"""
        if self.planner.is_time_sliced and self.episode_status == PARTIAL and self.planned_path.position == self.planned_path.length:
            return True
        return self.planned_path.next_state() < 0

    def set_position(self, s: int) -> int:
        """Stand on a state: the next one of the path, or any other."""
        if not self.planned_path.advance(s) and s != self.state:
            self.planned_path.is_valid = False
            self.planner.was_displaced = True
        self.state = s
        return 0

    def set_path_position(self, position: int) -> int:
        """Stand on the state at this position of the path."""
        self.planned_path.position = position
        self.state = self.planned_path.states[position]
        return 0

    def free_own_cell(self) -> int:
        """Where an agent stands nothing is blocked, whatever it believed."""
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
        """The target has moved to this state."""
        self.set_goals(Goals([state], self.belief.n))

    def set_goals(self, goals: Goals) -> None:
        busy = self.planner.is_busy
        self.planner.set_busy(False)  # a trip that is going on does this between searches
        try:
            self.planner.retarget(goals)
        finally:
            self.planner.set_busy(busy)
        self.planner.goals = self.goals = goals
        is_cheapest = self.episode_status == COMPLETE and self.planner.is_optimal
        if not (is_cheapest and goals.single_state >= 0 and self.planned_path.shorten_to(goals.single_state)):
            self.planned_path.is_valid = False

    # What it is told, and what others have changed.

    def try_observe_list(self, plain: FastObservations, cells: list[Any], given: Any, is_weights: bool) -> int:
        """Believe all of this, if it is plain: then how many are news, otherwise -1."""
        self.belief.begin_change()  # first of all: whoever believes something at this moment reads from these arrays
        try:
            self.check_planner()
            if plain.try_parse(cells, given, is_weights):
                return self.accept_all(plain.locations, plain.values, plain.count)
        finally:
            self.belief.end_change()
        return -1

    def observe_window(self, plain: FastObservations, window: memoryview, cols: int, at: int) -> int:
        self.belief.begin_change()
        try:
            self.check_planner()
            plain.compare_window(window, cols, at)
            return self.accept_all(plain.locations, plain.values, plain.count)
        finally:
            self.belief.end_change()

    def apply_observation(self, locations: memoryview, values: memoryview) -> int:
        """Believe all of this; how many are news?"""
        self.belief.begin_change()
        try:
            self.check_planner()
            return self.accept_all(locations, values, len(locations))
        finally:
            self.belief.end_change()

    def check_planner(self) -> int:
        """Raise RuntimeError if another agent or thread uses the planner: it is told of changes between searches."""
        if self.planner.trip_number != self.trip_number:
            self._raise_planner_taken()
        if self.planner.is_busy:
            self.planner._check_not_busy()
        return 0

    def accept_all(self, locations: memoryview, values: memoryview, count: int) -> int:
        news, told = 0, False
        try:
            for i in range(count):
                news += self.accept_unguarded(locations[i], values[i])
            told = True
        finally:
            if not told:
                self.mark_dirty()
        return news

    def accept(self, location: int, value: int) -> int:
        """Believe that a place has this value (0 blocked, else weight or cost). 1 if that is news."""
        news, told = 0, False
        try:
            news = self.accept_unguarded(location, value)
            told = True
        finally:
            if not told:
                self.mark_dirty()
        return news

    def accept_unguarded(self, location: int, value: int) -> int:
        """The same, where somebody else sees to it that a planner which raises begins anew."""
        old = self.belief.read_value(location)
        if old == value or (value == 0 and self.locations_are_states and location == self.state):
            return 0
        if self.log_position < self.belief.change_log.first_number + self.belief.change_log.log.count:  # news.end(), without a call
            self.read_changes(self.belief.change_log)
        self.change_belief(location, value, value == 0 or (old != 0 and value > old))
        return 1

    def change_belief(self, location: int, value: int, rise: bool) -> int:
        """Give a place of the belief another value, and tell the others and the planner."""
        shared = self.belief.change_log.subscriber_count > 1
        if shared:
            with cython.gil:
                self.belief.change_log.reserve(self.changed)
        k = self.belief.write_value(self.changed, location, value)
        if shared:
            with cython.gil:
                self.belief.change_log.add(self.changed, k, rise)
            self.log_position = self.belief.change_log.end_number()
        if k == 0:
            return 0
        if not rise or self.planner.replans_on_every_change:
            self.planned_path.is_valid = False
        if self.planner.trip_number != self.trip_number:  # Python code of others may have run since the last check
            with cython.gil:
                self._raise_planner_taken()
        told = ints(self.changed.entered) if self.planner.needs_entered_states else ints(self.changed.state)
        if self.planner.on_cost_changes(told, k, rise) != 0:
            self.planned_path.is_valid = False
        for i in range(k if self.planned_path.is_valid else 0):
            self.planned_path.check_step(self.belief, self.changed.state[i])
        return 0

    def mark_dirty(self) -> int:
        """An error, of a user's class, has come between: the planner knows a part of what has changed."""
        with cython.gil:
            self.planner.mark_dirty()
        return 0

    def read_changes(self, news: ChangeLog) -> int:
        """Take in what is new. Planners may run Python, and other threads with it: nobody else may come here then."""
        if self.is_syncing:
            return 0
        self.is_syncing, told = True, False
        try:
            self.apply_log(news)
            told = True
        finally:
            self.is_syncing = False
            if not told:
                self.mark_dirty()
        return 0

    def apply_log(self, news: ChangeLog) -> int:
        # where the path is shorter than the news, its own steps are looked at instead of all that have changed
        end = news.end_number()  # a planner that changes the belief when it hears of a change hears of that the next time
        path_is_shorter = end - self.log_position > self.planned_path.position - self.planned_path.end
        along = self.planned_path.is_valid and path_is_shorter
        while self.log_position < end:
            i = self.log_position - news.first_number
            self.log_position += 1
            self.notify_planner(news.log.ids[i], news.log.values[i], news.log.kinds[i] != 0, not along)
        if along:
            self.planned_path.check_rest(self.belief)
        return 0

    def notify_planner(self, u: int, v: int, rise: bool, checks_path: bool) -> int:
        """Steps from u, to v, cost more or less: tell the planner, and, if asked to, look whether the path is cut."""
        self.changed.state[0] = v if self.planner.needs_entered_states else u
        cut = self.planner.on_cost_changes(ints(self.changed.state), 1, rise) != 0
        if cut or not rise or self.planner.replans_on_every_change:  # a cheaper way may have opened
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

    def serialize(self, bag: Archive) -> None:
        used = bag.integer("used", self.planner.expansions)
        bag.require(used == self.planner.expansions, "its planner was used while it was saved")
        self.state = bag.integer("at", self.state, 0, self.belief.n - 1)
        self.trip_number = bag.integer("trip", self.trip_number, 0)
        self.time_ns = bag.integer("time_ns", self.time_ns, 0)
        self.episodes = bag.integer("episodes", self.episodes, 0)
        self.episode_status = bag.integer("answer", self.episode_status, min(EPISODE_STATUSES), max(EPISODE_STATUSES))
        follows = not self.planned_path.is_valid or self.planned_path.can_follow_from(self.state)
        bag.require(follows, "its path leads from elsewhere")

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
            bag = Archive(self)
            self.serialize(bag)
            return reduce_object(self, (Agent, self.planner, self.belief, self.goals), bag)

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
