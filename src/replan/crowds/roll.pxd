cimport cython
from replan.core cimport i32, i64

@cython.final
cdef class Roll:
    cdef object living, row_of, numbers

    cdef add(self, rows)
    cdef remove(self, numbers)
    cdef rows(self, numbers)
    @cython.locals(i=i64)
    cdef i64 find(self, i64[::1] numbers, i32[::1] row_of, i32[::1] rows)
    @cython.locals(i=i64)
    cdef bint ascend(self, i64[::1] numbers)
    cdef ready(self, who)
