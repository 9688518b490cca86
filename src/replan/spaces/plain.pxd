cimport cython
from replan.core cimport i64
from replan.spaces.grid cimport Grid

cdef i64 MAX_WEIGHT
cdef object INT64, BOOL

@cython.locals(number=i64)
cdef i64 plain_number(object given) except -2
cdef i64 plain_flag(object given) except -2

@cython.final
cdef class PlainSights:
    cdef i64[::1] places
    cdef i64[::1] values
    cdef i64 count

    @cython.locals(i=i64, n=i64, s=i64, value=i64, each=bint, listed=list)
    cdef bint read(self, Grid grid, list cells, object given, bint weighing) except -1
    @cython.locals(weight=i64, flag=i64)
    cdef i64 value_of(self, Grid grid, i64 s, object given, bint weighing) except -2
    @cython.locals(pair=tuple, row=i64, col=i64)
    cdef i64 state(self, Grid grid, object cell) except -2
