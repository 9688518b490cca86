cimport cython
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.grid cimport Grid
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 LEFT, UP, MOST

@cython.final
cdef class Components:
    cdef Space space
    cdef Neighbours near
    cdef Grid grid
    cdef i32[::1] label
    cdef i32[::1] join
    cdef i32[::1] next
    cdef i32[::1] next_join
    cdef i32[::1] freed
    cdef i64 count, next_count, done, freed_count, version
    cdef bint stale

    cdef cost_t renew(self) except -1 nogil
    @cython.locals(stop=i64)
    cdef i64 work(self, i64 states) except -1 nogil
    @cython.locals(s=state_t, m=i64, width=i64, left=i64, up=i64)
    cdef i64 label_cells(self, Grid grid, i64 start, i64 stop) noexcept nogil
    @cython.locals(s=state_t, k=i64, i=i64)
    cdef i64 label_states(self, i64 start, i64 stop) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 turn_over(self) except -1 nogil
    cdef i64 changed(self, state_t s, bint rise) except -1 nogil
    @cython.locals(k=i64, i=i64)
    cdef i64 link(self, state_t s) except -1 nogil
    @cython.locals(one=i64, other=i64)
    cdef carry(self, bag)
    cdef i64 carry_labels(self, bag, i32[::1] label, i32[::1] join, i64 count, i64 states) except -1
    cdef bint is_cut_off(self, i64 a, i64 b) noexcept nogil

cdef i64 find(i32[::1] join, i64 label) noexcept nogil
cdef i64 unite(i32[::1] join, i64 a, i64 b) noexcept nogil
cdef i64 find_short(i32[::1] join, i64 label) noexcept nogil
