"""D* Lite, three ways (buckets 2006; Koenig and Likhachev 2002).

prefer="smaller g" is Figure 3 of buckets 2006, prefer="larger g" its triple keys, queue="buckets" its scalar keys, with
k_m. The engine, its keys and its optimisations are in `search/incremental.py`.

replan="blocked": what was seen waits until a step of the path has become dearer, as RTAA* 2006 counts its episodes;
costs that fell never wait. replan="changed": every change starts a new episode (Figure 3). Both follow cheapest
presumed paths.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, holding
from replan.budget import Budget
from replan.clock import deadline_in, now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, LARGEST_H_WEIGHT, UNREACHABLE
from replan.log import Log
from replan.own import refuse_half_made, within
from replan.planners.base import Planner
from replan.planners.making import ANYTIME_OPTIONS, DSTAR_OPTIONS, incremental, open_list, set_budget, tenths, without
from replan.planners.options import in_tenths
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claimed
from replan.saving import Bag
from replan.search.cutting import Cutting
from replan.search.incremental import Incremental, refuse_circle
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF, ON_TRAIL, fetch, ints, longs

REPLAN = ("blocked", "changed")


class IncrementalPlanner(Planner):
    """What D* Lite and AD* have in common: an engine, and changes that wait to be taken in."""

    search: Incremental
    open: OpenList

    def _set_up(self, open: OpenList, heuristic: Any, replan: str, check: bool) -> None:
        Planner.__init__(self)
        if replan not in REPLAN:
            raise InputError(f"replan is one of {', '.join(map(repr, REPLAN))}, not {replan!r}")
        self.open, self.given, self.checks_h = claimed(open), heuristic, check
        self.eager = replan == "changed"
        self.pending, self.waiting, self.started, self.laid = empty(64, np.int32), 0, False, -1
        self.earlier = 0  # percolations of searches for other goals

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.open)
        self.search.keys.refuse_array()
        self.search.expansions = self.search.refreshes = 0
        self.search.forget()
        self.new_goals(goals)

    def carry_trip(self, bag: Bag) -> None:
        Planner.carry_trip(self, bag)
        n = self.space.n
        self.started = bag.truth("started", self.started)
        self.earlier = bag.whole("earlier", self.earlier, 0)
        if not self.started:
            return
        pending = bag.numbers("pending", self.pending[: self.waiting], -n, n - 1)
        laid = bag.truth("laid", self.laid >= 0)
        if bag.loading:
            self.pending, self.waiting = holding(pending, 64, np.int32), len(pending)
            self.laid = self.planned_path.length if laid else -1
        bag.require(self.laid in (-1, self.planned_path.length), "its path is not the one that it laid")
        if bag.loading:
            self.search.settle(self.space, self.roots(), 0)

    def carry_tables(self, bag: Bag) -> None:
        if not self.started:
            return
        Planner.carry_tables(self, bag)
        if bag.loading:
            self.search.path_index = self.planned_path.index
            for i in range(self.laid + 1):
                s = self.planned_path.states[i]
                bag.require(self.search.met(s), "its path leads through a state that was not met")
                self.mark(s, i)

    def roots(self) -> Goals:
        """Hook: where the search begins."""
        return self.goals

    def log_to(self, log: Log, watched: bool) -> int:
        self.search.log, self.search.watched = log, watched
        return Planner.log_to(self, log, watched)

    def new_goals(self, goals: Goals) -> None:
        """The goal is the root of the search: start again."""
        self.started, self.waiting = False, 0

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        """Remember that steps out of these cost something else now: of s as s if they rose, as -1 - s if they fell.

        A rise does not concern a state that no search has met.
        """
        if not self.started:
            return 0
        if self.waiting + k > len(self.pending):
            with cython.gil:
                self.pending = grown(self.pending, 2 * (self.waiting + k))
        for i in range(k):
            s = told[i]
            if not rise or self.search.met(s):
                self.pending[self.waiting] = s if rise else -1 - s
                self.waiting += 1
        return 0

    def update(self, at: int) -> int:
        """Bring the search up to date: where the agent is, and all changes so far. What these cost is told apart."""
        if self.waiting == 0:
            return self.take_in(at)
        start = now_ns()
        self.intakes += self.waiting
        self.take_in(at)
        self.intake_ns += now_ns() - start
        return 0

    def take_in(self, at: int) -> int:
        if not self.started:
            with cython.gil:
                self.refuse_odd_h(at)
                self.search.begin(self.space, self.goals, at)
                self.search.path_index = self.planned_path.index
            self.note_start()
        self.search.move_target(at)
        return self.take_changes()

    def note_start(self) -> int:
        # a search that starts again, for another goal, begins to count again: its queue does
        self.started, self.laid, self.earlier = True, -1, self.percolations
        if self.watched:
            self.log.wide = True
        return 0

    def take_changes(self) -> int:
        for i in range(self.waiting):
            s = self.pending[i]
            if s >= 0:
                self.search.costs_rose(s)
            else:
                self.search.costs_changed(-1 - s)
        self.search.flush()
        self.waiting = 0
        return 0

    def refuse_odd_h(self, at: int) -> int:
        """check=True: h estimates the way from the agent, so it is checked from where the agent first stands."""
        if self.checks_h and self.given is not None:
            heuristic = heuristic_for(self.given, self.space, self.goals, at)
            refuse_inconsistent(heuristic, self.space, Goals([at], self.space.n), backward=True)
        return 0

    def lay(self, at: int) -> int:
        """Set the path: from the agent along `next` to the goal, or to where the last path still leads there."""
        node, index = self.search.node, ints(self.planned_path.index)
        states, step_costs = ints(self.planned_path.states), longs(self.planned_path.step_costs)
        k, s, v, join = 0, -1, at, -1
        row = self.space.row
        while v >= 0 and join < 0:  # a goal has no next
            s = v
            fetch(node, s + row)  # one of its neighbours is the next
            fetch(node, s - row)
            if node[s].stamp & ON_TRAIL != 0 and index[s] < self.search.cut:
                join = index[s]
            else:
                v = node[s].next
                k += 1
                if k > self.search.n:
                    with cython.gil:
                        refuse_circle()
        for i in range(join + 1, self.laid + 1):
            s_old = states[i]
            node[s_old].stamp = node[s_old].stamp - ON_TRAIL
        if join < 0:  # the goal is the end of a path of its own
            k -= 1
            join = 0
            self.mark(s, 0)
        self.planned_path.length = self.laid = join + k
        self.search.cut = self.laid + 1
        s = at
        for i in range(join + k, join, -1):
            v = node[s].next
            step_costs[i] = node[s].rhs - node[v].g
            self.mark(s, i)
            s = v
        return 0

    def mark(self, s: int, i: int) -> int:
        node = self.search.node
        node[s].stamp = node[s].stamp + ON_TRAIL
        self.planned_path.states[i] = s
        self.planned_path.index[s] = i
        return 0

    def search_on(self, limit: int, deadline: int) -> int:
        """Search within the limits, and count. 1: the way from the agent is known, or known not to exist."""
        expansions, refreshes = self.search.expansions, self.search.refreshes
        done = self.search.advance(limit, deadline)
        self.expansions += self.search.expansions - expansions
        self.refreshes += self.search.refreshes - refreshes
        self.percolations = self.earlier + self.open.percolations
        return done

    def episode(self, at: int, limit: int, deadline: int) -> int:
        """Search until the way is known, whatever that takes."""
        self.update(at)
        self.search_on(INF, 0)
        if self.search.node[self.search.target].rhs >= INF:
            return UNREACHABLE
        self.lay(at)
        return COMPLETE

    def progress(self, at: int, limit: int, deadline: int) -> int:
        """A step of RTD*: 1 when `search.next` leads from `at` to the goal, or no way is known to exist (rhs = INF)."""
        self.update(at)
        return self.search_on(limit, deadline)

    def advance(self, state: int, budget: Budget) -> bool:
        """Take in what has changed and search on within a budget: is the way from `state` known now?"""
        self.enter()
        whole, done = False, 0
        try:
            self.update(self.space.checked_state(state))
            done = self.search_on(budget.expansions, deadline_in(budget.nanoseconds))
            whole = True
        finally:
            self.leave(whole)
        return done != 0

    def _shown(self) -> dict[str, np.ndarray[Any, Any]]:
        return {**self._arrays(), "h": self.search.estimates()}


class DStarLite(IncrementalPlanner):
    """Searches backward from the goal and repairs its last search when costs have changed."""

    def __init__(
        self, open: OpenList, heuristic: Any = None, replan: str = "blocked", check: bool = False
    ) -> None:
        self._set_up(open, heuristic, replan, check)
        self.whole_way = True
        self.search = self.keep(self.engine())

    def engine(self) -> Incremental:
        """Hook: the search."""
        return Incremental(self.open, self.given)

    def made_from(self) -> tuple[Any, ...]:
        return DStarLite, self.open.made_from(), self.given, REPLAN[self.eager], self.checks_h


class DStarExtraLite(DStarLite):
    """D* Extra Lite (Przybylski, Putz, AMCS 27(2), 2017): D* Lite that cuts off what has become dearer, at once.

    Where a step of the search tree has risen, the whole branch beyond it is cut off, and grown anew from the states
    around the gap (`search/cutting.py`). Paths are cheapest presumed ones.

    Differs from the paper where that gives wrong plans: a search ends when nothing in the queue comes before the key of
    the agent's state, wherever the agent was put (as printed, one that was carried away gets old values); a state that
    becomes cheaper without having been visited counts as well (printed for cells that are visited while blocked; here
    they are no neighbours); costs between states that were not visited are taken in, too. Ties may go either way:
    smaller g is not needed. Branches are cut with a list, not by recursion.
    """

    def made_from(self) -> tuple[Any, ...]:
        return DStarExtraLite, *DStarLite.made_from(self)[1:]

    def engine(self) -> Incremental:
        return Cutting(self.open, self.given)


class AnytimeDStar(IncrementalPlanner):
    """AD*: D* Lite whose h is inflated by a weight that falls while there is time and rises when the terrain changes.

    An episode finishes a search with the current weight, whatever that takes, and then lowers the weight by `down`
    and searches on, again and again, as long as the budget lasts, down to 1. When changed costs have left the path
    dearer, or the last search was not finished within its budget, the weight first rises by `up`. `bound`: the path
    costs at most so many times the cheapest. Weights are held in tenths.
    """

    def __init__(
        self,
        open: OpenList,
        heuristic: Any = None,
        replan: str = "blocked",
        check: bool = False,
        first: int = 30,
        down: int = 5,
        up: int = 1,
    ) -> None:
        self._set_up(open, heuristic, replan, check)
        self.search = self.keep(Incremental(self.open, heuristic, anytime=True))
        self.first, self.down = within("weight", first, 10, LARGEST_H_WEIGHT), within("down", down, 1, LARGEST_H_WEIGHT)
        self.up = within("up", up, 0, LARGEST_H_WEIGHT)
        self.cost, self.complete, self.reported = INF, True, first
        self.known, self.stood, self.expected = False, -1, -1

    def new_goals(self, goals: Goals) -> None:
        IncrementalPlanner.new_goals(self, goals)
        self.cost, self.complete, self.known, self.reported = INF, True, False, self.first

    def made_from(self) -> tuple[Any, ...]:
        weights = [self.first, self.down, self.up]
        return AnytimeDStar, self.open.made_from(), self.given, REPLAN[self.eager], self.checks_h, *weights

    def carry_trip(self, bag: Bag) -> None:
        IncrementalPlanner.carry_trip(self, bag)
        self.cost, self.reported = bag.whole("cost", self.cost, 0, INF), bag.whole("reported", self.reported, 1)
        self.complete, self.known = bag.truth("complete", self.complete), bag.truth("known", self.known)
        self.stood, self.expected = bag.whole("stood", self.stood, -1), bag.whole("expected", self.expected, -1)

    @property
    def bound(self) -> float:
        """The path of the last episode costs at most so many times the cheapest. Before the first: the first weight."""
        return self.reported / 10.0

    def take_in(self, at: int) -> int:
        """Take in what has changed; a new iteration where costs did."""
        changes = self.waiting > 0
        if not self.started:
            with cython.gil:
                self.search.keys.weigh(self.first)
        elif changes:
            self.iterate(self.search.keys.weight)  # what was lowered before may be queued again
        self.search.spoilt = False
        IncrementalPlanner.take_in(self, at)
        if changes:
            dearer = self.search.spoilt or not self.complete
            self.iterate(min(self.first, self.search.keys.weight + self.up) if dearer else self.search.keys.weight)
            self.known = False
        return 0

    def iterate(self, weight: int) -> int:
        if self.watched:  # states that have waited elsewhere are queued
            self.log.wide = True
        with cython.gil:
            return self.search.iterate(weight)

    def advance(self, state: int, budget: Budget) -> bool:
        """As for D* Lite, with the present weight: is a way known that costs at most `bound` times the cheapest?"""
        self.complete = IncrementalPlanner.advance(self, state, budget)
        if self.complete:
            self.reported, self.cost = self.search.keys.weight, self.search.node[self.search.target].rhs
        return self.complete

    def progress(self, at: int, limit: int, deadline: int) -> int:
        """As for D* Lite. A path that was found is good until costs change or the agent leaves it.

        A search with a smaller weight that is not finished yet does not spoil it: it only makes it cheaper.
        """
        self.update(at)
        if at != self.stood and at != self.expected:
            self.known = False
        self.improve(at, limit, limit, deadline)
        self.stood, self.expected = at, self.search.node[at].next
        return self.known

    def improve(self, at: int, first: int, limit: int, deadline: int) -> int:
        """Search with the present weight, within `first` turns; then with smaller ones, as long as `limit` lasts."""
        left = limit
        before = self.expansions + self.refreshes
        self.complete = self.search_on(first, deadline if first < INF else 0) != 0
        while self.complete:
            self.known = True
            self.reported = self.search.keys.weight
            if limit < INF:
                left = limit - (self.expansions + self.refreshes - before)
            late = left <= 0 or (deadline > 0 and now_ns() >= deadline)
            if self.search.keys.weight <= 10 or self.search.node[at].rhs >= INF or late:
                break
            self.iterate(max(10, self.search.keys.weight - self.down))
            self.complete = self.search_on(left, deadline) != 0
        self.cost = self.search.node[at].rhs
        return 0

    def episode(self, at: int, limit: int, deadline: int) -> int:
        self.update(at)
        self.improve(at, INF, limit, deadline)
        if self.cost >= INF:
            return UNREACHABLE
        self.lay(at)
        return COMPLETE


# What the registry collects.

OPTIONS = (in_tenths("up", "By how much the weight rises when changed costs have made the path dearer.", 0),)

LITE = """
Search backwards, from the goal to the agent, and keep all g-values. Beside its g each state has rhs, what g ought
to be as its neighbours see it. Where the two differ something has to be mended, and only such states are in the
queue, those that matter for the agent's way first. Since the root is the goal, the tree stays useful while the
agent moves: a number, k_m, makes up for old priorities.

