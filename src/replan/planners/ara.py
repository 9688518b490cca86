"""ARA*: a path soon, a better one while there is time (Likhachev, Gordon, Thrun 2004; question 9 of the course
project).

Each episode is a new query from where the agent stands: weighted A* with a large weight, whatever that takes; then,
as long as the budget lasts, with weights smaller by `down`, each search reusing the last, to weight 1. A state is
expanded at most once a weight: one that is reached more cheaply after that waits for the next (`Delayed`). Keys are 10
g + weight h with the weight in tenths, so all is exact.

`bound`: the path costs at most so many times the cheapest: the smaller of the weight and g(goal) over the least
g + h that is still open. Before the first episode it is the first weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty
from replan.clock import now_ns
from replan.errors import InputError
from replan.limits import COMPLETE, EXPANDED, INF, LARGEST_H_WEIGHT, LARGEST_KEY, UNREACHABLE
from replan.own import refuse_half_made, within
from replan.planners.base import Planner
from replan.planners.making import ANYTIME_OPTIONS, SEARCH_OPTIONS, open_list, set_budget, tenths
from replan.planners.spec import PlannerSpec
from replan.queues.base import OpenList, claimed
from replan.saving import Bag
from replan.search.delayed import Delayed
from replan.search.state_table import ALL, Column, StateTable
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.heuristics import heuristic_for, refuse_inconsistent
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import nodes
    from replan.search.delayed import close, is_closed


COLUMNS = (
    Column("g", INF >> 4, none=INF),
    Column("h", INF),
    Column("stamp", is_shown=False),
    Column("parent"),
)


class AnytimeTree(StateTable):
    """The values of Anytime Repairing A*. node[s] has the g, h, stamp and parent of state s, as in A*.

    A stamp is x + 1 while a state is queued, x when it was met in this query and is not.
    """

    node: Any

    def __init__(self) -> None:
        StateTable.__init__(self, "tree", COLUMNS, "stamp", packed=True)
        self.x = 2

    def attach(self, n: int) -> None:
        self.node = nodes(self.rows)

    def since(self, lifetime: str) -> int:
        return self.x

    def latest(self) -> int:
        return self.x + 1

    def shown(self, states: Any = ALL) -> dict[str, np.ndarray[Any, Any]]:
        arrays = StateTable.shown(self, states)
        arrays["parent"] = np.where(arrays["g"] >= 0, arrays["parent"], -1)
        return {**arrays, "open": self.values("stamp")[states] == self.x + 1}


class ARAStar(Planner):
    """Anytime Repairing A*. node[s] has the g, h, stamp and parent of state s, as in A*."""

    near: Neighbours
    open: OpenList
    bound: float

    def __init__(
        self, open: OpenList, heuristic: Any = None, check: bool = False, first: int = 30, down: int = 5
    ) -> None:
        Planner.__init__(self)
        self.open, self.given, self.checks_h, self.first, self.down = claimed(open), heuristic, check, first, down
        within("weight", first, 10, LARGEST_H_WEIGHT), within("down", down, 1, LARGEST_H_WEIGHT)
        self.tree, self.delayed = self.keep(AnytimeTree()), self.keep(Delayed())
        self.listed, self.bound = empty(1, np.int32), first / 10.0
        self.weight, self.best = first, -1

    def begin_trip(self, space: Space, goals: Goals) -> None:
        refuse_half_made(self, self.open)
        if len(self.listed) < space.n:
            self.listed = empty(space.n, np.int32)
        self.tree.x += 2  # what was found so far is of an earlier trip
        self.delayed.forget()
        self.near = space.neighbours()
        self.fitted = self.best = -1
        self.open.reseed()
        self.open.clear()
        self.new_goals(goals)

    def new_goals(self, goals: Goals) -> None:
        self.bound = self.first / 10.0
        self.heuristic = heuristic_for(self.given, self.space, goals)
        if self.checks_h and self.given is not None:
            refuse_inconsistent(self.heuristic, self.space, goals)

    def changed(self, told: memoryview, k: int, rise: bool) -> int:
        return self.note_changes(told, k, rise)

    def met(self, s: int) -> bool:
        return bool(self.tree.node[s].stamp >= self.tree.x)

    def episode(self, at: int, limit: int, deadline: int) -> int:
        if self.reachability.is_cut_off(self.goals, at):
            return UNREACHABLE
        if self.fitted != self.space.bound:
            with cython.gil:
                self.fit()
        self.start(at)
        done = self.improve(self.space, self.near, self.open, INF, 0)
        while done == 1 and self.best >= 0 and self.weight > 10:
            self.measure()
            if limit <= self.used or (deadline > 0 and now_ns() >= deadline):
                break
            self.reorder(max(10, self.weight - self.down))
            left = limit - self.used if limit < INF else INF
            done = self.improve(self.space, self.near, self.open, left, deadline)
        if done == 1 and self.best >= 0:
            self.measure()
        self.expansions += self.used
        self.percolations = self.open.percolations
        if self.best < 0:
            self.reachability.failed_from = at
            return UNREACHABLE
        self.lay(at)
        return COMPLETE

    def fit(self) -> int:
        if (1.0 + self.space.bound) * (10 + self.first) >= LARGEST_KEY:
            raise InputError("costs of this size times the weight do not fit 62 bits: scale them down, or the weight")
        self.fitted = self.space.bound
        return self.open.fit(self.space.n, (10 + self.first) * (self.fitted + 1), self.fitted, self.space.span * 10)

    def start(self, at: int) -> int:
        """A new query. (stamp: x + 1 while a state is queued, x when it is met and is not.)"""
        node = self.tree.node
        self.tree.x += 2
        self.weight, self.best, self.used = self.first, -1, 0
        self.delayed.forget()
        self.open.clear()
        self.meet(at)
        node[at].g = 0
        node[at].parent = at
        node[at].stamp = self.tree.x + 1
        return self.open.insert(at, self.weight * node[at].h, 0)

    def meet(self, s: int) -> int:
        node = self.tree.node
        if node[s].stamp < self.tree.x:
            node[s].stamp = self.tree.x
            node[s].g = INF
            node[s].h = min(self.heuristic.estimate(s), self.fitted)
        return 0

    def improve(self, space: Space, near: Neighbours, open: OpenList, limit: int, deadline: int) -> int:
        """Expand until no open state can lead to a better path at this weight: 1; or until the budget is used up: 0."""
        node = self.tree.node
        limit = self.used + limit if limit < INF else INF
        while open.size > 0 and (self.best < 0 or open.top_f() < 10 * node[self.best].g):
            if self.used >= limit or (deadline > 0 and self.used & 7 == 7 and now_ns() >= deadline):
                return 0
            self.used += 1
            if self.used & 8191 == 0:
                check_signals()
            u = open.pop()
            if self.watched:
                self.log.add(u, EXPANDED, -1)
            node[u].stamp = self.tree.x
            close(self.delayed, u)
            k = space.expand(near, u)
            for i in range(k):
                v = near.state[i]
                gv = node[u].g + near.cost[i]
                self.meet(v)
                if gv < node[v].g:
                    self.reach(open, v, gv, u)
        return 1

    def reach(self, open: OpenList, v: int, gv: int, u: int) -> int:
        """A cheaper way to v, through u."""
        node = self.tree.node
        node[v].g = gv
        node[v].parent = u
        if self.goals.has(v) and (self.best < 0 or gv < node[self.best].g):
            self.best = v
        if is_closed(self.delayed, v):
            return self.delayed.add(v)
        f = 10 * gv + self.weight * node[v].h
        if node[v].stamp == self.tree.x:
            node[v].stamp = self.tree.x + 1
            return open.insert(v, f, gv)
        return open.decrease(v, f, gv)

    def reorder(self, weight: int) -> int:
        """Begin the next search: all that is open, and what has waited, by the new keys."""
        node = self.tree.node
        self.weight = weight
        k = self.open.list_to(self.listed)
        for i in range(self.delayed.count):
            s = self.delayed.states[i]
            if node[s].stamp == self.tree.x:
                node[s].stamp = self.tree.x + 1
                self.listed[k] = s
                k += 1
        self.delayed.forget()
        self.open.clear()
        for i in range(k):
            s = self.listed[i]
            self.open.insert(s, 10 * node[s].g + weight * node[s].h, node[s].g)
        return 0

    def measure(self) -> int:
        """Work out `bound` from what is still open."""
        node = self.tree.node
        least = node[self.best].g
        k = self.open.list_to(self.listed)
        for i in range(k):
            s = self.listed[i]
            least = min(least, node[s].g + node[s].h)
        for i in range(self.delayed.count):
            s = self.delayed.states[i]
            least = min(least, node[s].g + node[s].h)
        self.bound = self.weight / 10.0
        if least > 0:
            self.bound = min(self.bound, node[self.best].g / (1.0 * least))
        return 0

    def lay(self, at: int) -> int:
        """By the parents from the goal back. (Their g may have fallen since, so the path can cost less than g says.)"""
        v = self.best
        self.planned_path.start_at_end(v)
        while v != at:
            u = self.tree.node[v].parent
            self.planned_path.prepend(u, self.space.step_cost(u, v))
            v = u
        return 0

    def made_from(self) -> tuple[Any, ...]:
        weights = [self.first, self.down]
        return ARAStar, self.open.made_from(), self.given, self.checks_h, *weights

    def carry_trip(self, bag: Bag) -> None:
        """The last query. The next one needs nothing of it; `bound` and snapshots do."""
        Planner.carry_trip(self, bag)
        self.bound = bag.real("bound", self.bound, 1.0, LARGEST_H_WEIGHT / 10)
        self.weight, self.best = bag.whole("weight", self.weight, 0), bag.whole("best", self.best, -1, self.space.n - 1)
        self.tree.x += 2 * bag.loading
        self.open.carry(bag.inner("open"), self.space.n)


# What the registry collects.

ARA = """
A path at once, a better one while there is time. Weighted A* with a large weight finds some path; then the weight
falls, step by step, and each search reuses the last: a state that was reached more cheaply after it had been
expanded waits, and only such states and the open ones are looked at again.

