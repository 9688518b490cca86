cimport cython
from replan.core cimport Ints, Longs, i32, i64, ints, longs

@cython.final
cdef class Neighbours:
    cdef readonly i64 capacity
    cdef i64 uniform_cost
    cdef i32[::1] state_array
    cdef i64[::1] cost_array
    cdef Ints state
    cdef Longs cost

    @cython.locals(i=i64, count=i64)
    cdef i64 remove_marked(self, i32[::1] marked, i64 k) noexcept nogil

@cython.final
cdef class ChangedStates:
    cdef readonly i64 capacity
    cdef i32[::1] state
    cdef i32[::1] entered
