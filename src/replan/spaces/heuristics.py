"""Heuristics: the space's own estimate, none, an array, or a function of the user's.

An estimate is asked for once a state and goal, when a search first meets the state. Users give theirs in the units in
which results are shown (steps on grids, costs on graphs). They are rounded up to ticks: costs are whole ticks, so a
consistent heuristic stays consistent, and the triangle inequality holds.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, isfinite
from typing import Any

import numpy as np

from replan.arrays import view
from replan.errors import InputError
from replan.limits import INF
from replan.spaces.cell_distance import Heuristic
from replan.spaces.goals import Goals
from replan.spaces.space import Space

try:
    import cython
except ImportError:
    from replan import _cython as cython


ROUNDING_FACTOR = (
    1 - 1e-12
)  # what was whole ticks, divided by `unit` and multiplied again, must not gain one by rounding
ANY_SPACE = -1


class DistanceToGoals(Heuristic):
    """The space's own estimate of the way from a state to the nearest goal."""

    def __init__(self, space: Space, goals: Goals) -> None:
        self.space, self.goals, self.n = space, goals, space.n

    def estimate(self, s: int) -> int:
        best = INF
        for i in range(self.goals.count):
            d = self.space.estimate(s, self.goals.state_array[i])
            if d < best:
                best = d
        return best


class DistanceFromOrigin(Heuristic):
    """The space's own estimate of the way from a fixed state, for searches that run backwards."""

    def __init__(self, space: Space, origin: int) -> None:
        self.space, self.origin, self.n = space, origin, space.n

    def estimate(self, s: int) -> int:
        return self.space.estimate(self.origin, s)


class ZeroHeuristic(Heuristic):
    def __init__(self) -> None:
        self.n = ANY_SPACE

    def estimate(self, s: int) -> int:
        return 0


class ArrayHeuristic(Heuristic):
    """One number a state, from an array of the user's."""

    def __init__(self, values: memoryview) -> None:
        self.values, self.n = values, len(values)

    def estimate(self, s: int) -> int:
        return self.values[s]


class FunctionHeuristic(Heuristic):
    """A function of the user's: function(cell, goal), both as people write them."""

    def __init__(self, space: Space, function: Callable[[Any, Any], float], ends: list[Any], is_backward: bool) -> None:
        self.space, self.function, self.ends, self.is_backward = space, function, ends, is_backward
        self.n = space.n

    def estimate(self, s: int) -> int:
        with cython.gil:
            return self.call_function(s)

    def call_function(self, s: int) -> int:
        here = self.space.key(s)
        pairs = [(end, here) if self.is_backward else (here, end) for end in self.ends]
        return min([_checked_estimate(self.function, self.space, a, b) for a, b in pairs])


def cost_scale(space: Space) -> float:
    """How many ticks one unit is in which people count."""
    return space.units_per_step / float(getattr(space, "resolution", 1.0))


def _checked_estimate(function: Callable[[Any, Any], float], space: Space, a: Any, b: Any) -> int:
    """What a function of the user's says of the way from a to b, in ticks. Whatever it says is checked."""
    answer = function(a, b)
    try:
        value = float(answer)
    except (TypeError, ValueError, OverflowError):
        value = float("nan")
    if value != value or value < 0:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(f"the heuristic {name}({a!r}, {b!r}) is {answer!r}; an estimate is a number from 0 on")
    ticks = value * cost_scale(space)
    return max(0, ceil(ticks * ROUNDING_FACTOR - 1e-9)) if isfinite(ticks) and ticks < INF else INF


def user_estimate(function: Callable[[Any, Any], float], space: Space, a: int, b: int) -> int:
    """What a function of the user's says of the way between two states, in ticks."""
    return min(space.max_path_cost, _checked_estimate(function, space, space.key(a), space.key(b)))


def make_heuristic(heuristic: Any, space: Space, goals: Goals, origin: int = -1) -> Heuristic:
    """The heuristic that the option `heuristic=` names, towards the goals, or away from `origin` if that is a state."""
    backward = origin >= 0
    if goals.n != space.n or origin >= space.n:
        raise InputError(f"the goals are of another space: {goals.n} states, and the space has {space.n}")
    if heuristic is None:
        one = origin if backward else goals.single_state
        own: Heuristic | None = space.heuristic_to(one) if one >= 0 else None
        if own is not None:
            return own
        return DistanceFromOrigin(space, origin) if backward else DistanceToGoals(space, goals)
    if isinstance(heuristic, str):
        if heuristic == "zero":
            return ZeroHeuristic()
        raise InputError(f"heuristic is 'zero', an array or a function, not {heuristic!r}")
    if callable(heuristic):
        far = [space.key(origin)] if backward else space.keys(goals.states)
        return FunctionHeuristic(space, heuristic, far, backward)
    if backward:
        raise InputError("a backward search needs estimates between any two cells: give a function, not an array")
    return ArrayHeuristic(view(_array_costs(heuristic, space)))


def _array_costs(given: Any, space: Space) -> np.ndarray[Any, Any]:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"a heuristic is an array of numbers, 'zero' or a function, not {given!r}") from None
    shape: tuple[int, ...] = getattr(space, "shape", (space.n,))
    if values.shape != shape:
        raise InputError(f"the heuristic has the shape {values.shape}, the space {shape}")
    if np.isnan(values).any() or (values < 0).any():
        raise InputError("the heuristic holds negative numbers or NaN; an estimate is 0 or more")
    ticks = np.full(values.shape, INF, np.int64)
    unit = cost_scale(space)
    small = values * unit < INF
    ticks[small] = np.maximum(0, np.ceil(values[small] * unit * ROUNDING_FACTOR - 1e-9))
    if ticks.ndim == 1:
        return ticks
    padded = np.zeros((shape[0] + 2, shape[1] + 2), np.int64)
    padded[1:-1, 1:-1] = ticks
    return padded.reshape(-1)


def checked_estimate_at(heuristic: Heuristic, space: Space, s: int) -> int:
    """The estimate for a state whose number comes from outside."""
    if heuristic.n not in (ANY_SPACE, space.n):
        raise InputError(f"the heuristic is for {heuristic.n} states, the space has {space.n}")
    return heuristic.estimate(space.checked_state(s))


def estimated_cost(space: Space, goals: Goals, s: int) -> float:
    """The space's own estimate of the way from a state to the nearest goal, in the units of people."""
    return checked_estimate_at(make_heuristic(None, space, goals), space, s) / cost_scale(space)


def check_consistent(
    heuristic: Heuristic, space: Space, goals: Goals, backward: bool = False, name: str = "heuristic"
) -> None:
    """Look at every goal and every edge of the space; raise with the first that breaks the rule.

    backward: the estimates are of the way from the goals, so edges are taken against their direction.
    """
    unit = space.units_per_step
    known: dict[int, int] = {}  # only of states that have edges: a user's function need not know others

    def h(s: int) -> int:
        if s not in known:
            known[s] = checked_estimate_at(heuristic, space, s)
        return known[s]

    for s in goals.states:
        if h(s) != 0:
            raise InputError(f"the {name} is not consistent: it is {h(s) / unit:g} at the goal {space.key(s)}, not 0")
    for s in range(space.n):
        for v, c in space.predecessors(s) if backward else space.successors(s):
            if h(s) > c + h(v) and s not in goals:
                raise InputError(
                    f"the {name} is not consistent: {h(s) / unit:g} at {space.key(s)} is more than the step "
                    f"{'from' if backward else 'to'} {space.key(v)}, {c / unit:g}, and the {h(v) / unit:g} there"
                )
