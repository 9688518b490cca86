cimport cython
from replan.core cimport i32, i64, state_t, u8
from replan.initialized cimport Initialized

@cython.final
cdef class Goals(Initialized):
    cdef readonly i64 n, single, count
    cdef i32[::1] state
    cdef u8[::1] flag

    cdef bint has(self, state_t s) noexcept nogil
