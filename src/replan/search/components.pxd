cimport cython
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.grid cimport Grid
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 EXIT_LEFT, EXIT_UP, MAX_FREED

@cython.final
cdef class Components:
    cdef Space space
    cdef Neighbours neighbours
    cdef Grid grid
    cdef i32[::1] label
    cdef i32[::1] parents
    cdef i32[::1] next
    cdef i32[::1] next_parents
    cdef i32[::1] freed_states
    cdef i64 label_count, next_label_count, labelled_count, freed_count, version
    cdef bint must_relabel

    cdef cost_t relabel_all(self) except -1 nogil
    @cython.locals(end=i64)
    cdef i64 relabel_some(self, i64 count) except -1 nogil
    @cython.locals(s=state_t, exits=i64, width=i64, left=i64, up=i64)
    cdef i64 label_cells(self, Grid grid, i64 start, i64 end) noexcept nogil
    @cython.locals(s=state_t, k=i64, i=i64)
    cdef i64 label_states(self, i64 start, i64 end) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 swap_labels(self) except -1 nogil
    cdef i64 on_cost_change(self, state_t s, bint costs_increased) except -1 nogil
    @cython.locals(k=i64, i=i64)
    cdef i64 join_neighbours(self, state_t s) except -1 nogil
    cdef serialize(self, archive)
    cdef i64 serialize_labels(self, archive, i32[::1] label, i32[::1] parents, i64 count, i64 state_count) except -1
    @cython.locals(label_a=i64, label_b=i64)
    cdef bint is_unreachable(self, i64 a, i64 b) noexcept nogil

cdef i64 find(i32[::1] parents, i64 label) noexcept nogil
cdef i64 unite(i32[::1] parents, i64 a, i64 b) noexcept nogil
cdef i64 find_with_halving(i32[::1] parents, i64 label) noexcept nogil
