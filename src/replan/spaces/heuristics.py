"""Heuristics: the space's own distance, zero, a user's array, or a user's function.

A search computes the h-value of a state once for each set of goals, when it first generates the state. Users give
h-values in the units of displayed costs (steps on grids, costs on graphs). They are rounded up to cost units. Since all
costs are whole numbers of cost units, a consistent heuristic stays consistent.
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

# A whole number of cost units, divided and multiplied again, must not round up to the next one.
ROUNDING_FACTOR = 1 - 1e-12
ANY_SPACE = -1


class DistanceToGoals(Heuristic):
    """The space's distance from a state to the nearest goal."""

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
    """The space's distance from a fixed state, for backward searches."""

    def __init__(self, space: Space, origin: int) -> None:
        self.space, self.origin, self.n = space, origin, space.n

    def estimate(self, s: int) -> int:
        return self.space.estimate(self.origin, s)


class ZeroHeuristic(Heuristic):
    """The h-value 0 for each state."""

    def __init__(self) -> None:
        self.n = ANY_SPACE

    def estimate(self, s: int) -> int:
        return 0


class ArrayHeuristic(Heuristic):
    """A user's array: one h-value for each state, in cost units."""

    def __init__(self, values: memoryview) -> None:
        self.values, self.n = values, len(values)

    def estimate(self, s: int) -> int:
        return self.values[s]


class FunctionHeuristic(Heuristic):
    """A user's function(key, goal_key) of two cells or nodes. The result is the minimum over all `ends`."""

    def __init__(self, space: Space, function: Callable[[Any, Any], float], ends: list[Any], is_backward: bool) -> None:
        self.space, self.function, self.ends, self.is_backward = space, function, ends, is_backward
        self.n = space.n

    def estimate(self, s: int) -> int:
        with cython.gil:
            return self.call_function(s)

    def call_function(self, s: int) -> int:
        """Return the smallest result for a state, in cost units."""
        key = self.space.key(s)
        pairs = [(end, key) if self.is_backward else (key, end) for end in self.ends]
        return min([_checked_estimate(self.function, self.space, a, b) for a, b in pairs])


def cost_scale(space: Space) -> float:
    """Return the number of cost units in a displayed cost of 1."""
    return space.units_per_step / float(getattr(space, "resolution", 1.0))


def _checked_estimate(function: Callable[[Any, Any], float], space: Space, a: Any, b: Any) -> int:
    """Call a user's function for the keys a and b; return its checked result in cost units, or raise InputError."""
    answer = function(a, b)
    try:
        value = float(answer)
    except (TypeError, ValueError, OverflowError):
        value = float("nan")
    if value != value or value < 0:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(f"the heuristic {name}({a!r}, {b!r}) is {answer!r}; an estimate is a number from 0 on")
    units = value * cost_scale(space)
    return max(0, ceil(units * ROUNDING_FACTOR - 1e-9)) if isfinite(units) and units < INF else INF


def user_estimate(function: Callable[[Any, Any], float], space: Space, a: int, b: int) -> int:
    """Call a user's function for two states; return its checked result in cost units, at most max_path_cost."""
    return min(space.max_path_cost, _checked_estimate(function, space, space.key(a), space.key(b)))


def make_heuristic(heuristic: Any, space: Space, goals: Goals, origin: int = -1) -> Heuristic:
    """Make the heuristic of the option `heuristic=`: towards the goals, or away from `origin` if that is a state."""
    is_backward = origin >= 0
    if goals.n != space.n or origin >= space.n:
        raise InputError(f"the goals belong to another space: {goals.n} states, and this space has {space.n}")
    if heuristic is None:
        end = origin if is_backward else goals.single_state
        fast: Heuristic | None = space.heuristic_to(end) if end >= 0 else None
        if fast is not None:
            return fast
        return DistanceFromOrigin(space, origin) if is_backward else DistanceToGoals(space, goals)
    if isinstance(heuristic, str):
        if heuristic == "zero":
            return ZeroHeuristic()
        raise InputError(f"heuristic is 'zero', an array or a function, not {heuristic!r}")
    if callable(heuristic):
        ends = [space.key(origin)] if is_backward else space.keys(goals.states)
        return FunctionHeuristic(space, heuristic, ends, is_backward)
    if is_backward:
        raise InputError("a backward search needs estimates between any two cells: give a function, not an array")
    return ArrayHeuristic(view(_array_costs(heuristic, space)))


def _array_costs(heuristic: Any, space: Space) -> np.ndarray[Any, Any]:
    """Return a user's array as cost units by state; raise InputError if it is invalid."""
    try:
        values = np.asarray(heuristic, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"a heuristic is an array of numbers, 'zero' or a function, not {heuristic!r}") from None
    shape: tuple[int, ...] = getattr(space, "shape", (space.n,))
    if values.shape != shape:
        raise InputError(f"the heuristic has the shape {values.shape}, the space {shape}")
    if np.isnan(values).any() or (values < 0).any():
        raise InputError("the heuristic holds negative numbers or NaN; an estimate is 0 or more")
    costs = np.full(values.shape, INF, np.int64)
    scale = cost_scale(space)
    fits = values * scale < INF
    costs[fits] = np.maximum(0, np.ceil(values[fits] * scale * ROUNDING_FACTOR - 1e-9))
    if costs.ndim == 1:
        return costs
    padded = np.zeros((shape[0] + 2, shape[1] + 2), np.int64)
    padded[1:-1, 1:-1] = costs
    return padded.reshape(-1)


def checked_estimate_at(heuristic: Heuristic, space: Space, s: int) -> int:
    """Return the h-value of a state that is not checked yet; raise InputError if there is no such state."""
    if heuristic.n not in (ANY_SPACE, space.n):
        raise InputError(f"the heuristic is for {heuristic.n} states, the space has {space.n}")
    return heuristic.estimate(space.checked_state(s))


def estimated_cost(space: Space, goals: Goals, s: int) -> float:
    """Return the space's distance from a state to the nearest goal, in the user's units."""
    return checked_estimate_at(make_heuristic(None, space, goals), space, s) / cost_scale(space)


def check_consistent(
    heuristic: Heuristic, space: Space, goals: Goals, backward: bool = False, name: str = "heuristic"
) -> None:
    """Raise InputError at the first goal or edge of the space where the heuristic is not consistent.

    backward: the h-values estimate the cost from the goals, so edges are checked against their direction.
    """
    unit = space.units_per_step
    known: dict[int, int] = {}  # states with edges only: a user's function may be undefined for other states

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