Guarantees:

- Cheapest presumed paths, those of Repeated A*, ties aside; arrival, and a report when there is no way.
- A state is expanded at most twice a search: once when its g rises, once when it falls.
- Only states that have changed, or whose cost to the goal has, are expanded.

Limits:

- A search has no bound in time: a change near the goal can touch most of the tree. RTD* bounds it.
- When the goal moves everything is thrown away: Moving-Target D* Lite keeps it.
- g, rhs and the queue are as large as the map. On open terrain, where little has to be repaired, plain A* is often
  as quick.
- h is needed between any two states: an array for one goal is refused.

Parts:

- planners.dstar_lite.IncrementalPlanner.episode
- planners.dstar_lite.IncrementalPlanner.take_changes
- search.incremental.Incremental.recompute
- search.incremental.Incremental.update_queue
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower
- search.incremental.Incremental.raise_
"""

EXTRA_LITE = """
D* Lite raises the g of a spoilt branch state by state, through the queue. This one cuts the branch off at once, as
if it had never been met, and queues the states around the gap, so that the tree grows into it again.

Guarantees:

- Cheapest presumed paths; arrival, and a report when there is no way.
- No state is expanded only to be raised.

Limits:

- A cut takes time in proportion to the branch, before the search begins, and no bound in time holds.
- When the goal moves everything is thrown away.

