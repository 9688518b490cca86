"""What users write in plain Python: how calls from compiled code find it, and how its answers are checked.

A class of the core has, for each method that a user may write, a slot that compiled parts fill and call without
Python. The slot of a class written in Python finds the method by its name, calls it, and checks what it returns, once
for each call: whatever a user's class says, the core only ever sees states, costs and values that can be.
"""

from __future__ import annotations

from operator import index
from typing import Any, TypeVar

import numpy as np

from replan.errors import InputError, one_line
from replan.limits import INF

Part = TypeVar("Part")


def user_method(thing: object, kind: type, what: str, name: str) -> Any:
    """The method `name` that a class of the user's defines. `kind` is the class of Replan's that it derives from."""
    if getattr(type(thing), name, None) is getattr(kind, name, None):
        raise missing_method_error(thing, what, name)
    method = getattr(thing, name)
    if not callable(method):
        raise missing_method_error(thing, what, name)
    return method


def checked_instance(kind: type[Part], thing: Any) -> Part:
    """A part that somebody hands in, if it is one. Compiled code would take None for one of any kind."""
    if not isinstance(thing, kind):
        raise InputError(f"a part that should be a {kind.__name__} is {thing!r}")
    return thing


def checked_integer(what: str, value: Any, low: int, high: int) -> int:
    """A whole number that somebody hands in, if it is one from low to high."""
    if type(value) is not int or not low <= value <= high:
        raise InputError(f"{what} is a whole number from {low:,} to {high:,}, not {value!r}")
    return value


def missing_method_error(thing: object, what: str, name: str) -> NotImplementedError:
    return NotImplementedError(f"{type(thing).__name__} is a {what} without {name}()")


def bad_return_error(thing: object, method: str, returned: str) -> ValueError:
    """The error for an answer that cannot be: it names class, method and value."""
    return ValueError(one_line(f"{type(thing).__name__}.{method}() returned {returned}"))


def returned_integer(thing: object, method: str, answer: Any, low: int, high: int, meaning: str) -> int:
    """An answer that must be a whole number from low to high; `meaning` says of what."""
    try:
        number = index(answer)
    except TypeError:
        raise bad_return_error(thing, method, f"{answer!r}; {meaning} is a whole number") from None
    if not low <= number <= high:
        most = "INF" if high == INF else f"{high:,}"
        raise bad_return_error(thing, method, f"{answer!r}; {meaning} is from {low} to {most}")
    return number


def check_base_initialized(who: object, part: object) -> None:
    """A class written in Python may have left out the `__init__` of its base, which makes this part."""
    if part is None:
        raise InputError(f"this {type(who).__name__} is only half made: the __init__ of its base has not run")


def returned_path(planner: object, path: Any, at: int, n: int) -> list[int]:
    """What `plan` has returned as states below n, as far as it visits none twice; there the agent plans again."""
    if not isinstance(path, (list, tuple, np.ndarray)):
        raise bad_return_error(planner, "plan", f"{path!r}; a path is a list of states, or None")
    seen = {at: 0}
    for given in path:
        try:
            s = index(given)
        except TypeError:
            raise bad_return_error(planner, "plan", f"a path through {given!r}, which is no state") from None
        if not 0 <= s < n:
            raise bad_return_error(planner, "plan", f"a path through {s}; states go from 0 to {n - 1}")
        if s in seen:
            break
        seen[s] = 0
    return list(seen)[1:]