Guarantees:

- The path costs at most `planner.bound` times the cheapest; with time to spare the bound falls to 1.
- A state is expanded at most once for each weight.
- Arrival, and a report when there is no way.

Limits:

- The first search is finished whatever it takes: the budget (`lookahead`, `deadline`) only decides how much better
  the path becomes.
- A new query when the path is blocked: nothing is kept from one to the next. AD* does that.

Parts:

- planners.ara.ARAStar.episode
- planners.ara.ARAStar.improve
- planners.ara.ARAStar.reach
- planners.ara.ARAStar.reorder
"""

PSEUDO_CODE = """
## ARAStar.episode

    weight := the first one
    finish a search with it, whatever it takes
    while there is a path, the weight is above 1
    and the budget lasts:
        weight := weight - `down`
        reorder OPEN, search on
        bound := min(weight, g(goal) / least open g + h)
    path := parents from the goal to the agent

## ARAStar.improve

    while OPEN has a state with key < g(goal):
        the budget is used up? stop
        u := the one with the smallest key
        close u
        for each neighbour v of u:
            if g(u) + c(u, v) < g(v): reach v through u

## ARAStar.reach

    g(v) := the smaller cost; parent(v) := u
    v is a goal, and cheaper than the last: remember it
    v was expanded with this weight already:
        it waits for the next one
    otherwise: into OPEN with key g + weight * h

## ARAStar.reorder

    OPEN := OPEN and all that have waited,
            by keys of the new weight
    nothing is closed
"""


def _ara(options: dict[str, Any]) -> Planner:
    first, down = tenths(options["weight"]), tenths(options["down"])
    return set_budget(ARAStar(open_list(options), options["heuristic"], options["check"], first, down), options)


PLANNERS = (
    PlannerSpec(
        "ARA*",
        "ara",
        "Likhachev, Gordon, Thrun: ARA*, NIPS 2003",
        "weighted A* from the agent, then with smaller weights while the budget lasts; anew when the path is blocked",
        {**SEARCH_OPTIONS, **ANYTIME_OPTIONS},
        _ara,
        optimal=False,
        bounded_by="weight",
        family="repeated",
        order=340,  # beside AD*
        explanation=ARA,
    ),
)
