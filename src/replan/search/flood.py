"""Can a goal be reached at all? Every state that steps lead to, in no particular order."""

from __future__ import annotations

import numpy as np

from replan.arrays import empty, zeros
from replan.signals import check_signals
from replan.spaces.goals import Goals
from replan.spaces.space import Space


def can_reach(space: Space, goals: Goals, at: int) -> bool:
    """Do steps lead from `at` to a goal? Takes time and memory in proportion to the map."""
    met, stack, near = zeros(space.n, np.uint8), empty(space.n, np.int32), space.neighbours()
    size, turns = 1, 0
    stack[0], met[at] = at, 1
    while size > 0:
        size -= 1
        u = stack[size]
        if goals.has(u):
            return True
        turns += 1
        if turns & 8191 == 0:
            check_signals()
        k = space.expand(near, u)
        for i in range(k):
            v = near.state[i]
            if met[v] == 0:
                met[v] = 1
                stack[size] = v
                size += 1
    return False
