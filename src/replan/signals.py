"""Handling of Ctrl-C in compiled loops, which Python cannot interrupt."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from replan import _cython as cython


def check_signals() -> int:
    """Raise KeyboardInterrupt if Ctrl-C was pressed. Loops call it about every hundred microseconds."""
    if cython.compiled:
        with cython.gil:
            PyErr_CheckSignals()  # type: ignore[name-defined]  # noqa: F821
    return 0
