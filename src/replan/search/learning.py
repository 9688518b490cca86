"""Learning rules: how the h-values of the expanded states grow after a search.

| rule           | new h of the expanded states s                           | used by                           |
|----------------|----------------------------------------------------------|-----------------------------------|
| `OnePass`      | f(best) - g(s)                                           | RTAA*, Adaptive A* and variants   |
| `FromFrontier` | least weight * cost to an open state, plus its h         | LSS-LRTA* and variants;           |
|                | (Dijkstra's algorithm)                                   | weight > 1: wLSS-LRTA*            |
| `CurrentOnly`  | f(best), for the agent's state alone                     | TLA*                              |

f(best) is the smallest f of all open states. Every rule learns from the open list as it was when the search stopped,
before a choosing rule removed states from it.
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
    """Base class of learning rules: how h-values grow after a search.

    A rule of your own derives from this class and defines `learn`. Hand an instance to a planner:
    `learning=OneSweep()`.

    Notes
    -----
    A class declares what it promises by three attributes, all False by default:

    - `skips_frontier`: the rule does not read `lookahead.frontier`, so no copy of the open list is made;
    - `consistent`: h stays consistent as long as no cost falls;
    - `admissible`: h never overestimates as long as no cost falls. Then an h above the cost of any path proves that no
      goal can be reached. Otherwise the planner checks this separately.

    See Also
    --------
    replan.search.lookahead.Lookahead : What a rule may read.

    Examples
    --------
    >>> import replan
    >>> class OneSweep(replan.LearningRule):
    ...     "h(s) := least c(s, v) + h(v), for each expanded state, the last one first."
    ...     admissible = True
    ...     def learn(self, lookahead):
    ...         h, increase = lookahead.h, 0
    ...         for s in reversed(lookahead.closed):
    ...             new_h = max(h[s], min(cost + h[v] for v, cost in lookahead.successors(s)))
    ...             increase += new_h - h[s]
    ...             h[s] = new_h
    ...         return increase
    >>> grid = replan.Grid([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]], neighbors=4)
    >>> rtaa = replan.planner("RTAA*", lookahead=2, learning=OneSweep())
    >>> replan.simulate(replan.World(grid), rtaa, (2, 0), (2, 3), max_moves=999).reached
    True
    """

    skips_frontier = consistent = admissible = False

    def learn(self, lookahead: Lookahead) -> int:
        """Raise the h-values of states after a search. A rule of your own overrides this method.

        The planner calls it once after each search that leaves open states, before the agent moves.

        Parameters
        ----------
        lookahead
            The search that has stopped. Its `h` may be written; in a crowd only for expanded states.

        Returns
        -------
        int
            The sum by which h rose, in cost units; 0 if nothing was learned.
        """
        return self.update_h(checked_lookahead(lookahead))

    def update_h(self, lookahead: Lookahead) -> int:
        """Call `learn` of a rule written in Python. Compiled rules override this method."""
        with cython.gil:
            increase = user_method(self, LearningRule, "learning rule", "learn")(lookahead)
            return returned_integer(
                self, "learn", increase, -INF, INF, "the sum by which h rose (0 if nothing was learned)"
            )

    def prefault(self, lookahead: Lookahead) -> None:
        """Reserve and prefault the memory that the rule itself needs.

        A planner calls it from `warm_up`, or if it has a time limit. A rule without memory of its own need not override
        it.

        Parameters
        ----------
        lookahead
            The search that the rule will work on.

        Examples
        --------
        >>> LearningRule().prefault(None)
        """


class OnePass(LearningRule):
    """h(s) := f(best) - g(s) for all expanded states (RTAA* 2006, Figure 1, lines {06-07}).

    After costs have fallen, h may be inconsistent. Then no value is lowered.
    """

    skips_frontier = consistent = admissible = True

    def update_h(self, lookahead: Lookahead) -> int:
        node, f_best = lookahead.search.node, lookahead.f_best  # g[s_bar] + h[s_bar]
        increase = 0
        for i in range(lookahead.search.expanded):  # {06}
            s = lookahead.search.closed[i]
            gain = max(0, f_best - node[s].g - node[s].h)  # faster than a branch, which would be mispredicted
            node[s].h = node[s].h + gain  # {07}: h[s] := g[s_bar] + h[s_bar] - g[s]
            increase += gain
        return increase


class CurrentOnly(LearningRule):
    """h(s) := f(best) for the state of the agent alone (Korf 1990)."""

    skips_frontier = admissible = True

    def update_h(self, lookahead: Lookahead) -> int:
        node = lookahead.search.node
        increase: int = max(0, lookahead.f_best - node[lookahead.agent_state].h)
        node[lookahead.agent_state].h = node[lookahead.agent_state].h + increase
        return increase


class FromFrontier(LearningRule):
    """Dijkstra's algorithm from the open states through the expanded ones (Koenig and Sun 2009, Figure 2).

    Parameters
    ----------
    update_weight
        Factor of step costs, from 1 to 100 (Rivera, Baier, Hernández: Incorporating Weights into Real-Time Heuristic
        Search, AIJ 225, 2015). With a factor w > 1 the agent leaves depressions in fewer visits.

    Notes
    -----
    The queue of the paper begins with all open states. Here no open state enters the queue: each expanded state begins
    with its cheapest step to an open state. The h-values are the same, and the open list, often larger than the closed
    one, is neither listed nor ordered. The rule has a queue of its own, so that it does not disturb the ties of the
    search.

    With a weight w, h is w-consistent: h(s) <= w c(s, t) + h(t). It is at most w times too large and never falls.
    `consistent` and `admissible` have this meaning here.
    """

    skips_frontier = consistent = admissible = True

    def __init__(self, update_weight: int = 1) -> None:
        self.update_weight = checked_integer("update_weight", update_weight, 1, LARGEST_UPDATE_WEIGHT)
        self.queue, self.queue_h_cap, self.fitted_states, self.increase, self.state_count = (
            make_single_key_queue(0),
            -1,
            0,
            0,
            0,
        )

    def constructor_args(self) -> tuple[Any, ...]:
        return FromFrontier, self.update_weight  # the queue is empty between searches

    def prefault(self, lookahead: Lookahead) -> None:
        self.queue_h_cap = -1  # the next search sets the bounds of the keys
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
        return max(0, self.increase)  # after costs have fallen, h may fall, too

    def set_bounds(self, lookahead: Lookahead) -> int:
        """Prepare the queue for the largest keys that this space and weight can produce."""
        self.queue_h_cap = -1
        span = self.update_weight * lookahead.space.max_edge_round_trip
        max_path_cost = self.update_weight * lookahead.space.max_path_cost
        self.queue = make_single_key_queue(span, self.queue)
        self.queue.set_bounds(lookahead.space.n, lookahead.search.h_cap + max_path_cost, 1, span)
        self.queue_h_cap, self.fitted_states = lookahead.search.h_cap, lookahead.space.n
        return 0

    def set_h_infinite(self, search: Search) -> int:
        """Set h of all expanded states to infinity."""
        node, closed = search.node, ints(search.closed)
        k = 0
        for i in range(search.expanded):
            s = closed[i]
            # with an inconsistent h a state is expanded twice, or opened again: list it once, or not at all
            if node[s].stamp == search.x + 1 and node[s].h < INF:
                self.increase -= node[s].h
                node[s].h = INF
                closed[k] = s
                k += 1
        self.state_count = k
        return 0

    def queue_border(self, space: Space, neighbours: Neighbours, queue: OpenList, search: Search) -> int:
        """Queue each expanded state that has a step to an open state."""
        node, closed, succ, cost = search.node, ints(search.closed), neighbours.state, neighbours.cost
        batch_states, batch_f = ints(queue.batch_states), longs(queue.batch_f)
        open_stamp, weight = search.x, self.update_weight
        queue.clear()
        batch_count = 0
        for i in range(self.state_count):
            s = closed[i]
            new_h = INF
            k = space.expand(neighbours, s)
            for j in range(k):
                v = succ[j]
                if node[v].stamp == open_stamp:
                    new_h = min(new_h, node[v].h + weight * cost[j])
            if new_h < INF:
                node[s].h = new_h
                batch_states[batch_count], batch_f[batch_count] = s, new_h
                batch_count += 1
                if batch_count == BATCH:
                    queue.insert_batch(batch_count)
                    batch_count = 0
            if i & 8191 == 8191:
                check_signals()
        return queue.insert_batch(batch_count)

    def propagate(self, space: Space, neighbours: Neighbours, queue: OpenList, search: Search) -> int:
        """Spread h from the queued states to their expanded predecessors, smallest h first."""
        node, pred, cost = search.node, neighbours.state, neighbours.cost
        batch_states, batch_f = ints(queue.batch_states), longs(queue.batch_f)
        remaining, batch_count, weight = self.state_count, 0, self.update_weight
        closed_stamp = search.x + 1
        while True:
            u = queue.insert_batch_and_pop(batch_count, -1, INF, 0)
            batch_count = 0
            remaining -= 1
            if u < 0 or remaining == 0:  # all expanded states have their final h
                break
            if remaining & 8191 == 8191:
                check_signals()
            h_u = node[u].h
            k = space.expand_reverse(neighbours, u)
            for i in range(k):
                p = pred[i]
                if node[p].stamp != closed_stamp:
                    continue
                h_p = h_u + weight * cost[i]
                old_h = node[p].h
                if h_p < old_h:
                    node[p].h = h_p
                    batch_states[batch_count], batch_f[batch_count] = p if old_h == INF else -1 - p, h_p
                    batch_count += 1
                    if batch_count == BATCH:
                        queue.insert_batch(batch_count)
                        batch_count = 0
        return 0

    def sum_increase(self, search: Search) -> int:
        """Sum up by how much h rose.

        In a directed graph h stays infinite where no open state can be reached: it is set to the cap.
        """
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
    for each expanded state s with an open neighbour:
        h(s) := least weight * c(s, v) + h(v)
                over its open neighbours v
        put s into the queue by h(s)

## FromFrontier.propagate

    while the queue is not empty:
        u := state with the smallest h
        for each expanded predecessor p of u:
            if h(u) + weight * c(p, u) < h(p):
                h(p) := that; put p into the queue
"""
