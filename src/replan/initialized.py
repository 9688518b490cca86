"""One guard for objects whose `__init__` has not run, or runs twice.

`cls.__new__(cls)` makes such an object, and so does a user's class whose `__init__` does not call that of its base.
Compiled methods would read fields that nothing has set. A second `__init__` would replace arrays that are in use.
"""

from __future__ import annotations

from replan.errors import InputError

try:
    import cython
except ImportError:
    from replan import _cython as cython


class Initialized:
    """Base of the classes that are guarded.

    Their `__init__` first calls `refuse_initialized`, and sets `is_initialized` at its end. Each public method calls
    `check_initialized` first, or a check of its own that does.
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


if not cython.compiled:  # compiled, a new object has it
    setattr(Initialized, "is_initialized", False)  # noqa: B010 (Cython refuses the assignment)
