cimport cython
from replan.core cimport i32, i64, u8

@cython.final
cdef class Goals:
    cdef readonly i64 single, count
    cdef readonly i32[::1] states
    cdef u8[::1] flag

    cpdef bint contains(self, i64 s) noexcept nogil
