"""One guard for everything that reads an object: copies, pickles, `snapshot`, `repr`.

A search and a change take an object for themselves by its own flags (`Planner.busy`, `Space.searches`,
`Space.changing`), which cost nothing. Reading takes the same flags: an object that is searched or changed is not read,
and one that is read is neither searched nor changed. Each guarded class defines a generator `_hold()`, which raises
RuntimeError if the object is busy, takes its flags, yields the objects that are held by them, and gives the flags back.

This module is compiled, and so are all generators `_hold()`: Python handles a signal between two of its own
instructions, so that none is handled between the taking of a flag and the block that gives it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from threading import get_ident
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])

_read_locks: set[tuple[int, int]] = set()  # threads, and the objects that they hold: an agent holds its planner, too


class read_lock:
    """Until the block ends, no call searches or changes these. Blocks of one thread may be nested.

    Raises RuntimeError if one of them is busy.
    """

    def __init__(self, *things: Any) -> None:
        self.objects = things
        self.generators: list[Any] = []  # generators, each followed by what it holds

    def __enter__(self) -> None:
        try:
            for thing in self.objects:
                if not holds_read_lock(thing):
                    holding = thing._hold()
                    new = {(get_ident(), id(one)) for one in next(holding)} - _read_locks
                    self.generators.append((holding, new))
                    _read_locks.update(new)
        except BaseException:
            self._release()
            raise

    def __exit__(self, *error: Any) -> None:
        self._release()

    def _release(self) -> None:
        while self.generators:
            holding, new = self.generators.pop()
            _read_locks.difference_update(new)
            holding.close()


class CallLock:
    """For an object without flags of its own: it serves one call at a time. says: what the others are told."""

    def __init__(self, says: str) -> None:
        self.busy_message, self.is_busy = says, False

    def hold(self, thing: Any) -> Iterator[tuple[Any, ...]]:
        """What its `_hold()` returns."""
        if self.is_busy:
            raise RuntimeError(self.busy_message)
        self.is_busy = True
        try:
            yield (thing,)
        finally:
            self.is_busy = False


def holds_read_lock(thing: Any) -> bool:
    """True if the present thread holds this object for reading."""
    return (get_ident(), id(thing)) in _read_locks


def read_locked(method: Method) -> Method:
    """A method that holds its object while it runs."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        with read_lock(self):
            return method(self, *args, **named)

    return guarded  # type: ignore[return-value]
