"""One guard for everything that reads an object: copies, pickles, `snapshot`, `repr`.

A search and a change take an object for themselves by its own flags (`Planner.busy`, `Space.searches`,
`Space.changing`), which cost nothing. Reading takes the same flags: an object that is searched or changed is not read,
and one that is read is neither searched nor changed. Each guarded class defines a generator `_hold()`, which raises
RuntimeError if the object is busy, takes its flags, yields the objects that are held by them, and gives the flags back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


class _Own(threading.local):
    """What the present thread holds, by identity: an agent holds its planner, and both are read one after the other."""

    def __init__(self) -> None:
        self.things: set[int] = set()


_own = _Own()


@contextmanager
def held(*things: Any) -> Iterator[None]:
    """Until the block ends, no call searches or changes these. Blocks of one thread may be nested.

    Raises RuntimeError if one of them is busy.
    """
    with ExitStack() as stack:
        for thing in things:
            if not holds(thing):
                taken = {id(one) for one in stack.enter_context(contextmanager(thing._hold)())} - _own.things
                _own.things |= taken
                stack.callback(_own.things.difference_update, taken)
        yield


def holds(thing: Any) -> bool:
    """True if the present thread holds this object for reading."""
    return id(thing) in _own.things


def alone(method: Method) -> Method:
    """A method that holds its object while it runs."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        with held(self):
            return method(self, *args, **named)

    return guarded  # type: ignore[return-value]
