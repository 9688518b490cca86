"""The engine of Truncated D* Lite: it stops repairing where the old path is good enough.

(Aine, Likhachev: Truncated incremental search, AIJ 234, 2016.) gpi(s) is what it costs to follow `next` from s to a
goal. With a bound e, when u is first in the queue and low = min(g, rhs)(u) + h(u), below which no way can cost:

- rule 2: gpi(target) <= e low: the search ends, and the path is that of gpi(target);
- rule 1: u is under-consistent, and gpi(u) + h(u) <= e (g(u) + h(u)): u is *truncated*. It leaves the queue, the way
  that gpi(u) measured is kept, and nothing touches u again in this search. Before the next one its rhs is worked out.

A truncated state has rhs = -1 and next = -1, so that no neighbour seems to offer it anything, and nothing seems to come
through it. Costs do not change during a search, so a way that was kept stays a way, whatever becomes of `next`: one
that comes to a state of another ends there, and goes on as that one does. So no state is kept twice, all ways together
are a tree, and what a search keeps takes it no longer than the states are many.
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
    """bound: e, in hundredths.

    who[:count] are truncated. ways[:used] are the states that ways were kept of, truncated ones and others. From
    ways[k] it costs rest[k] to a goal, and the way goes on with ways[onward[k]], but for a goal, where that is -1.
    place[s] is k if s is ways[k]. The way from the target is looked at again at turn `look`. whole: nothing more is
    truncated.
    """

    bound: int
    truncated_count: int

    def __init__(self, open: OpenList, heuristic: Any, bound: int) -> None:
        Incremental.__init__(self, open, heuristic)
        self.bound, self.truncated_count, self.stored_count, self.walked, self.join_index = bound, 0, 0, 0, -1
        self.path_keeps_bound, self.can_truncate = False, True
        self.truncated_states, self.stored_index = empty(64, np.int32), empty(1, np.int32)
        self.stored_states, self.stored_next, self.stored_cost = empty(256, np.int32), empty(256, np.int32), empty(256, np.int64)

    def bind_arrays(self, n: int) -> None:
        Incremental.bind_arrays(self, n)
        self.stored_index = zeros(n, np.int32)

    def clear_truncated(self) -> int:
        """A new search: nobody is truncated."""
        self.truncated_count = self.stored_count = self.walked = 0
        return 0

    def restore(self) -> int:
        """Let all truncated states be as others again."""
        k = self.truncated_count
        self.clear_truncated()
        for i in range(k):
            self.recompute_rhs(self.space, self.succ_neighbours, self.truncated_states[i])
        return self.flush()

    def stored_index_of(self, s: int) -> int:
        """Where a way from s was kept, -1: there is none. (Places of earlier searches are told by who is there now.)"""
        k = self.stored_index[s]
        return k if k < self.stored_count and self.stored_states[k] == s else -1

    def measure_path(self, s: int, most: int) -> int:
        """gpi(s), or INF if that is more than `most`, or the way is cut, or runs in a circle.

        `walked`: its steps, as far as nothing of it was kept; `joined`: where it goes on, -1: nowhere. Most circles are
        short. One is noticed where the way comes back to its mark, which is set anew after 1, 2, 4... steps (Brent).
        """
        node, cost, k, v, mark, anew = self.node, 0, 0, s, s, 1
        w, place = node[v].next, self.stored_index_of(v)
        while w >= 0 and place < 0:
            cost += node[v].rhs - node[w].g  # the step from v to w
            k += 1
            if cost > most or w == mark:
                self.walked = k
                return INF
            if k == anew:
                mark = w
                anew = 2 * anew
            v = w
            w, place = node[v].next, self.stored_index_of(v)
        self.walked, self.join_index = k, place
        if place >= 0:
            cost += self.stored_cost[place]
        elif node[v].rhs > 0:
            return INF  # it is cut: the rhs of a goal is 0
        return cost if cost <= most else INF

    def store_path(self, u: int, cost: int) -> int:
        """Truncate u, whose way was walked last, and costs this."""
        node, v, rest = self.node, u, cost
        if self.truncated_count == len(self.truncated_states) or self.stored_count + self.walked >= len(self.stored_states):
            with cython.gil:
                self.grow_arrays()
        for _ in range(self.walked):
            self.store_state(v, rest, self.stored_count + 1)
            w = node[v].next
            rest -= node[v].rhs - node[w].g
            v = w
        if self.join_index < 0:  # at a goal, which no way led to so far
            self.store_state(v, 0, -1)
        elif self.walked > 0:
            self.stored_next[self.stored_count - 1] = self.join_index
        self.truncated_states[self.truncated_count] = u
        self.truncated_count += 1
        node[u].rhs = node[u].next = -1
        return 0

    def store_state(self, s: int, rest: int, onward: int) -> int:
        """Keep what a way from s costs, and where it goes on."""
        k = self.stored_count
        self.stored_states[k] = s
        self.stored_cost[k] = rest
        self.stored_next[k] = onward
        self.stored_index[s] = k
        self.stored_count = k + 1
        return 0

    def grow_arrays(self) -> int:
        """Have room for one more truncated state, and its way."""
        if self.truncated_count == len(self.truncated_states):
            self.truncated_states = grown(self.truncated_states, 2 * self.truncated_count)
        more = self.stored_count + self.walked + 1
        if more > len(self.stored_states):
            self.stored_states, self.stored_next, self.stored_cost = (
                grown(self.stored_states, 2 * more), grown(self.stored_next, 2 * more), grown(self.stored_cost, 2 * more)
            )
        return 0

    def is_good_enough(self, rhs: int) -> bool:
        return rhs >= INF or self.keeps_bound(rhs)

    def keeps_bound(self, low: int) -> bool:
        """Rule 2: does a way from the target keep the bound? Then a search ends, and this was its last walk."""
        self.path_keeps_bound = self.measure_path(self.target, self.bound * low // 100) < INF
        return self.path_keeps_bound

    def advance(self, limit: int, deadline: int) -> int:
        """As of D* Lite, with both rules. The way from the target is looked at after as many turns as it has steps."""
        self.repairs_all, self.next_check_turn = False, 0
        return Incremental.advance(self, limit, deadline)

    def must_end(self) -> bool:
        """What was truncated does not keep the bound together: repair it all."""
        if self.repairs_all:
            return True
        self.repairs_all = True
        self.restore()
        return False

    def can_end_before(self, u: int, turns: int) -> bool:
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

    low := min(g(u), rhs(u)) + h(u), of u, first in the queue
    the agent's way costs at most bound * low: stop

## TruncatedSearch.try_truncate

    u would be raised, and its own way costs at most
    bound * (g(u) + h(u)) - h(u): keep that way,
    leave u alone

## TruncatedSearch.must_end

    the queue is empty, and the bound is not kept:
    restore all that was truncated, search on

## TruncatedSearch.measure_path

    cost := 0; v := s
    until v is a goal:
        v is truncated: add what its own way costs; done
        add the step from v to next(v); v := next(v)
        more than allowed? infinite

## TruncatedSearch.store_path

    note u, its way, and what that costs
    rhs(u) and next(u) := none, so that no neighbour
    takes u for a way
"""
