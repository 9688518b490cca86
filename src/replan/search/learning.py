"""What an agent learns from a search: larger h-values of the states that it expanded.

| rule           | new h of the expanded states s                          | used by                           |
|----------------|---------------------------------------------------------|-----------------------------------|
| `OnePass`      | f(best) - g(s)                                          | RTAA*, Adaptive A* and their kin  |
| `FromFrontier` | cheapest way to an open state, plus h there (Dijkstra); | LSS-LRTA* and its kin;            |
|                | that way counted several times                          | wLSS-LRTA*, wdaLSS-LRTA*          |
| `CurrentOnly`  | f(best), for the agent's state alone                    | TLA*                              |

Every rule learns from the open states as they were before a state was chosen: f(best) is the smallest f of all.
"""

from __future__ import annotations

from typing import Any

from replan.extensions import checked_integer, returned_integer, user_method
from replan.limits import LARGEST_UPDATE_WEIGHT
from replan.queues.base import OpenList
from replan.queues.factory import make_single_key_queue
from replan.search.astar import Search
from replan.search.lookahead import Lookahead, checked_lookahead
from replan.search.rule import Rule
from replan.signals import check_signals
from replan.spaces.neighbours import Neighbours
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


if not cython.compiled:
    from replan.interpreted import BATCH, INF, ints, longs


class LearningRule(Rule):
    """A rule of your own derives from this class and defines `learn(look)`: by how many ticks did h rise in all?

    What a rule promises, it says in its class: `skips_frontier`: it does without `look.frontier`. `consistent`: its h
    stays consistent, and `admissible`: its h never overestimates, where no cost has fallen. (Then an h beyond the cost
    of any path proves that there is no way; otherwise it is checked.) What a rule may read is a `Lookahead`.

    >>> import replan
    >>> class OneSweep(replan.LearningRule):
    ...     "h(s) := least c(s, v) + h(v), for each expanded state, the last one first."
    ...     admissible = True
    ...     def learn(self, look):
    ...         h, rise = look.h, 0
    ...         for s in reversed(look.closed):
    ...             best = max(h[s], min(cost + h[v] for v, cost in look.successors(s)))
    ...             rise += best - h[s]
    ...             h[s] = best
    ...         return rise
    >>> grid = replan.Grid([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]], neighbors=4)
    >>> rtaa = replan.planner("RTAA*", lookahead=2, learning=OneSweep())
    >>> replan.simulate(replan.World(grid), rtaa, (2, 0), (2, 3), max_moves=999).reached
    True
    """

    skips_frontier = consistent = admissible = False

    def learn(self, lookahead: Lookahead) -> int:
        """Raise the h-values of a search; by how many ticks in all?"""
        return self.update_h(checked_lookahead(lookahead))

    def update_h(self, lookahead: Lookahead) -> int:
        with cython.gil:
            increase = user_method(self, LearningRule, "learning rule", "learn")(lookahead)
            return returned_integer(self, "learn", increase, -INF, INF, "the sum by which h rose (0 if nothing was learned)")

    def prefault(self, lookahead: Lookahead) -> None:
        """Have all memory at hand that the rule itself needs; called where a deadline has to be kept.

        >>> LearningRule().touch(None)
        """


class OnePass(LearningRule):
    """RTAA* 2006, Figure 1, lines 06-07. Where costs have fallen h may not be consistent: then no value is lowered."""

    skips_frontier = consistent = admissible = True

    def update_h(self, lookahead: Lookahead) -> int:
        node, f = lookahead.search.node, lookahead.f_best
        increase = 0
        for i in range(lookahead.search.expanded):
            s = lookahead.search.closed[i]
            gain = max(0, f - node[s].g - node[s].h)  # quicker than a branch, which could not be foretold
            node[s].h = node[s].h + gain
            increase += gain
        return increase


class CurrentOnly(LearningRule):
    """Korf's: only the state of the agent learns."""

    skips_frontier = admissible = True

    def update_h(self, lookahead: Lookahead) -> int:
        node = lookahead.search.node
        increase: int = max(0, lookahead.f_best - node[lookahead.agent_state].h)
        node[lookahead.agent_state].h = node[lookahead.agent_state].h + increase
        return increase


