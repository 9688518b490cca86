cimport cython
from replan.core cimport Ints, Longs, i32, i64, ints, longs

@cython.final
cdef class Neighbours:
    cdef readonly i64 room
    cdef i64 every
    cdef i32[::1] states
    cdef i64[::1] costs
    cdef Ints state
    cdef Longs cost

    @cython.locals(i=i64, kept=i64)
    cdef i64 leave_out(self, i32[::1] taken, i64 k) noexcept nogil

@cython.final
cdef class Touched:
    cdef readonly i64 room
    cdef i32[::1] state
    cdef i32[::1] entered
