"""The keys of incremental search: in which order D* Lite, LPA* and AD* expand inconsistent states.

Let m = min(g, rhs) and e = h + k_m (buckets 2006). The 0 or 1 of (g >= rhs) puts under-consistent states first:

| order                     | f, then g as the open list orders them  |
|---------------------------|-----------------------------------------|
| smaller g                 | m + e, then smaller m (*)               |
| larger g                  | 2 (m + e) + (g >= rhs), then larger m   |
| buckets: a single number  | 2 (m + e) + (g >= rhs)                  |

(*) If the bits of f and m do not fit one word, m loses its lowest bits. The order is then 2 (m + e) + (g >= rhs),
then smaller m.

AD* has a weight in tenths. Its keys (lines 01-04 of its Figure 3) are 2 (10 (m + h) + k_m) for under-consistent states
and 2 (10 m + weight h + k_m) + 1 for the others.

`Incremental.key_of` computes the keys. The keys printed for buckets in buckets 2006 leave k_m out, but it is needed as
soon as the agent moves.
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
    """The h-values to the target, or from it, and what keys are made of them.

    `uses_smaller_g_keys`: the first row of the table applies. `k_m`: the sum of h over the moves of the target, so that
    older keys are lower bounds. `uses_zero_h`: h = 0 from the next `begin` on. `root_moves`: the root moves and keeps
    its g, up to `bound`.
    """

    space: Space
    target: int
    k_m: int
    inflation: int
    uses_smaller_g_keys: bool
    uses_zero_h: bool
    cell_distance: CellDistance

    def __init__(
        self, prefers_smaller_g: bool, heuristic: Any, is_forward: bool, is_anytime: bool, root_moves: bool = False
    ) -> None:
        self.user_heuristic, self.has_user_function = heuristic, callable(heuristic)
        self.uses_zero_h = isinstance(heuristic, str) and heuristic == "zero"
        self.prefers_smaller_g, self.root_moves = prefers_smaller_g, root_moves
        self.is_forward, self.is_anytime = is_forward, is_anytime
        self.inflation = 10

    def __reduce__(self) -> Any:
        raise not_copyable_error(self, "a planner")

    def check_heuristic(self) -> None:
        """Raise InputError if the heuristic of the user is an array."""
        is_zero = isinstance(self.user_heuristic, str) and self.user_heuristic == "zero"
        if self.user_heuristic is not None and not self.has_user_function and not is_zero:
            raise InputError("incremental search needs estimates between any two cells: give a function, not an array")

    def begin(self, space: Space, target: int) -> None:
        """Begin a search of this space towards `target`, with k_m = 0."""
        self.check_heuristic()
        self.space, self.target, self.k_m, self.queue_bound = space, target, 0, -1
        distance = space.heuristic_to(target)
        self.uses_cell_distance = (
            isinstance(distance, CellDistance) and self.user_heuristic is None and not self.uses_zero_h
        )
        if self.uses_cell_distance:
            self.cell_distance = distance

    # h.

    def estimate_between(self, a: int, b: int) -> int:
        """Return the estimate of the cost from a to b."""
        if self.uses_zero_h:
            return 0
        if self.has_user_function:
            with cython.gil:
                return self.call_user_function(a, b)
        return self.space.estimate(a, b)

    def call_user_function(self, a: int, b: int) -> int:
        """Return the checked result of the heuristic function of the user."""
        return user_estimate(self.user_heuristic, self.space, a, b)

    def h(self, s: int) -> int:
        """Return h of a state: the estimate to the target; if the search runs backward, from the target."""
        return self.estimate_between(s, self.target) if self.is_forward else self.estimate_between(self.target, s)

    def move_target(self, s: int) -> int:
        """Add the move of the agent to s to k_m {30}: older keys become lower bounds."""
        h = self.h(s)
        self.k_m += self.inflation * h if self.is_anytime else h
        self.target = s
        if self.uses_cell_distance:
            self.cell_distance.set_cell(s)
        return 0

    # The range of keys.

    def set_inflation(self, inflation: int) -> None:
        """Set the weight of h, in tenths."""
        self.inflation = inflation

    def are_outgrown(self) -> bool:
        """Return True if keys may not fit the queue: costs may have grown, and k_m grows with every move."""
        return self.queue_bound != self.space.max_path_cost or self.k_m > self.max_k_m

    def set_bounds(self, open: OpenList, bound: int) -> int:
        """Set k_m = 0, and prepare an empty queue for all possible keys with path costs up to `bound`."""
        if self.is_anytime and 1.0 * bound * (12 * self.inflation + 20) >= LARGEST_KEY:
            raise InputError("costs times the weight do not fit 62 bits: use smaller costs or a smaller weight")
        scale = self.inflation if self.is_anytime else 1
        self.queue_bound, self.k_m, self.max_k_m = -1, 0, scale * bound
        largest_g = 2 * bound if self.root_moves else bound
        largest_key = 3 * bound + largest_g + self.space.max_edge_round_trip  # m + h + k_m
        self.uses_smaller_g_keys = self.prefers_smaller_g
        if self.uses_smaller_g_keys:
            open.set_bounds(self.space.n, largest_key, largest_g, self.space.max_edge_round_trip)
            self.uses_smaller_g_keys = open.orders_by_exact_g()
        if not self.uses_smaller_g_keys:
            largest_key = 2 * scale * largest_key + 20 * bound + 1 if self.is_anytime else 2 * largest_key + 1
            # keys spread further than in A*: an estimate with a margin
            key_span = (2 * self.inflation if self.is_anytime else 8) * self.space.max_edge_round_trip
            open.set_bounds(self.space.n, largest_key, largest_g, key_span)
        self.queue_bound = bound
        return 0

    def serialize(self, archive: Archive, open: OpenList) -> None:
        """Save or load what keys are made of. The queue is still empty when it is loaded."""
        self.inflation = archive.integer("inflation", self.inflation, 10, LARGEST_H_WEIGHT)
        queue_bound = archive.integer("queue_bound", self.queue_bound, 0, LARGEST_BOUND)
        if archive.is_loading:
            self.set_bounds(open, queue_bound)
        self.k_m = archive.integer("k_m", self.k_m, 0, INF >> 2)
