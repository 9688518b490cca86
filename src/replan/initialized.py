"""Checks for objects whose `__init__` has not run, or runs twice.

`cls.__new__(cls)` makes an object without `__init__`, and so does a user's class whose `__init__` does not call the
`__init__` of its base. Compiled methods would read uninitialized fields. A second `__init__` would replace arrays that
are in use.
"""

from __future__ import annotations

from replan.errors import InputError

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Initialized:
    """Base class with the checks.

    The `__init__` of a subclass first calls `check_not_initialized`, and finally sets `is_initialized`. Each public
    method first calls `check_initialized`, or another check that does.
    """

    is_initialized: bool

    def check_initialized(self) -> None:
        """Raise InputError unless `__init__` has run."""
        if not self.is_initialized:
            name = type(self).__name__
            raise InputError(f"this {name} is not made yet: its __init__ has not called super().__init__()")

    def check_not_initialized(self) -> None:
        """Raise InputError if `__init__` has run already."""
        if self.is_initialized:
            raise InputError(f"this {type(self).__name__} has been made already: make another one")


if not cython.compiled:  # compiled, a C field is 0 in a new object
    setattr(Initialized, "is_initialized", False)  # noqa: B010 (Cython refuses the assignment)
