"""Calls of the methods that users override in plain Python, and checks of what these methods return.

Compiled code calls C methods of the core's classes. For a class written in Python, the C method of its base class looks
up the user's method by name, calls it, and checks each returned value. So the core works only with valid states, costs
and values.
"""

from __future__ import annotations

from operator import index
from typing import Any, TypeVar

import numpy as np

from replan.errors import InputError, one_line
from replan.limits import INF

Part = TypeVar("Part")


def user_method(thing: object, kind: type, role: str, name: str) -> Any:
    """Return the method `name` of a user's class, which derives from Replan's class `kind`; raise if it is missing."""
    if getattr(type(thing), name, None) is getattr(kind, name, None):
        raise missing_method_error(thing, role, name)
    method = getattr(thing, name)
    if not callable(method):
        raise missing_method_error(thing, role, name)
    return method


def checked_instance(kind: type[Part], thing: Any) -> Part:
    """Return an argument of class `kind`, or raise InputError. (Compiled code would accept None for any class.)"""
    if not isinstance(thing, kind):
        raise InputError(f"a part that should be a {kind.__name__} is {thing!r}")
    return thing


def checked_integer(name: str, value: Any, low: int, high: int) -> int:
    """Return an int argument from `low` to `high`, or raise InputError."""
    if type(value) is not int or not low <= value <= high:
        raise InputError(f"{name} is a whole number from {low:,} to {high:,}, not {value!r}")
    return value


def missing_method_error(thing: object, role: str, name: str) -> NotImplementedError:
    """Return the error for a method that a user's class does not define."""
    return NotImplementedError(f"{type(thing).__name__} is a {role} without {name}()")


def bad_return_error(thing: object, method: str, returned: str) -> ValueError:
    """Return the error for an invalid return value. It names the class, the method and the value."""
    return ValueError(one_line(f"{type(thing).__name__}.{method}() returned {returned}"))


def returned_integer(thing: object, method: str, answer: Any, low: int, high: int, meaning: str) -> int:
    """Return a user method's return value as an int; raise ValueError if it is not from `low` to `high`."""
    try:
        number = index(answer)
    except TypeError:
        raise bad_return_error(thing, method, f"{answer!r}; {meaning} is a whole number") from None
    if not low <= number <= high:
        limit = "INF" if high == INF else f"{high:,}"
        raise bad_return_error(thing, method, f"{answer!r}; {meaning} is from {low} to {limit}")
    return number


def check_base_initialized(thing: object, part: object) -> None:
    """Raise InputError if a part is None: then a user's class has not called the `__init__` of its base class."""
    if part is None:
        raise InputError(f"this {type(thing).__name__} is not initialized: the __init__ of its base has not run")


def returned_path(planner: object, path: Any, agent_state: int, n: int) -> list[int]:
    """Return the path that a user's `plan` returned, checked, up to the first state that it visits twice."""
    if not isinstance(path, (list, tuple, np.ndarray)):
        raise bad_return_error(planner, "plan", f"{path!r}; a path is a list of states, or None")
    seen = {agent_state: 0}
    for item in path:
        try:
            s = index(item)
        except TypeError:
            raise bad_return_error(planner, "plan", f"a path through {item!r}, which is no state") from None
        if not 0 <= s < n:
            raise bad_return_error(planner, "plan", f"a path through {s}; states go from 0 to {n - 1}")
        if s in seen:
            break
        seen[s] = 0
    return list(seen)[1:]
