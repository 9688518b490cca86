"""Read locks for everything that reads a whole object: copies, pickles, `snapshot`, `repr`.

Searches and changes set flags of an object (`Planner.is_busy`, `Space.active_searches`, `Space.is_changing`), which
costs nothing. A read lock sets the same flags: an object that is searched or changed is not read, and an object that is
read is neither searched nor changed. Each such class defines a generator `_hold()`. It raises RuntimeError if the
object is busy, sets its flags, yields the objects that they lock, and finally resets the flags.

This module and all generators `_hold()` are compiled. Python handles signals only between its own instructions, so no
signal is handled after a flag is set and before the block that resets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from threading import get_ident
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])

_read_locks: set[tuple[int, int]] = set()  # (thread, id of a locked object); a lock of an agent locks its planner, too


class read_lock:
    """Context manager in which no call searches or changes some objects. Blocks of one thread may be nested.

    It raises RuntimeError if one of the objects is busy.
    """

    def __init__(self, *things: Any) -> None:
        self.objects = things
        self.generators: list[Any] = []  # generators, each with the locks that it added

    def __enter__(self) -> None:
        try:
            for thing in self.objects:
                if not holds_read_lock(thing):
                    generator = thing._hold()
                    added = {(get_ident(), id(locked)) for locked in next(generator)} - _read_locks
                    self.generators.append((generator, added))
                    _read_locks.update(added)
        except BaseException:
            self._release()
            raise

    def __exit__(self, *error: Any) -> None:
        self._release()

    def _release(self) -> None:
        """Release all locks that this object added."""
        while self.generators:
            generator, added = self.generators.pop()
            _read_locks.difference_update(added)
            generator.close()


class CallLock:
    """Lock of an object without flags, which serves one call at a time. Other calls raise `busy_message`."""

    def __init__(self, busy_message: str) -> None:
        self.busy_message, self.is_busy = busy_message, False

    def hold(self, thing: Any) -> Iterator[tuple[Any, ...]]:
        """Return the generator for the object's `_hold()`."""
        if self.is_busy:
            raise RuntimeError(self.busy_message)
        self.is_busy = True
        try:
            yield (thing,)
        finally:
            self.is_busy = False


def holds_read_lock(thing: Any) -> bool:
    """True if the present thread has a read lock of this object."""
    return (get_ident(), id(thing)) in _read_locks


def read_locked(method: Method) -> Method:
    """Decorate a method so that it runs with a read lock of its object."""

    @wraps(method)
    def locked(self: Any, *args: Any, **options: Any) -> Any:
        with read_lock(self):
            return method(self, *args, **options)

    return locked  # type: ignore[return-value]
