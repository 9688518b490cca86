"""What the core uses of `cython` where Cython is not installed: nothing is compiled, no lock is taken."""

from contextlib import nullcontext

compiled = False
nogil = gil = nullcontext()
