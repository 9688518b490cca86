"""Moving-Target D* Lite: D* Lite for a target that moves (Sun, Yeoh, Koenig, AAMAS 2010).

D* Lite searches from the goal, and starts again when that moves. This one searches from the agent. When the target has
moved, keys become lower bounds, as they do in D* Lite when the agent moves (k_m). When the agent has moved, its state
becomes the root, and what does not hang on it is cut off (`search/rerooting.py`; the optimised form of the paper). The
keys, and their three orders, are those of D* Lite. Paths are cheapest presumed ones.

In known mazes with openings it expands half as many states as Moving-Target Adaptive A*, on known game maps about as
many, in unknown terrain no fewer. (The paper says three to seven times faster than Generalized Adaptive A*.) An
expansion takes as long as one of D* Lite. But when the agent has moved, each state that is cut off is worked out again,
which is no expansion and takes time of its own.

Where it differs from the paper: both happen only when a search is due, not at every step; an agent that stands where
the search has not settled starts again, and so does one that has walked as far as the longest way there can be;
several goals are allowed, and searched for with h = 0.
"""

from __future__ import annotations

from typing import Any

from replan.own import refuse_half_made
from replan.planners.dstar_lite import REPLAN, IncrementalPlanner
from replan.planners.making import DSTAR_OPTIONS, incremental
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList
from replan.saving import Bag
from replan.search.branches import Branches
from replan.search.incremental import Incremental, refuse_circle
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF
    from replan.search.rerooting import reroot


class MTDStarLite(IncrementalPlanner):
    """Searches forward from the agent, and keeps its search when the agent or the target has moved."""

    branches: Branches
    root: int

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan: str = "blocked", check: bool = False
    ) -> None:
        self._set_up(open, heuristic, replan, check)
        self.whole_way = self.forward = True
        self.branches, self.root, self.several = Branches(), -1, False
        self.search = self.keep(Incremental(self.open, heuristic, forward=True, roams=True))

    def made_from(self) -> tuple[Any, ...]:
        return MTDStarLite, self.open.made_from(), self.given, REPLAN[self.eager], self.checks_h

    def carry_trip(self, bag: Bag) -> None:
        self.root, self.several = bag.whole("root", self.root, -1, self.space.n - 1), bag.truth("several", self.several)
        self.search.keys.blind = self.several or isinstance(self.given, str)
        IncrementalPlanner.carry_trip(self, bag)
        if self.started:
            bag.require(self.several or self.goals.single >= 0, "it has several targets, and searches for one")
            bag.require(self.laid < 0, "it marks no path")

    def roots(self) -> Goals:
        return Goals([self.root], self.space.n)

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.branches)
        self.started, self.root = False, -1
        IncrementalPlanner.begin_trip(self, space, goals)

    def new_goals(self, goals: Goals) -> None:
        """One target instead of another: the search goes on."""
        if not self.started or self.several or goals.single < 0:
            IncrementalPlanner.new_goals(self, goals)

    def notify(self, states: list[int], rise: bool) -> None:
        """Where steps may lead one way only nobody tells here which states they enter: start again."""
        if not self.space.both_ways:
            self._refuse_busy()
            IncrementalPlanner.new_goals(self, self.goals)
        else:
            IncrementalPlanner.notify(self, states, rise)

    def take_in(self, at: int) -> int:
        """Where the agent and the target are, and what has changed."""
        if self.started:
            self.search.prepare()  # costs may be larger by now than any that keys were made for
        if self.started and at != self.root:
            self.started = reroot(self.search, self.branches, self.root, at)
            if self.watched and self.branches.count > 0:
                self.log.wide = True
        if not self.started:
            self.waiting = 0
            with cython.gil:
                self.start_at(at)
        if not self.several:
            self.search.move_target(self.goals.single)
        self.root = at
        return self.take_changes()

    def start_at(self, at: int) -> int:
        self.refuse_odd_h(at)
        self.several = self.goals.single < 0
        self.search.keys.blind = self.several or isinstance(self.given, str)
        self.search.begin(self.space, Goals([at], self.space.n), self.goals.state[0])
        self.search.path_index = self.planned_path.index
        return self.note_start()

    def refuse_odd_h(self, at: int) -> int:
        if self.checks_h and self.given is not None:
            refuse_inconsistent(heuristic_for(self.given, self.space, self.goals), self.space, self.goals)
        return 0

    def search_on(self, limit: int, deadline: int) -> int:
        """To the target; of several, to the nearest, which is the target afterwards."""
        best, left = -1, limit
        for i in range(self.goals.count):
            t = self.goals.state[i]
            self.search.meet(t)
            if best < 0 or self.search.node[t].rhs < self.search.node[best].rhs:
                before = self.expansions + self.refreshes
                self.search.target = t
                if IncrementalPlanner.search_on(self, left, deadline) == 0:
                    return 0
                if left < INF:
                    left -= self.expansions + self.refreshes - before
                if best < 0 or self.search.node[t].rhs < self.search.node[best].rhs:
                    best = t
        self.search.target = best
        return 1

    def lay(self, at: int) -> int:
        """The trail: from the target along `next` to the agent."""
        node = self.search.node
        s = self.search.target
        self.planned_path.start_at_end(s)
        while s != at:
            v = node[s].next
            if v < 0 or self.planned_path.length + 1 >= self.search.n:
                with cython.gil:
                    refuse_circle()
            self.planned_path.prepend(v, node[s].rhs - node[v].g)
            s = v
        return 0


# What the registry collects.

MOVING_TARGET = """
D* Lite turned around: it searches from the agent, so that a target that moves is to it what an agent that moves is
to D* Lite. When the agent moves, its new state becomes the root: what hangs on it stays, the rest is cut off and
grown again where it borders on that.

Guarantees:

- Cheapest presumed paths to where the target is now; a slower target is caught.
- The search is kept whichever of the two has moved, and whatever has changed.

Limits:

- It pays where the map is known: in fog it expands no fewer states than Moving-Target Adaptive A*.
- Several goals at once are searched for without a heuristic. No bound in time.

Parts:

- planners.moving_target.MTDStarLite.take_in
- search.rerooting.reroot
- search.branches.Branches.cut_children
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower
- search.incremental.Incremental.raise_
"""

PSEUDO_CODE = """
## MTDStarLite.take_in

    the agent has moved: make its state the root
    (not known well enough? start again)
    the target has moved: k_m grows by h(last, now)
    take in what has changed
"""


PLANNERS = (
    PlannerSpec(
        "Moving-Target D* Lite",
        "moving-target-d-star-lite",
        "Sun, Yeoh, Koenig: Moving Target D* Lite, AAMAS 2010",
        "forward search from the agent, repaired where costs have changed, kept when the agent or the goal has moved",
        DSTAR_OPTIONS,
        incremental(MTDStarLite),
        also=("MT-D* Lite",),
        family="incremental",
        order=330,
        explanation=MOVING_TARGET,
    ),
)
