cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport cost_t, i64, state_t

cdef i64 DIAGONAL, STRAIGHT

cdef class Heuristic:
    cdef readonly i64 n
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class CellDistance(Heuristic):
    cdef i64 width, row, col, straight_cost, diagonal_saving, width_inverse, shift
    @cython.final
    cdef i64 set_cell(self, i64 cell) noexcept nogil
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef inline cost_t grid_distance(CellDistance d, state_t s) noexcept nogil:
    cdef i64 row = (s * d.width_inverse) >> d.shift
    cdef i64 down = abs(row - d.row)
    cdef i64 right = abs(s - row * d.width - d.col)
    return d.straight_cost * (down + right) - d.diagonal_saving * (down if down < right else right)
