"""Replacement for the parts of `cython` that the core uses, if Cython is not installed: nothing is compiled."""

from contextlib import nullcontext

compiled = False
nogil = gil = nullcontext()
