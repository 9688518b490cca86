"""The keys of incremental search: in which order D* Lite, LPA* and AD* expand inconsistent states.

With m = min(g, rhs) and e = h + k_m (buckets 2006), where the 0 or 1 of (g >= rhs) puts under-consistent states first:

| order                     | f, then g as the open list orders them |
|---------------------------|-----------------------------------------|
| smaller g                 | m + e, then smaller m (*)               |
| larger g                  | 2 (m + e) + (g >= rhs), then larger m   |
| buckets: a single number  | 2 (m + e) + (g >= rhs)                  |

(*) Where the bits of f and m do not fit one word m loses its lowest ones: then 2 (m + e) + (g >= rhs), then smaller m.

AD*, with its weight in tenths: 2 (10 (m + h) + k_m) for under-consistent states, 2 (10 m + weight h + k_m) + 1 for the
others.

`Incremental.key_of` computes them.

The keys printed for buckets in buckets 2006 leave k_m out; it has to be there as soon as the agent moves.
"""

from __future__ import annotations

from typing import Any

from replan.errors import InputError
from replan.limits import LARGEST_BOUND, LARGEST_H_WEIGHT, LARGEST_KEY
from replan.queues.base import OpenList
from replan.serialization import Archive, not_copyable_error
from replan.spaces.cell_distance import CellDistance
from replan.spaces.heuristics import user_estimate
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython

if not cython.compiled:
    from replan.interpreted import INF


class Keys:
    """h-values to or from the target, and what keys are made of them.

    `sharp`: the first row of the table. `km` is k_m: how far the target has moved, so that keys made before are lower
    bounds. `blind`: h = 0 from the next `begin` on. `roams`: the root moves and keeps its g, up to `bound`.
    """

    space: Space
    target: int
    k_m: int
    inflation: int
    uses_smaller_g_keys: bool
    uses_zero_h: bool
    cell_distance: CellDistance

    def __init__(self, smaller_g: bool, heuristic: Any, forward: bool, anytime: bool, roams: bool = False) -> None:
        self.user_heuristic, self.has_user_function = heuristic, callable(heuristic)
        self.uses_zero_h = isinstance(heuristic, str) and heuristic == "zero"
        self.prefers_smaller_g, self.is_forward, self.is_anytime, self.root_moves = smaller_g, forward, anytime, roams
        self.inflation = 10

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def check_heuristic(self) -> None:
        zero = isinstance(self.user_heuristic, str) and self.user_heuristic == "zero"
        if self.user_heuristic is not None and not self.has_user_function and not zero:
            raise InputError("incremental search needs estimates between any two cells: give a function, not an array")

    def begin(self, space: Space, target: int) -> None:
        self.check_heuristic()
        self.space, self.target, self.k_m, self.queue_bound = space, target, 0, -1
        distance = space.heuristic_to(target)
        self.uses_cell_distance = isinstance(distance, CellDistance) and self.user_heuristic is None and not self.uses_zero_h
        if self.uses_cell_distance:
            self.cell_distance = distance

    # h.

    def estimate_between(self, a: int, b: int) -> int:
        """The estimate of the way from a to b."""
        if self.uses_zero_h:
            return 0
        if self.has_user_function:
            with cython.gil:
                return self.call_user_function(a, b)
        return self.space.estimate(a, b)

    def call_user_function(self, a: int, b: int) -> int:
        return user_estimate(self.user_heuristic, self.space, a, b)

    def h(self, s: int) -> int:
        """h of a state: to the target, or from it where the search runs backward."""
        return self.estimate_between(s, self.target) if self.is_forward else self.estimate_between(self.target, s)

    def move_target(self, s: int) -> int:
        """The agent stands on s now: keys that were made before become lower bounds."""
        h = self.h(s)
        self.k_m += self.inflation * h if self.is_anytime else h
        self.target = s
        if self.uses_cell_distance:
            self.cell_distance.set_cell(s)
        return 0

    # The range of keys.

    def set_inflation(self, weight: int) -> None:
        self.inflation = weight

    def are_outgrown(self) -> bool:
        """Do keys no longer fit? Costs may have grown, and k_m grows with every move."""
        return self.queue_bound != self.space.max_path_cost or self.k_m > self.max_k_m

    def set_bounds(self, open: OpenList, bound: int) -> int:
        """Begin with k_m = 0, and make room in an empty queue for all keys that there can be up to this bound."""
        if self.is_anytime and 1.0 * bound * (12 * self.inflation + 20) >= LARGEST_KEY:
            raise InputError("costs of this size times the weight do not fit 62 bits: scale them down, or the weight")
        scale = self.inflation if self.is_anytime else 1
        self.queue_bound, self.k_m, self.max_k_m = -1, 0, scale * bound
        farthest = 2 * bound if self.root_moves else bound
        most = 3 * bound + farthest + self.space.max_edge_round_trip  # m + h + k_m
        self.uses_smaller_g_keys = self.prefers_smaller_g
        if self.uses_smaller_g_keys:
            open.set_bounds(self.space.n, most, farthest, self.space.max_edge_round_trip)
            self.uses_smaller_g_keys = open.orders_by_exact_g()
        if not self.uses_smaller_g_keys:
            most = 2 * scale * most + 20 * bound + 1 if self.is_anytime else 2 * most + 1
            # the keys in the queue lie further apart than in A*: with some room, as far as is known
            apart = 2 * self.inflation * self.space.max_edge_round_trip if self.is_anytime else 8 * self.space.max_edge_round_trip
            open.set_bounds(self.space.n, most, farthest, apart)
        self.queue_bound = bound
        return 0

    def serialize(self, archive: Archive, open: OpenList) -> None:
        """How keys are made now. The queue is still empty when it is loaded."""
        self.inflation = archive.integer("inflation", self.inflation, 10, LARGEST_H_WEIGHT)
        fitted = archive.integer("queue_bound", self.queue_bound, 0, LARGEST_BOUND)
        if archive.is_loading:
            self.set_bounds(open, fitted)
        self.k_m = archive.integer("k_m", self.k_m, 0, INF >> 2)
