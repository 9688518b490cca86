"""An agent: what it believes, where it stands, and the part of its path that is still good.

This is the loop of a game or a robot that keeps the truth itself:

>>> import numpy as np, replan
>>> truth = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
>>> agent = replan.Agent("Repeated Forward A*", replan.Grid(np.zeros((3, 3), bool)), (0, 0), (0, 2))
>>> while path := agent.plan():
...     row, col = path[0]
...     if truth[row, col]:
...         agent.observe([(row, col)], [True])
...     else:
...         agent.move((row, col))
>>> agent.cell
(0, 2)

`simulate` makes the same calls, compiled from end to end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from replan.budget import Budget
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, PARTIAL, UNREACHABLE, WAITING
from replan.planners.base import Planner, begin_checked
from replan.saving import Bag, deep_copied, reduced, twin
from replan.simulation.status import Status
from replan.spaces.goals import Goals
from replan.spaces.observed import values_seen
from replan.spaces.space import Space, key_to_state, refuse_unmade

try:
    import cython
except ImportError:
    from replan import _cython as cython


ANSWERS = (COMPLETE, PARTIAL, UNREACHABLE, WAITING)


class Agent:
    """One agent on its way.

    planner: a planner or the name of one; each agent needs one of its own. believed: the space that the agent believes
    in; it changes as the agent observes, and may be shared with others that look as well. start, goal: cells (nodes of
    a graph); the goal may be a set.
    """

    planner: Planner
    believed: Space
    goals: Goals
    at: int
    episodes: int

    def __init__(self, planner: Planner | str, believed: Space, start: Any, goal: Any) -> None:
        if getattr(self, "planner", None) is not None:
            raise InputError("this agent has been made already: make another one")
        refuse_unmade(believed)
        if isinstance(planner, str):
            from replan.planners.registry import planner as make

            planner = make(planner)
        self.believed = believed
        self.touched = self.believed.touched()
        self.at = key_to_state(believed, start)
        self.goals = Goals.of(believed, goal)
        self.cells = believed.cells
        self.fresh, self.spot, self.stop, self.episodes, self.answer = False, 0, 0, 0, PARTIAL
        self.trip = begin_checked(planner, believed, self.goals)
        planner.get_ready()
        self.planner = planner
        believed._watch(self)
        self.stand_free()

    def check(self) -> int:
        """Is this agent made, is its planner its own, and does nobody use it at this moment?"""
        if self.planner is None if cython.compiled else getattr(self, "planner", None) is None:
            raise InputError("this agent is not made yet: its __init__ has not run")
        if self.planner.trips != self.trip:
            raise RuntimeError(
                "the planner of this agent has been given to another one since: make one planner for each agent, as in "
                f"[Agent(replan.planner({self.planner_name!r}), ...) for ...]"
            )
        if self.planner.busy:
            self.planner._refuse_busy()
        return 0

    @property
    def planner_name(self) -> str:
        spec = getattr(self.planner, "spec", None)
        return spec.name if spec is not None else type(self.planner).__name__

    # For people.

    @property
    def cell(self) -> Any:
        """Where the agent stands."""
        refuse_unmade(self.believed)
        return self.believed.key(self.at)

    @property
    def status(self) -> Status:
        """How the agent is doing, as far as it knew when it last planned."""
        self.check()
        if self.arrived():
            return Status.ARRIVED
        if self.answer == UNREACHABLE:
            return Status.NO_WAY
        return Status.WAITING if self.answer == WAITING else Status.WALKING

    def observe(
        self, cells: Iterable[Any], blocked: Sequence[bool] | None = None, weights: Sequence[float] | None = None
    ) -> None:
        """Say what was seen: for each cell whether it is blocked, or its weight (0: blocked).

        On a graph, `cells` are edges (u, v), and weights are their costs. What is known already costs nothing. That
        its own cell is blocked is not believed by an agent that stands there.
        """
        self.check()
        seen = values_seen(self.believed, cells, blocked, weights)
        self.believed.hold()
        try:
            for place, value in seen:
                self.accept(place, value)
        finally:
            self.believed.release()

    def plan(self, budget: Budget | None = None) -> list[Any] | None:
        """The cells to walk through from here, this one not among them.

        Empty when the agent has arrived; its own cell alone when it has to wait (`status` says so); None when the goal
        cannot be reached, as far as is known. Searches only when the path of the last search is used up or no longer
        good.
        """
        self.check()
        if self.arrived():
            return []
        if self.ahead() < 0:
            limit, time_ns = self.planner.limit, self.planner.time_ns
            if budget is not None:
                limit, time_ns = self.planner.use(budget)
            self.search(limit, time_ns)
            if self.answer == UNREACHABLE:
                return None
            if self.ahead() < 0:
                return [self.cell]
        return self.believed.keys_back(self.planner.trail, self.stop, self.spot)

    # Saving: see `replan/saving.py`.

    def __reduce__(self) -> Any:
        """A copy that goes on as this agent would, with its planner and its belief, for `copy` and `pickle`."""
        self.check()
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
        if getattr(self, "planner", None) is not None:
            raise InputError("this agent has been made already: make another one")
        refuse_unmade(believed)
        if not isinstance(planner, Planner) or not isinstance(goals, Goals) or goals.n != believed.n:
            raise InputError("its planner or its goals are not there")
        mine = getattr(planner, "space", None) is believed
        if not mine:
            raise InputError("its planner searches another space than it believes in; save an agent, not its planner")
        self.believed, self.goals, self.cells = believed, goals, believed.cells
        self.touched = self.believed.touched()
        self.fresh, self.at, self.spot, self.stop, self.episodes, self.answer = False, 0, 0, 0, 0, PARTIAL
        self.trip, self.planner = 0, planner
        self.carry(Bag(self, fields))
        believed._watch(self)

    def carry(self, bag: Bag) -> None:
        self.at = bag.whole("at", self.at, 0, self.believed.n - 1)
        self.trip = bag.whole("trip", self.trip, 0)
        self.episodes = bag.whole("episodes", self.episodes, 0)
        self.answer = bag.whole("answer", self.answer, min(ANSWERS), max(ANSWERS))
        most = self.planner.ahead
        # somebody else may have used the planner since: then the path is not to be gone on with
        self.fresh = bag.truth("fresh", self.fresh and self.spot <= most)
        self.spot = bag.whole("spot", min(self.spot, most), 0, most)
        self.stop = bag.whole("stop", self.stop, 0)

    def search(self, limit: int, time_ns: int) -> int:
        done = False
        self.planner.enter()
        try:
            self.think(limit, time_ns)
            done = True
        finally:
            self.planner.leave(done)
        return 0

    def move(self, cell: Any) -> None:
        """The agent stands on `cell` now: the next one of its path, or any other (it then searches anew)."""
        self.check()
        self.stand_on(self.believed.state(cell) if self.believed.built_in else key_to_state(self.believed, cell))
        self.stand_free()

    def stand_free(self) -> int:
        """Where an agent stands nothing is blocked, whatever it believed."""
        if self.cells and self.believed.read(self.at) == 0:
            least = self.believed.least_at(self.at)
            self.believed.hold()
            try:
                self.accept(self.at, least)
            finally:
                self.believed.release()
        return 0

    def restart(self, start: Any) -> None:
        """Stand at the start again, with all that was seen and learned."""
        self.check()
        self.at = key_to_state(self.believed, start)
        self.fresh = False
        self.stand_free()

    def retarget(self, goal: Any) -> None:
        """Walk to another goal from now on."""
        self.check()
        self.set_goals(Goals.of(self.believed, goal))

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
        i = self.planner.spot_of(goals.single) if self.fresh and goals.single >= 0 else -1
        if self.stop < i < self.spot and self.answer == COMPLETE and self.planner.cheapest:
            self.stop = i  # the path leads there too: walk no further
        else:
            self.fresh = False

    # For the loop.

    def arrived(self) -> bool:
        return self.goals.has(self.at)

    def think(self, limit: int, time_ns: int) -> int:
        """One episode of the planner; its answer."""
        self.answer = self.planner.episode(self.at, limit, now_ns() + time_ns if time_ns > 0 else 0)
        self.episodes += 1
        self.spot = self.planner.ahead
        self.stop = max(0, self.spot - self.planner.moves)
        self.fresh = self.answer == COMPLETE or self.answer == PARTIAL
        return self.answer

    def ahead(self) -> int:
        """The next state of the path, -1 when a search is due."""
        if self.fresh and self.spot > self.stop:
            return self.planner.trail[self.spot - 1]
        return -1

    def stand_on(self, s: int) -> int:
        if self.fresh and self.spot > self.stop and self.planner.trail[self.spot - 1] == s:
            self.spot -= 1
        elif s != self.at:
            self.fresh = False
        self.at = s
        return 0

    def stand_at(self, spot: int) -> int:
        """Stand on a state of the path."""
        self.spot = spot
        self.at = self.planner.trail[spot]
        return 0

    def accept(self, place: int, value: int) -> int:
        """Believe that a place has this value (0 blocked, else weight or cost). 1 if that is news."""
        old = self.believed.read(place)
        if old == value or (value == 0 and self.cells and place == self.at):
            return 0
        rise = value == 0 or (old != 0 and value > old)
        k = self.believed.write(self.touched, place, value)
        for i in range(k):
            self.notice(self.touched.state[i], rise)
        if self.believed.sharing > 1:
            with cython.gil:
                self.believed.tell(self.touched, k, rise, self)
        return 1

    def hear(self, states: list[int], entered: list[int], rise: bool) -> None:
        """Somebody else has changed the steps out of these states of a belief that this agent shares."""
        if getattr(self, "planner", None) is not None and self.planner.trips == self.trip:
            for u in states:
                self.notice(self.believed.checked_state(u), rise)

    def notice(self, u: int, rise: bool) -> int:
        """The steps out of u cost more or less now: tell the planner, and look whether the path goes that way."""
        cut = self.planner.changed(u, rise)
        if not rise or self.planner.eager or cut != 0:
            self.fresh = False  # a cheaper way may have opened, or the planner knows that its path is cut
        elif self.fresh and self.planner.dearer(u, self.spot, self.stop):
            self.fresh = False
        return 0
