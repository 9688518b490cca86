"""What an agent learns from a search: larger h-values of the states that it expanded.

| rule          | new h of every expanded state s                         | used by                           |
|---------------|---------------------------------------------------------|-----------------------------------|
| `OnePass`     | f(best) - g(s)                                          | RTAA*, Adaptive A* and their kin  |
| `FromBorder`  | cheapest way to an open state, plus h there (Dijkstra)  | LSS-LRTA* and its kin             |
| `CurrentOnly` | f(best), for the agent's state alone                    | TLA*                              |

Every rule reads the open list as it was before a state was chosen: f(best) is the smallest f of all.
"""

from __future__ import annotations

from replan.limits import INF
from replan.own import missing, own_method
from replan.queues.base import BATCH, OpenList
from replan.queues.plain import plain_queue
from replan.search.astar import Search
from replan.search.lookahead import Lookahead
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


if not cython.compiled:
    from replan.arrays import ints, longs


class LearningRule:
    """A rule of your own derives from this class and defines `learn(look)`: by how many ticks did h rise in all?

    `skips_border`: can the rule do without `look.frontier`?
    """

    skips_border: bool

    def __init__(self) -> None:
        self.skips_border = False

    def learn(self, look: Lookahead) -> int:
        if cython.compiled:
            with cython.gil:
                return int(own_method(self, "learning rule", "learn")(look) or 0)
        else:
            raise missing(self, "learning rule", "learn")

    def touch(self, look: Lookahead) -> None:
        """Have all memory at hand that the rule itself needs."""


class OnePass(LearningRule):
    """Paper 000, Figure 1, lines 06-07. Where costs have fallen h may not be consistent: then no value is lowered."""

    def __init__(self) -> None:
        self.skips_border = True

    def learn(self, look: Lookahead) -> int:
        f = look.f_best
        increase = 0
        for i in range(look.search.expanded):
            s = 4 * look.search.closed[i]  # its g and h are node[s] and node[s + 1]
            rise = max(0, f - look.search.node[s] - look.search.node[s + 1])  # a branch would be anyone's guess
            look.search.node[s + 1] += rise
            increase += rise
        return increase


class CurrentOnly(LearningRule):
    """Korf's: only the state of the agent learns."""

    def __init__(self) -> None:
        self.skips_border = True

    def learn(self, look: Lookahead) -> int:
        increase = max(0, look.f_best - look.search.h[look.at])
        look.search.h[look.at] += increase
        return increase


class FromBorder(LearningRule):
    """Dijkstra's algorithm from the open states through the expanded ones (Koenig and Sun 2009, Figure 2).

    It has an open list of its own, so that the ties of the search are not disturbed.
    """

    def __init__(self) -> None:
        self.skips_border = False
        self.queue, self.fitted, self.increase, self.states = plain_queue(0), -1, 0, 0

    def touch(self, look: Lookahead) -> None:
        self.queue = plain_queue(look.space.span, self.queue)
        self.queue.fit(look.space.n, 1, 1, look.space.span)
        self.queue.touch()
        self.fitted = -1  # the keys are laid out in the first search

    def learn(self, look: Lookahead) -> int:
        if self.fitted != look.search.cap:
            with cython.gil:
                self.fit(look)
        self.increase = 0
        self.start(look, self.queue, look.search)
        self.spread(look.space, self.queue, look.search)
        self.finish(look.search)
        return self.increase

    def fit(self, look: Lookahead) -> int:
        self.fitted = look.search.cap
        self.queue = plain_queue(look.space.span, self.queue)
        return self.queue.fit(look.space.n, look.search.cap + look.space.bound, 1, look.space.span)

    def start(self, look: Lookahead, queue: OpenList, search: Search) -> int:
        """Order the open states by h, set the others to infinity."""
        node, closed, border = longs(search.node), ints(search.closed), ints(look.border)
        new, new_f = ints(queue.new), longs(queue.new_f)
        queue.clear()
        fresh = 0
        for i in range(look.fringe):
            s = border[i]
            new[fresh], new_f[fresh] = s, node[4 * s + 1]
            fresh += 1
            if fresh == BATCH:
                queue.take_in(fresh)
                fresh = 0
        queue.take_in(fresh)
        k = 0
        for i in range(search.expanded):
            s = closed[i]
            # an inconsistent h can expand a state twice, or open it again: list it once from here on, or not at all
            if node[4 * s + 2] == search.x + 1 and node[4 * s + 1] < INF:
                self.increase -= node[4 * s + 1]
                node[4 * s + 1] = INF
                closed[k] = s
                k += 1
        self.states = k
        return 0

    def spread(self, space: Space, queue: OpenList, search: Search) -> int:
        node, succ, cost = longs(search.node), ints(space.succ), longs(space.cost)
        new, new_f = ints(queue.new), longs(queue.new_f)
        left, fresh = self.states, 0
        x = search.x + 1  # the stamp of expanded states
        while left > 0:
            u = queue.exchange(fresh, -1, INF, 0)
            fresh = 0
            if u < 0:
                break
            if node[4 * u + 2] == x:
                left -= 1
            hu = node[4 * u + 1]
            k = space.reverse(u)
            for i in range(k):
                p = succ[i]
                if node[4 * p + 2] != x:
                    continue
                hp = hu + cost[i]
                old = node[4 * p + 1]
                if hp < old:
                    node[4 * p + 1] = hp
                    new[fresh], new_f[fresh] = p if old == INF else -1 - p, hp
                    fresh += 1
                    if fresh == BATCH:
                        queue.take_in(fresh)
                        fresh = 0
        return 0

    def finish(self, search: Search) -> int:
        """Sum up. What cannot reach an open state (in directed graphs) has no way to a goal."""
        for i in range(self.states):
            s = search.closed[i]
            if search.h[s] >= search.cap:
                search.h[s] = search.cap
            self.increase += search.h[s]
        return 0