Parts:

- planners.dstar_lite.IncrementalPlanner.episode
- search.cutting.Cutting.costs_changed
- search.cutting.Cutting.cut_off
- search.cutting.Cutting.seed_around
- search.incremental.Incremental.advance
- search.incremental.Incremental.lower
"""

ANYTIME = """
D* Lite and ARA* in one: an inflated h finds a path soon, the weight falls while there is time, and when costs
change the search is repaired, with a larger weight if the path has become dearer.

Guarantees:

- The path costs at most `planner.bound` times the cheapest presumed one; with time to spare the bound falls to 1.
- Arrival, and a report when there is no way.

Limits:

- A search with the present weight is finished whatever it takes: the budget decides how much better the path
  becomes. Inside RTD* each step is bounded.
- When the weight changes the queue is laid out anew, in time proportional to its length.

Parts:

- planners.dstar_lite.AnytimeDStar.episode
- planners.dstar_lite.AnytimeDStar.take_in
- planners.dstar_lite.AnytimeDStar.improve
- search.incremental.Incremental.iterate
- search.incremental.Incremental.advance
"""

PSEUDO_CODE = """
## IncrementalPlanner.episode

    take in where the agent is: k_m grows by h(last, now)
    take in what has changed
    search until the agent's state is known
    rhs(agent) is infinite? no way
    path := follow `next` from the agent to the goal

