cimport cython
from replan.core cimport i32, i64, state_t, u8
from replan.initialized cimport Initialized

@cython.final
cdef class Goals(Initialized):
    cdef readonly i64 n, single_state, count
    cdef i32[::1] state_array
    cdef u8[::1] goal_flags

    cdef bint is_goal(self, state_t s) noexcept nogil
