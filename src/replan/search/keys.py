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
from replan.saving import Bag, refused
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
    km: int
    weight: int
    sharp: bool
    blind: bool
    distance: CellDistance

    def __init__(self, smaller_g: bool, heuristic: Any, forward: bool, anytime: bool, roams: bool = False) -> None:
        self.given, self.asked = heuristic, callable(heuristic)
        self.blind = isinstance(heuristic, str) and heuristic == "zero"
        self.smaller_g, self.forward, self.anytime, self.roams = smaller_g, forward, anytime, roams
        self.weight = 10

    def __reduce__(self) -> Any:
        raise refused(self, "a planner")

    def refuse_array(self) -> None:
        zero = isinstance(self.given, str) and self.given == "zero"
        if self.given is not None and not self.asked and not zero:
            raise InputError("incremental search needs estimates between any two cells: give a function, not an array")

    def begin(self, space: Space, target: int) -> None:
        self.refuse_array()
        self.space, self.target, self.km, self.fitted = space, target, 0, -1
        distance = space.distance_to(target)
        self.flat = isinstance(distance, CellDistance) and self.given is None and not self.blind
        if self.flat:
            self.distance = distance

    # h.

    def between(self, a: int, b: int) -> int:
        """The estimate of the way from a to b."""
        if self.blind:
            return 0
        if self.asked:
            with cython.gil:
                return self.ask(a, b)
        return self.space.estimate(a, b)

    def ask(self, a: int, b: int) -> int:
        return user_estimate(self.given, self.space, a, b)

    def estimate(self, s: int) -> int:
        """h of a state: to the target, or from it where the search runs backward."""
        return self.between(s, self.target) if self.forward else self.between(self.target, s)

    def move_target(self, s: int) -> int:
        """The agent stands on s now: keys that were made before become lower bounds."""
        h = self.estimate(s)
        self.km += self.weight * h if self.anytime else h
        self.target = s
        if self.flat:
            self.distance.measure_from(s)
        return 0

    # The range of keys.

    def weigh(self, weight: int) -> None:
        self.weight = weight

    def outgrown(self) -> bool:
        """Do keys no longer fit? Costs may have grown, and k_m grows with every move."""
        return self.fitted != self.space.bound or self.km > self.most_km

    def fit(self, open: OpenList, bound: int) -> int:
        """Begin with k_m = 0, and make room in an empty queue for all keys that there can be up to this bound."""
        if self.anytime and 1.0 * bound * (12 * self.weight + 20) >= LARGEST_KEY:
            raise InputError("costs of this size times the weight do not fit 62 bits: scale them down, or the weight")
        scale = self.weight if self.anytime else 1
        self.fitted, self.km, self.most_km = -1, 0, scale * bound
        farthest = 2 * bound if self.roams else bound
        most = 3 * bound + farthest + self.space.span  # m + h + k_m
        self.sharp = self.smaller_g
        if self.sharp:
            open.fit(self.space.n, most, farthest, self.space.span)
            self.sharp = open.exact()
        if not self.sharp:
            most = 2 * scale * most + 20 * bound + 1 if self.anytime else 2 * most + 1
            # the keys in the queue lie further apart than in A*: with some room, as far as is known
            apart = 2 * self.weight * self.space.span if self.anytime else 8 * self.space.span
            open.fit(self.space.n, most, farthest, apart)
        self.fitted = bound
        return 0

    def carry(self, bag: Bag, open: OpenList) -> None:
        """How keys are made now. The queue is still empty when it is loaded."""
        self.weight = bag.whole("weight", self.weight, 10, LARGEST_H_WEIGHT)
        fitted = bag.whole("fitted", self.fitted, 0, LARGEST_BOUND)
        if bag.loading:
            self.fit(open, fitted)
        self.km = bag.whole("km", self.km, 0, INF >> 2)