class FromFrontier(LearningRule):
    """Dijkstra's algorithm from the open states through the expanded ones (Koenig and Sun 2009, Figure 2).

    The paper's queue begins with all open states. Here it never holds one: each expanded state begins with its cheapest
    step to an open one, which is what they would have given it. The h-values are the same, and the open states, often
    more than the expanded ones, need not be listed nor ordered. The queue is its own, so that the ties of the search
    are not disturbed.

    weight: how many times steps count (Rivera, Baier, Hernández: Incorporating Weights into Real-Time Heuristic Search,
    AIJ 225, 2015). The agent then leaves depressions in fewer visits. h is not consistent but w-consistent, h(s) <= w
    c(s, t) + h(t), so at most w times too large, and never falls. `consistent` and `admissible` mean that here.
    """

    skips_frontier = consistent = admissible = True

    def __init__(self, update_weight: int = 1) -> None:
        self.update_weight = checked_integer("weight", update_weight, 1, LARGEST_UPDATE_WEIGHT)
        self.queue, self.queue_h_cap, self.fitted_states, self.increase, self.state_count = make_single_key_queue(0), -1, 0, 0, 0

    def constructor_args(self) -> tuple[Any, ...]:
        return FromFrontier, self.update_weight  # its queue is empty between searches

    def prefault(self, lookahead: Lookahead) -> None:
        self.queue_h_cap = -1  # the keys are laid out in the next search
        self.queue = make_single_key_queue(self.update_weight * lookahead.space.max_edge_round_trip, self.queue)
        self.queue.reserve(lookahead.space.n)
        self.queue.prefault()

    def update_h(self, lookahead: Lookahead) -> int:
        if self.queue_h_cap != lookahead.search.h_cap or self.fitted_states != lookahead.space.n:
            with cython.gil:
                self.set_bounds(lookahead)
        self.increase = 0
        self.set_h_infinite(lookahead.search)
        self.queue_border(lookahead.space, lookahead.search.neighbours, self.queue, lookahead.search)
        self.propagate(lookahead.space, lookahead.search.neighbours, self.queue, lookahead.search)
        self.sum_increase(lookahead.search)
        return max(0, self.increase)  # after costs have fallen, an h that was kept may fall with them

    def set_bounds(self, look: Lookahead) -> int:
        self.queue_h_cap = -1
        span, dearest = self.update_weight * look.space.max_edge_round_trip, self.update_weight * look.space.max_path_cost
        self.queue = make_single_key_queue(span, self.queue)
        self.queue.set_bounds(look.space.n, look.search.h_cap + dearest, 1, span)
        self.queue_h_cap, self.fitted_states = look.search.h_cap, look.space.n
        return 0

    def set_h_infinite(self, search: Search) -> int:
        """Set the h of the expanded states to infinity."""
        node, closed = search.node, ints(search.closed)
        k = 0
        for i in range(search.expanded):
            s = closed[i]
            # an inconsistent h can expand a state twice, or open it again: list it once from here on, or not at all
            if node[s].stamp == search.x + 1 and node[s].h < INF:
                self.increase -= node[s].h
                node[s].h = INF
                closed[k] = s
                k += 1
        self.state_count = k
        return 0

    def queue_border(self, space: Space, near: Neighbours, queue: OpenList, search: Search) -> int:
        """Put the expanded states from which a step leads to an open one into the queue."""
        node, closed, succ, cost = search.node, ints(search.closed), near.state, near.cost
        new, new_f = ints(queue.batch_states), longs(queue.batch_f)
        opened, w = search.x, self.update_weight  # the stamp of open states
        queue.clear()
        fresh = 0
        for i in range(self.state_count):
            s = closed[i]
            least = INF
            k = space.expand(near, s)
            for j in range(k):
                v = succ[j]
                if node[v].stamp == opened:
                    least = min(least, node[v].h + w * cost[j])
            if least < INF:
                node[s].h = least
                new[fresh], new_f[fresh] = s, least
                fresh += 1
                if fresh == BATCH:
                    queue.insert_batch(fresh)
                    fresh = 0
            if i & 8191 == 8191:
                check_signals()
        return queue.insert_batch(fresh)

    def propagate(self, space: Space, near: Neighbours, queue: OpenList, search: Search) -> int:
        node, pred, cost = search.node, near.state, near.cost
        new, new_f = ints(queue.batch_states), longs(queue.batch_f)
        left, fresh, w = self.state_count, 0, self.update_weight
        closed = search.x + 1  # the stamp of expanded states
        while True:
            u = queue.insert_batch_and_pop(fresh, -1, INF, 0)
            fresh = 0
            left -= 1
            if u < 0 or left == 0:  # nobody is left to tell
                break
            if left & 8191 == 8191:
                check_signals()
            hu = node[u].h
            k = space.expand_reverse(near, u)
            for i in range(k):
                p = pred[i]
                if node[p].stamp != closed:
                    continue
                hp = hu + w * cost[i]
                old = node[p].h
                if hp < old:
                    node[p].h = hp
                    new[fresh], new_f[fresh] = p if old == INF else -1 - p, hp
                    fresh += 1
                    if fresh == BATCH:
                        queue.insert_batch(fresh)
                        fresh = 0
        return 0

    def sum_increase(self, search: Search) -> int:
        """Sum up. What cannot reach an open state (in directed graphs) has no way to a goal."""
        node = search.node
        for i in range(self.state_count):
            s = search.closed[i]
            if node[s].h >= search.h_cap:
                node[s].h = search.h_cap
            self.increase += node[s].h
        return 0


PSEUDO_CODE = """
## OnePass.update_h

    for each expanded state s:
        h(s) := max(h(s), f(best) - g(s))

## CurrentOnly.update_h

    s := the agent's state
    h(s) := max(h(s), f(best))

## FromFrontier.queue_border

    (the h of all expanded states is infinite now)
    for each expanded state s:
        h(s) := least weight * c(s, v) + h(v)
                over its open neighbours v
        put s into the queue by h(s), if it has one

## FromFrontier.propagate

    while the queue is not empty:
        u := state with the smallest h
        for each expanded predecessor p of u:
            if h(u) + weight * c(p, u) < h(p):
                h(p) := that; put p into the queue
"""