## IncrementalPlanner.take_changes

    for each state with a step that costs something else:
        it rose, and `next` is another step: rhs stays
        otherwise: work out rhs again

## AnytimeDStar.episode

    take in where the agent is and what has changed
    search with the present weight, whatever it takes,
    then with smaller ones while the budget lasts
    rhs(agent) is infinite? no way
    path := follow `next` from the agent to the goal

## AnytimeDStar.take_in

    costs have changed: begin a new iteration
    take in where the agent is, and the changes
    the path has become dearer, or the last search was
    not finished: weight := weight + `up`

## AnytimeDStar.improve

    search with the present weight
    while that was finished, the weight is above 1
    and the budget lasts:
        bound := weight
        weight := weight - `down`; new iteration
        search on
"""


def _anytime(options: dict[str, Any]) -> Planner:
    weights = [tenths(options[name]) for name in ("weight", "down", "up")]
    given = [options[name] for name in ("heuristic", "replan", "check")]
    return set_budget(AnytimeDStar(open_list(options), *given, *weights), options)


PLANNERS = (
    PlannerSpec(
        "D* Lite",
        "d-star-lite",
        "Koenig, Likhachev 2002; Likhachev, Koenig: Incremental Heuristic Search in Games, AIIDE 2006",
        "backward search from the goal, repaired where costs have changed",
        DSTAR_OPTIONS,
        incremental(DStarLite),
        family="incremental",
        order=300,
        explanation=LITE,
    ),
    PlannerSpec(
        "D* Extra Lite",
        "d-star-extra-lite",
        "Przybylski, Putz: D* Extra Lite: A Dynamic A* with Search-Tree Cutting and Frontier-Gap Repairing, AMCS 2017",
        "D* Lite; what costs more than before is cut off with all that came through it, and grown anew around the gap",
        DSTAR_OPTIONS,
        incremental(DStarExtraLite),
        family="incremental",
        order=310,
        explanation=EXTRA_LITE,
    ),
    PlannerSpec(
        "AD*",
        "ad",
        "Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime Dynamic A*, ICAPS 2005",
        "D* Lite with an inflated h whose weight falls while the budget lasts and rises when costs have changed",
        {**without(DSTAR_OPTIONS, "prefer"), **ANYTIME_OPTIONS, "up": 0.1},
        _anytime,
        optimal=False,
        bounded_by="weight",
        family="incremental",
        order=350,
        explanation=ANYTIME,
    ),
)
