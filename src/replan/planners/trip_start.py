"""Begin a trip with any planner, including one of a user's class."""

from __future__ import annotations

from typing import Any

from replan.errors import InputError
from replan.planners.base import Planner
from replan.spaces.goals import Goals
from replan.spaces.space import Space


def start_trip(planner: Any, space: Space, goals: Goals) -> int:
    """Begin a trip and return its number. Raise InputError if `planner` is none, or does not call `Planner.begin`."""
    if not isinstance(planner, Planner):
        raise InputError(f"a planner is the name of one, or made by replan.planner(...), not {planner!r}")
    planner.begin(space, goals)
    if getattr(planner, "space", None) is not space or planner.goals is not goals:
        name = type(planner).__name__
        raise InputError(f"{name}.begin() has not called Planner.begin(), or another thread has called it since")
    number: int = planner.trip_number
    return number
