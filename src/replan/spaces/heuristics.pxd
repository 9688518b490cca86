cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport i64
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Heuristic:
    cdef readonly i64 n
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef class Towards(Heuristic):
    cdef Space space
    cdef Goals goals
    @cython.locals(best=i64, d=i64, i=i64)
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef class CellDistance(Heuristic):
    cdef i64 width, row, col, straight, shortcut, inverse, shift
    @cython.final
    cdef i64 measure_from(self, i64 cell) noexcept nogil
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef inline i64 cells_apart(CellDistance d, i64 s) noexcept nogil:
    cdef i64 row = (s * d.inverse) >> d.shift
    cdef i64 down = abs(row - d.row)
    cdef i64 right = abs(s - row * d.width - d.col)
    return d.straight * (down + right) - d.shortcut * (down if down < right else right)

cdef class AwayFrom(Heuristic):
    cdef Space space
    cdef i64 origin
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef class Zero(Heuristic):
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef class Given(Heuristic):
    cdef i64[::1] ticks
    cdef i64 estimate(self, i64 s) except -1 nogil

cdef class Asked(Heuristic):
    cdef Space space
    cdef object function
    cdef object far
    cdef bint backward
    @cython.final
    cdef i64 ask(self, i64 s) except -1
    cdef i64 estimate(self, i64 s) except -1 nogil

cpdef i64 estimate_at(Heuristic heuristic, Space space, i64 s) except -1
