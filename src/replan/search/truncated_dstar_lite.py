"""The search of Truncated D* Lite: it stops repairing where the old path is good enough.

(Aine, Likhachev: Truncated incremental search, AIJ 234, 2016.) gpi(s) is the cost of following `next` from s to a goal.
Let e be the bound, u the first state of the queue, and low = min(g, rhs)(u) + h(u), a lower bound of the cost of any
path.

- Rule 2: if gpi(target) <= e low, the search ends. The path is that of gpi(target).
- Rule 1: if u is under-consistent and gpi(u) + h(u) <= e (g(u) + h(u)), then u is *truncated*: it leaves the queue, the
  path of gpi(u) is stored, and u does not change any more in this search. Its rhs is recomputed before the next search.

A truncated state has rhs = -1 and next = -1. So it improves no neighbour, and no state has it as its source. Costs do
not change during a search, so a stored path stays valid when `next` changes later. A path that reaches a state of
another stored path ends there and shares the rest. So no state is stored twice, the stored paths form a tree, and a
search stores at most as many states as there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from replan.arrays import empty, grown, zeros
from replan.queues.base import OpenList
from replan.search.incremental import Incremental

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF


class TruncatedSearch(Incremental):
    """`Incremental` with truncated states and stored paths.

    `bound` is e in hundredths. truncated_states[:truncated_count] are the truncated states.
    stored_states[:stored_count] are the states of stored paths: from stored_states[k] a goal costs stored_cost[k], and
    the next state of the path is stored_states[stored_next[k]], or none (-1) for a goal. stored_index[s] is k if s is
    stored_states[k]. The path from the target is measured again at turn `next_check_turn`. `repairs_all`: no more
    states are truncated.
    """

    bound: int
    truncated_count: int

    def __init__(self, open: OpenList, heuristic: Any, bound: int) -> None:
        Incremental.__init__(self, open, heuristic)
        self.bound, self.truncated_count, self.stored_count, self.walked, self.join_index = bound, 0, 0, 0, -1
        self.path_keeps_bound, self.can_truncate = False, True
        self.truncated_states, self.stored_index = empty(64, np.int32), empty(1, np.int32)
        self.stored_states, self.stored_next = empty(256, np.int32), empty(256, np.int32)
        self.stored_cost = empty(256, np.int64)

    def bind_arrays(self, n: int) -> None:
        Incremental.bind_arrays(self, n)
        self.stored_index = zeros(n, np.int32)

    def clear_truncated(self) -> int:
        """Forget the truncated states: a new search begins."""
        self.truncated_count = self.stored_count = self.walked = 0
        return 0

    def restore(self) -> int:
        """Recompute the rhs of all truncated states."""
        k = self.truncated_count
        self.clear_truncated()
        for i in range(k):
            self.recompute_rhs(self.space, self.succ_neighbours, self.truncated_states[i])
        return self.flush()

    def stored_index_of(self, s: int) -> int:
        """Return the index of s among the stored states, -1 if it is not stored (in this search)."""
        k = self.stored_index[s]
        return k if k < self.stored_count and self.stored_states[k] == s else -1

    def measure_path(self, s: int, max_cost: int) -> int:
        """Return gpi(s), or INF if it is more than `max_cost`, or the path is broken or runs in a circle.

        `walked` is the number of its steps that are not stored; `join_index` is the stored state where it goes on, -1
        if none. A circle is noticed when the path returns to its checkpoint, which moves after 1, 2, 4... steps
        (Brent's algorithm).
        """
        node, cost, k, v, checkpoint, next_checkpoint = self.node, 0, 0, s, s, 1
        next_v, index = node[v].next, self.stored_index_of(v)
        while next_v >= 0 and index < 0:
            cost += node[v].rhs - node[next_v].g  # the step from v to next_v
            k += 1
            if cost > max_cost or next_v == checkpoint:
                self.walked = k
                return INF
            if k == next_checkpoint:
                checkpoint = next_v
                next_checkpoint = 2 * next_checkpoint
            v = next_v
            next_v, index = node[v].next, self.stored_index_of(v)
        self.walked, self.join_index = k, index
        if index >= 0:
            cost += self.stored_cost[index]
        elif node[v].rhs > 0:
            return INF  # the path is broken: it ends at no goal, whose rhs is 0
        return cost if cost <= max_cost else INF

    def store_path(self, u: int, cost: int) -> int:
        """Truncate u, whose path was measured last and has this cost."""
        node, v, cost_to_goal = self.node, u, cost
        if (
            self.truncated_count == len(self.truncated_states)
            or self.stored_count + self.walked >= len(self.stored_states)
        ):
            with cython.gil:
                self.grow_arrays()
        for _ in range(self.walked):
            self.store_state(v, cost_to_goal, self.stored_count + 1)
            next_v = node[v].next
            cost_to_goal -= node[v].rhs - node[next_v].g
            v = next_v
        if self.join_index < 0:  # the path ends at a goal that is not stored yet
            self.store_state(v, 0, -1)
        elif self.walked > 0:
            self.stored_next[self.stored_count - 1] = self.join_index
        self.truncated_states[self.truncated_count] = u
        self.truncated_count += 1
        node[u].rhs = node[u].next = -1
        return 0

    def store_state(self, s: int, cost_to_goal: int, next_index: int) -> int:
        """Store a state of a path: the cost from it to a goal, and the index of the next state."""
        k = self.stored_count
        self.stored_states[k] = s
        self.stored_cost[k] = cost_to_goal
        self.stored_next[k] = next_index
        self.stored_index[s] = k
        self.stored_count = k + 1
        return 0

    def grow_arrays(self) -> int:
        """Make the arrays large enough for one more truncated state and its path."""
        if self.truncated_count == len(self.truncated_states):
            self.truncated_states = grown(self.truncated_states, 2 * self.truncated_count)
        min_size = self.stored_count + self.walked + 1
        if min_size > len(self.stored_states):
            states, next_states = grown(self.stored_states, 2 * min_size), grown(self.stored_next, 2 * min_size)
            costs = grown(self.stored_cost, 2 * min_size)
            self.stored_states, self.stored_next, self.stored_cost = states, next_states, costs
        return 0

    def is_good_enough(self, rhs: int) -> bool:
        """Return True if no path exists, or the path from the target keeps the bound."""
        return rhs >= INF or self.keeps_bound(rhs)

    def keeps_bound(self, low: int) -> bool:
        """Rule 2: return True if the path from the target costs at most e `low`. Then the search ends."""
        self.path_keeps_bound = self.measure_path(self.target, self.bound * low // 100) < INF
        return self.path_keeps_bound

    def advance(self, limit: int, deadline: int) -> int:
        """Search like D* Lite, with both rules. The path is measured again after as many turns as it has steps."""
        self.repairs_all, self.next_check_turn = False, 0
        return Incremental.advance(self, limit, deadline)

    def must_end(self) -> bool:
        """The truncated states break the bound: recompute them, and truncate no more. Return True the second time."""
        if self.repairs_all:
            return True
        self.repairs_all = True
        self.restore()
        return False

    def can_end_before(self, u: int, turns: int) -> bool:
        """Rule 2, from time to time: return True if the search ends before u, which is queued again."""
        if turns < self.next_check_turn and u != self.target:
            return False
        g, rhs, h = self.node[u].g, self.node[u].rhs, self.h_of(u)
        if not self.keeps_bound(min(g, rhs) + h):
            self.next_check_turn = turns + self.walked + 1
            return False
        self.enqueue(u, self.node[u].stamp, self.key_of(g, rhs, h), min(g, rhs))
        self.flush()
        return True

    def try_truncate(self, u: int) -> bool:
        """Rule 1: truncate u if it is under-consistent and its path is good enough. Return True if so."""
        g = self.node[u].g
        if g >= self.node[u].rhs or self.repairs_all:
            return False
        h = self.h_of(u)
        cost = self.measure_path(u, self.bound * (g + h) // 100 - h)
        if cost >= INF:
            return False
        self.store_path(u, cost)
        return True


PSEUDO_CODE = """
## TruncatedSearch.can_end_before

    low := min(g(u), rhs(u)) + h(u), for the first u of U
    gpi(agent) <= bound * low: stop (rule 2)

## TruncatedSearch.try_truncate

    u is under-consistent, and
    gpi(u) <= bound * (g(u) + h(u)) - h(u):
        store the path of gpi(u); leave u as it is (rule 1)

## TruncatedSearch.must_end

    U is empty, and the bound is not kept:
    recompute all truncated states, search on

## TruncatedSearch.measure_path

    cost := 0; v := s
    until v is a goal:
        v is on a stored path: add the cost of its rest; done
        add the step from v to next(v); v := next(v)
        more than allowed? infinite

## TruncatedSearch.store_path

    store u, its path, and the cost of the path
    rhs(u) and next(u) := none, so that no neighbour
    is improved by u
"""
