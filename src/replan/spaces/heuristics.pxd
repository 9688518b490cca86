cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport i32, i64
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Heuristic:
    cdef i64 estimate(self, i64 s) except -1 nogil

@cython.final
cdef class Towards(Heuristic):
    cdef Space space
    cdef Goals goals
    @cython.locals(best=i64, d=i64, i=i64)
    cpdef i64 estimate(self, i64 s) except -1 nogil

@cython.final
cdef class CellDistance(Heuristic):
    cdef i64 width, row, col, straight, shortcut, inverse, shift
    cdef i64 aim(self, i64 cell) noexcept nogil
    cpdef i64 estimate(self, i64 s) except -1 nogil

cdef inline i64 cells_apart(CellDistance d, i64 s) noexcept nogil:
    cdef i64 row = (s * d.inverse) >> d.shift
    cdef i64 down = abs(row - d.row)
    cdef i64 right = abs(s - row * d.width - d.col)
    return d.straight * (down + right) - d.shortcut * (down if down < right else right)

@cython.final
cdef class AwayFrom(Heuristic):
    cdef Space space
    cdef i64 origin
    cpdef i64 estimate(self, i64 s) except -1 nogil

@cython.final
cdef class Zero(Heuristic):
    cpdef i64 estimate(self, i64 s) except -1 nogil

@cython.final
cdef class Given(Heuristic):
    cdef i64[::1] ticks
    cpdef i64 estimate(self, i64 s) except -1 nogil

@cython.final
cdef class Asked(Heuristic):
    cdef Space space
    cdef object function
    cdef object far
    cdef bint backward
    cdef i64 ask(self, i64 s) except -1
    cpdef i64 estimate(self, i64 s) except -1 nogil
