cimport cython
from replan.core cimport i32, i64

@cython.final
cdef class IdRegistry:
    cdef object rows, row_of, ids

    cdef serialize(self, archive)
    cdef add(self, rows)
    cdef remove(self, ids)
    cdef rows_of(self, ids)
    @cython.locals(i=i64)
    cdef i64 fill_rows(self, i64[::1] ids, i32[::1] row_of, i32[::1] rows)
    @cython.locals(i=i64)
    cdef bint is_ascending(self, i64[::1] ids)
    cdef select(self, who)
