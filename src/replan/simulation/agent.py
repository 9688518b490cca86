"""An agent: where it stands, what it believes, and which path it follows.

People drive it by the methods that come first; the compiled loop of a trip (`simulation/walk.py`) calls those below.
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
from replan.guard import held, holds
from replan.initialized import Initialized
from replan.limits import COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING
from replan.maps.files import PathLike
from replan.planners import saved_file
from replan.planners.base import Planner
from replan.planners.beginning import begin_checked
from replan.saving import Bag, deep_copied, reduced, twin
from replan.search.path import PlannedPath
from replan.simulation.snapshots import in_words
from replan.simulation.status import Status
from replan.spaces.goals import Goals
from replan.spaces.heuristics import estimated_steps
from replan.spaces.neighbours import Touched
from replan.spaces.news import News
from replan.spaces.observed import map_seen, plain_window, values_seen
from replan.spaces.plain import PlainSights
from replan.spaces.space import Space, key_to_state, refuse_unmade

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import ints

ANSWERS = (COMPLETE, PARTIAL, UNREACHABLE, WAITING)


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
    believed: Space
    goals: Goals
    at: int
    episodes: int
    answer: int  # of the last episode: COMPLETE, PARTIAL, UNREACHABLE or WAITING
    trip: int  # the planner's number of this trip: another one, and somebody else has taken it over
    time_ns: int  # of its own deadline, 0: the planner's
    heard: int  # the number of the next change of the belief to take in
    touched: Touched
    plain: PlainSights | None  # reads plain cells of the belief, if it has such a reader

    def __init__(
        self,
        planner: Planner | str,
        believed: Space,
        start: Any,
        goal: Any,
        deadline: float | Deadline | None = None,
        **options: Any,
    ) -> None:
        self.refuse_initialized()
        refuse_unmade(believed)
        from replan.planners.registry import made

        if deadline is not None and options.get("lookahead") is not None:
            options["deadline"], deadline = deadline, None  # both are to hold: the planner keeps them together
        planner = made(planner, options)
        self.settle(believed, Goals.of(believed, goal), key_to_state(believed, start))
        self.trip = begin_checked(planner, believed, self.goals)
        self.time_ns = 0 if deadline is None else planner.use(Deadline.of(deadline))[1]
        planner.get_ready(self.time_ns > 0)
        self.planned_path, self.planner = planner.planned_path, planner
        self.heard = self.believed.news.watch(self)
        self.is_initialized = True
        self.stand_free()

    def settle(self, believed: Space, goals: Goals, at: int) -> None:
        """Believe in this space from now on. The planner comes next."""
        self.believed, self.goals, self.at, self.cells = believed, goals, at, believed.cells
        self.touched = self.believed.touched()
        self.plain = believed.plain_sights()
        self.episodes, self.answer, self.reading = 0, PARTIAL, False

    def check(self) -> int:
        """Is this agent made, is its planner its own, and does nobody use it at this moment?"""
        self.check_initialized()
        self.refuse_other_use()
        if self.reading:
            self._refuse_reading()
        return 0

    def _refuse_reading(self) -> None:
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
        return self.believed.called(self.at)

    @property
    def status(self) -> Status:
        """How the agent is doing, as far as it knew when it last planned."""
        self.check()
        if self.arrived():
            return Status.ARRIVED
        if self.answer == UNREACHABLE:
            return Status.NO_WAY
        return Status.WAITING if self.answer == WAITING else Status.WALKING

    @property
    def goal(self) -> Any:
        """Where the agent is to go: a cell, or the set of them if there are several."""
        self.check_initialized()
        keys = self.believed.keys(self.goals.states)
        return keys[0] if len(keys) == 1 else set(keys)

    @property
    def path(self) -> list[Any]:
        """The cells that `plan` returned last, as far as they still lie ahead. Empty where a search is due."""
        self.check()
        return self.planned_path.keys(self.believed) if self.planned_path.next_state() >= 0 else []

    @property
    def remaining_cost(self) -> float:
        """What the way to the goal costs from here, in steps, as far as is known.

        It is the cost of `path` and, if that ends before the goal, the space's estimate from its end; 0 on arrival, and
        infinity when no way is known.
        """
        self.check()
        if self.arrived():
            return 0.0
        if self.answer == UNREACHABLE:
            return float("inf")
        end, cost = self.at, 0.0
        if self.planned_path.next_state() >= 0:
            end, cost = self.planned_path.end_state(), self.planned_path.cost(self.believed)
        return cost + estimated_steps(self.believed, self.goals, end)

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
        with held(self):
            planner = self.planner
            own = type(planner).snapshot is not Planner.snapshot  # of a planner that is written in Python
            return in_words(self.believed, planner.snapshot() if own else planner._shown())

    def __repr__(self) -> str:
        if not self.is_initialized:
            return "<Agent, not made yet>"
        if self.planner.trips != self.trip:
            return f"<Agent at {self.cell}, whose planner has been given to another one>"
        if self.planner.busy or self.reading:
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
        self.check()
        if self.plain is not None and type(cells) is list and (blocked is None) != (weights is None):
            news = self.take_plain(self.plain, cells, blocked if weights is None else weights, weights is not None)
            if news >= 0:
                return news
        places, values = values_seen(self.believed, cells, blocked, weights)
        return self.take_in(view(places), view(values))

    def observe_map(
        self,
        blocked: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        at: Any = None,
        seen: ArrayLike | None = None,
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
        self.check()
        window = plain_window(self.believed, blocked, weights, at, seen) if self.plain is not None else None
        if window is not None and self.plain is not None:
            return self.take_window(self.plain, view(window[0]), window[1], window[2])
        places, values = map_seen(self.believed, blocked, weights, at, seen)
        return self.take_in(view(places), view(values))

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
        self.check()
        if self.arrived():
            return []
        self.read(self.believed.news)
        self.stand_free()  # others that share the belief may have seen this agent as an obstacle
        if self.search_is_due():
            limit, time_ns = self.planner.limit, self.planner.time_ns
            if budget is None and self.time_ns > 0:
                limit, time_ns = INF, self.time_ns
            elif budget is not None:
                limit, time_ns = self.planner.use(budget)
            self.search(limit, time_ns)
            if self.answer == UNREACHABLE:
                return None
            if self.planned_path.next_state() < 0:
                return [self.cell]
        return self.planned_path.keys(self.believed)

    def get_ready(self) -> None:
        """Take all memory that searches may need now, so that none waits for it: for whoever gives `plan` a Deadline.

        On a map of 512 x 512 that takes some 10 ms. Without it the first calls of `plan` may take longer than they are
        allowed, by the time that the system needs to hand out what they touch for the first time.

        >>> import numpy as np, replan
        >>> agent = replan.Agent("RTAA*", replan.Grid(np.zeros((9, 9), bool)), (0, 0), (8, 8))
        >>> agent.get_ready()
        >>> path = agent.plan(replan.Deadline(1000))
        """
        self.check()
        self.planner.get_ready(True)

    def move(self, cell: Any, even_if_blocked: bool = False) -> None:
        """The agent stands on `cell` now: the next one of its path, or any other (it then searches anew).

        A cell that is believed to be blocked is refused, unless even_if_blocked: it is then known to be free.
        Raises InputError for what is no cell.
        """
        self.check()
        s = self.plain.state(cell) if self.plain is not None else -1
        if s < 0:
            s = key_to_state(self.believed, cell)
        if self.cells and s != self.at and not even_if_blocked and self.believed.read(s) == 0:
            raise InputError(
                f"{self.believed.key(s)} is believed to be blocked: observe that it is free before you move there, or "
                "mean it: move(cell, even_if_blocked=True)"
            )
        self.stand_on(s)
        self.stand_free()

    def restart(self, start: Any) -> None:
        """Stand at a cell again, with all that was seen and learned: the next trial. Raises InputError."""
        self.check()
        self.at = key_to_state(self.believed, start)
        self.planned_path.is_valid = False
        self.planner.carried = True
        self.stand_free()

    def retarget(self, goal: Any) -> None:
        """Walk to another goal, or set of goals, from now on. Raises InputError for one that is not on the map."""
        self.check()
        self.read(self.believed.news)
        self.set_goals(Goals.of(self.believed, goal))

    def catch_up(self) -> None:
        """Take in what others have changed in a belief that is shared. `plan` does so first of all.

        >>> import numpy as np, replan
        >>> fog = replan.Grid(np.zeros((2, 3), bool))
        >>> scout, other = (replan.Agent("D* Lite", fog, start, (0, 2)) for start in ((0, 0), (1, 0)))
        >>> scout.observe([(0, 1)], [True])
        1
        >>> other.catch_up()
        >>> other.overhear(), other.plan()
        (True, [(1, 1), (1, 2), (0, 2)])
        """
        self.check_initialized()
        if self.planner.trips == self.trip:
            if not holds(self.planner):
                self.planner._refuse_busy()
            self.read(self.believed.news)
        else:  # its planner has another trip by now
            self.heard = self.believed.news.end()

    def overhear(self) -> bool:
        """Changes are about to be forgotten: take them in now, unless a search or another thread is at work here."""
        self.check_initialized()
        if self.heard < self.believed.news.end():
            if self.planner.trips == self.trip and (self.planner.busy or self.reading):
                return False
            self.catch_up()
        return True

    # Searching, and walking.

    def arrived(self) -> bool:
        return self.goals.has(self.at)

    def search(self, limit: int, time_ns: int) -> int:
        """An episode, for whoever does not hold the planner yet."""
        done = False
        self.enter_planner()
        try:
            self.think(limit, time_ns)
            done = True
        finally:
            self.planner.leave(done)
        return 0

    def enter_planner(self) -> int:
        """Hold the planner for a search. Another thread may have begun a trip with it since the last check."""
        self.planner.enter()
        if self.planner.trips != self.trip:
            self.planner.leave(True)
            self._refuse_other_trip()
        return 0

    def _refuse_other_trip(self) -> None:
        raise RuntimeError(
            "the planner of this agent has been given to another one since: make one planner for each agent, as in "
            "[Agent(replan.planner('RTAA*'), ...) for ...]"
        )

    def think(self, limit: int, time_ns: int) -> int:
        """One episode of the planner; its answer."""
        self.planned_path.is_valid = False
        self.answer = self.planner.episode(self.at, limit, deadline_in(time_ns))
        self.episodes += 1
        if self.answer == COMPLETE or self.answer == PARTIAL:
            self.planned_path.follow(self.planner.moves)
        return self.answer

    def search_is_due(self) -> bool:
        """Is the path used up, or is the agent where it was after the last slice of a search that is not over?"""
        if self.planner.sliced and self.answer == PARTIAL and self.planned_path.position == self.planned_path.length:
            return True
        return self.planned_path.next_state() < 0

    def stand_on(self, s: int) -> int:
        """Stand on a state: the next one of the path, or any other."""
        if not self.planned_path.advance(s) and s != self.at:
            self.planned_path.is_valid = False
            self.planner.carried = True
        self.at = s
        return 0

    def advance_to(self, position: int) -> int:
        """Stand on the state at this position of the path."""
        self.planned_path.position = position
        self.at = self.planned_path.states[position]
        return 0

    def stand_free(self) -> int:
        """Where an agent stands nothing is blocked, whatever it believed."""
        if self.cells and self.believed.read(self.at) == 0:
            value = self.believed.value_if_free(self.at)
            self.believed.hold()
            try:
                self.refuse_other_use()
                self.accept(self.at, value)
            finally:
                self.believed.release()
        return 0

    def chase(self, state: int) -> None:
        """The target has moved to this state."""
        self.set_goals(Goals([state], self.believed.n))

    def set_goals(self, goals: Goals) -> None:
        busy = self.planner.busy
        self.planner.set_busy(False)  # a trip that is going on does this between searches
        try:
            self.planner.retarget(goals)
        finally:
            self.planner.set_busy(busy)
        self.planner.goals = self.goals = goals
        is_cheapest = self.answer == COMPLETE and self.planner.cheapest
        if not (is_cheapest and goals.single >= 0 and self.planned_path.end_at(goals.single)):
            self.planned_path.is_valid = False

    # What it is told, and what others have changed.

    def take_plain(self, plain: PlainSights, cells: list[Any], given: Any, weighing: bool) -> int:
        """Believe all of this, if it is plain: then how many are news, otherwise -1."""
        self.believed.hold()  # first of all: whoever believes something at this moment reads from these arrays
        try:
            self.refuse_other_use()
            if plain.read(cells, given, weighing):
                return self.accept_all(plain.places, plain.values, plain.count)
        finally:
            self.believed.release()
        return -1

    def take_window(self, plain: PlainSights, window: memoryview, cols: int, at: int) -> int:
        self.believed.hold()
        try:
            self.refuse_other_use()
            plain.compare(window, cols, at)
            return self.accept_all(plain.places, plain.values, plain.count)
        finally:
            self.believed.release()

    def take_in(self, places: memoryview, values: memoryview) -> int:
        """Believe all of this; how many are news?"""
        self.believed.hold()
        try:
            self.refuse_other_use()
            return self.accept_all(places, values, len(places))
        finally:
            self.believed.release()

    def refuse_other_use(self) -> int:
        """Raise RuntimeError if another agent or thread uses the planner: it is told of changes between searches."""
        if self.planner.trips != self.trip:
            self._refuse_other_trip()
        if self.planner.busy:
            self.planner._refuse_busy()
        return 0

    def accept_all(self, places: memoryview, values: memoryview, count: int) -> int:
        news, told = 0, False
        try:
            for i in range(count):
                news += self.believe(places[i], values[i])
            told = True
        finally:
            if not told:
                self.mark_dirty()
        return news

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value (0 blocked, else weight or cost). 1 if that is news."""
        news, told = 0, False
        try:
            news = self.believe(place, value)
            told = True
        finally:
            if not told:
                self.mark_dirty()
        return news

    def believe(self, place: int, value: int) -> int:
        """The same, where somebody else sees to it that a planner which raises begins anew."""
        old = self.believed.read(place)
        if old == value or (value == 0 and self.cells and place == self.at):
            return 0
        if self.heard < self.believed.news.before + self.believed.news.log.count:  # news.end(), without a call
            self.read(self.believed.news)
        self.change(place, value, value == 0 or (old != 0 and value > old))
        return 1

    def change(self, place: int, value: int, rise: bool) -> int:
        """Give a place of the belief another value, and tell the others and the planner."""
        shared = self.believed.news.sharing > 1
        if shared:
            with cython.gil:
                self.believed.news.reserve(self.touched)
        k = self.believed.write(self.touched, place, value)
        if shared:
            with cython.gil:
                self.believed.news.add(self.touched, k, rise)
            self.heard = self.believed.news.end()
        if k == 0:
            return 0
        if not rise or self.planner.eager:
            self.planned_path.is_valid = False
        if self.planner.trips != self.trip:  # Python code of others may have run since the last check
            with cython.gil:
                self._refuse_other_trip()
        told = ints(self.touched.entered) if self.planner.forward else ints(self.touched.state)
        if self.planner.changed(told, k, rise) != 0:
            self.planned_path.is_valid = False
        for i in range(k if self.planned_path.is_valid else 0):
            self.planned_path.check_step(self.believed, self.touched.state[i])
        return 0

    def mark_dirty(self) -> int:
        """An error, of a user's class, has come between: the planner knows a part of what has changed."""
        with cython.gil:
            self.planner.mark_dirty()
        return 0

    def read(self, news: News) -> int:
        """Take in what is new. Planners may run Python, and other threads with it: nobody else may come here then."""
        if self.reading:
            return 0
        self.reading, told = True, False
        try:
            self.take_news(news)
            told = True
        finally:
            self.reading = False
            if not told:
                self.mark_dirty()
        return 0

    def take_news(self, news: News) -> int:
        # where the path is shorter than the news, its own steps are looked at instead of all that have changed
        end = news.end()  # a planner that changes the belief when it hears of a change hears of that the next time
        path_is_shorter = end - self.heard > self.planned_path.position - self.planned_path.end
        along = self.planned_path.is_valid and path_is_shorter
        while self.heard < end:
            i = self.heard - news.before
            self.heard += 1
            self.notice(news.log.numbers[i], news.log.values[i], news.log.kinds[i] != 0, not along)
        if along:
            self.planned_path.check_rest(self.believed)
        return 0

    def notice(self, u: int, v: int, rise: bool, on_path: bool) -> int:
        """Steps from u, to v, cost more or less: tell the planner, and, if asked to, look whether the path is cut."""
        self.touched.state[0] = v if self.planner.forward else u
        cut = self.planner.changed(ints(self.touched.state), 1, rise) != 0
        if cut or not rise or self.planner.eager:  # a cheaper way may have opened
            self.planned_path.is_valid = False
        if on_path:
            self.planned_path.check_step(self.believed, u)
        return 0

    # Saving: see `replan/saving.py`, `planners/saved_file.py` and `replan/guard.py`.

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

    def carry(self, bag: Bag) -> None:
        used = bag.whole("used", self.planner.expansions)
        bag.require(used == self.planner.expansions, "its planner was used while it was saved")
        self.at = bag.whole("at", self.at, 0, self.believed.n - 1)
        self.trip = bag.whole("trip", self.trip, 0)
        self.time_ns = bag.whole("time_ns", self.time_ns, 0)
        self.episodes = bag.whole("episodes", self.episodes, 0)
        self.answer = bag.whole("answer", self.answer, min(ANSWERS), max(ANSWERS))
        follows = not self.planned_path.is_valid or self.planned_path.stands_on(self.at)
        bag.require(follows, "its path leads from elsewhere")

    def _hold(self) -> Iterator[tuple[Any, ...]]:
        self.check()
        with held(self.planner, self.believed):
            if self.reading:  # another thread has begun to while this one took the guard
                self._refuse_reading()
            yield (self,)

    def __reduce__(self) -> Any:
        """A copy that goes on as this agent would, with its planner and its belief, for `copy` and `pickle`."""
        with held(self):
            self.read(self.believed.news)
            bag = Bag(self)
            self.carry(bag)
            return reduced(self, (Agent, self.planner, self.believed, self.goals), bag)

    def __copy__(self) -> Agent:
        """An agent with a planner of its own that shares the belief of this one."""
        self.check()
        return twin(self, *self.believed.kept_together())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deep_copied(self, memo)

    def _restore(self, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> None:
        planner, believed, goals = args
        self.refuse_initialized()
        refuse_unmade(believed)
        if not isinstance(planner, Planner) or not isinstance(goals, Goals) or goals.n != believed.n:
            raise InputError("its planner or its goals are not there")
        mine = getattr(planner, "space", None) is believed
        if not mine:
            raise InputError("its planner searches another space than it believes in; save an agent, not its planner")
        self.settle(believed, goals, 0)
        self.trip, self.time_ns = 0, 0
        self.planned_path, self.planner = planner.planned_path, planner
        self.carry(Bag(self, fields))
        self.heard = self.believed.news.watch(self)
        self.is_initialized = True


saved_file.savable(Agent)
