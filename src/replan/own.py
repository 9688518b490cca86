"""Methods that users write in plain Python: how calls that arrive from compiled code find them."""

from __future__ import annotations

from typing import Any


def own_method(thing: object, kind: str, name: str) -> Any:
    """The method `name` that a class of the user's defines. The C slot of the method is what calls this."""
    method = getattr(type(thing), name, None)
    if method is None:
        raise missing(thing, kind, name)
    return method.__get__(thing)


def missing(thing: object, kind: str, name: str) -> NotImplementedError:
    return NotImplementedError(f"{type(thing).__name__} is a {kind} without {name}()")
