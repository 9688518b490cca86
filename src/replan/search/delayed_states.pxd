cimport cython
from replan.core cimport i32, i64, state_t
from replan.search.state_table cimport StateTable

cdef class DelayedStates(StateTable):
    cdef i64[::1] lowered_in
    cdef i32[::1] states
    cdef readonly i64 iteration, count

    @cython.final
    cdef i64 begin_iteration(self) noexcept nogil
    @cython.final
    cdef i64 add(self, state_t s) except -1 nogil

cdef inline bint is_closed(DelayedStates delayed, state_t s) noexcept nogil:
    return delayed.lowered_in[s] == delayed.iteration

cdef inline i64 mark_closed(DelayedStates delayed, state_t s) noexcept nogil:
    delayed.lowered_in[s] = delayed.iteration
    return 0
