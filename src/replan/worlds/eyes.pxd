cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.graph cimport Graph
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space

cdef class Eye:
    cdef i32[::1] seen
    cdef i32[::1] path
    cdef i32[::1] reported
    cdef i64 reports
    cdef bint steady, by_place
    cdef forget(self)
    cdef i64 look(self, state_t at) except -1 nogil
    cdef i64 look_on(self, i64 before, state_t at) except -1 nogil
    cdef bint shown_to(self, i32[::1] occupancy, i64 place) noexcept nogil
    cdef i64 report(self, i64 place) except -1 nogil
    cdef i64 show(self, state_t at) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 along(self, i64 first, i64 last) except -1 nogil

cdef class Everywhere(Eye):
    cdef i64 news
    cdef forget(self)
    cdef i64 report(self, i64 place) except -1 nogil
    @cython.final
    cdef i64 grow(self) except -1
    @cython.locals(k=i64)
    cdef i64 look(self, state_t at) except -1 nogil
    cdef i64 along(self, i64 first, i64 last) except -1 nogil

cdef class AdjacentCells(Eye):
    cdef Grid truth, belief
    cdef bint plain_grid
    @cython.locals(k=i64, d=i64, t=i64, row=i64, col=i64)
    cdef i64 show(self, state_t at) except -1 nogil
    @cython.locals(k=i64, d=i64, t=i64)
    cdef i64 look(self, state_t at) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 along(self, i64 first, i64 last) except -1 nogil

cdef class Circle(Eye):
    cdef Grid truth, belief
    cdef i64 radius, work, back
    cdef state_t at
    cdef bint line_of_sight, all
    cdef i32[::1] reach
    cdef i32[::1] first
    cdef i32[::1] edge_row
    cdef i32[::1] edge_col
    cdef forget(self)
    @cython.locals(k=i64)
    cdef i64 look(self, state_t at) except -1 nogil
    @cython.locals(d=i64, k=i64, row=i64, col=i64, r=i64, c=cost_t, i=i64, t=i64)
    cdef i64 look_on(self, i64 before, state_t at) except -1 nogil
    @cython.locals(row=i64, col=i64, i=i64, t=i64, reports=i64)
    @cython.final
    cdef i64 look_at_reported(self, state_t at, i64 k) except -1 nogil
    @cython.locals(down=i64, right=i64)
    @cython.final
    cdef bint holds(self, i64 row, i64 col, i64 t) noexcept nogil
    cdef i64 report(self, i64 place) except -1 nogil
    @cython.locals(row=i64, col=i64, r=i64, c=cost_t, half=i64)
    cdef bint shown_to(self, i32[::1] occupancy, i64 place) noexcept nogil
    @cython.locals(k=i64, row=i64, col=i64, r=i64, low=i64, high=i64, half=i64, t=i64, c=cost_t)
    @cython.final
    cdef i64 look_at_all(self, state_t at) except -1 nogil
    @cython.locals(before=bint, k=i64)
    cdef i64 show(self, state_t at) except -1 nogil

cdef class AdjacentEdges(Eye):
    cdef Graph truth, belief
    @cython.locals(k=i64, a=i64)
    cdef i64 show(self, state_t at) except -1 nogil
    @cython.locals(k=i64, a=i64)
    cdef i64 look(self, state_t at) except -1 nogil

cdef class PythonEye(Eye):
    cdef Space truth, belief
    cdef object places
    cdef state_t at
    cdef i64 back
    cdef list told
    cdef i64 show(self, state_t at) except -1 nogil
    cdef forget(self)
    @cython.final
    cdef i64 ask(self, state_t at) except -1
    cdef i64 look(self, state_t at) except -1 nogil

@cython.locals(d=i64)
cdef i64 direction_of(Grid grid, i64 before, state_t at) noexcept nogil
@cython.locals(row=i64, col=i64, end_row=i64, end_col=i64, down=i64, right=i64, error=i64, step_row=i64, step_col=i64, twice=i64)
cdef bint in_sight(Grid truth, state_t at, i64 t) noexcept nogil
cpdef list visible_cells(Circle circle, Grid grid, state_t at)
