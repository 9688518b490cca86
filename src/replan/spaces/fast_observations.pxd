cimport cython
from replan.core cimport Octets, gather_bits, i64, lowest_bit, octets, state_t, u64, u8
from replan.spaces.grid cimport Grid

cdef i64 MAX_WEIGHT
cdef object INT64, BOOL

@cython.locals(number=i64)
cdef i64 index_or_minus_one(object item) except -2
cdef i64 flag_or_minus_one(object item) except -2

@cython.final
cdef class FastObservations:
    cdef Grid grid
    cdef i64[::1] locations
    cdef i64[::1] values
    cdef i64 count

    @cython.locals(i=i64, n=i64, s=state_t, value=i64, has_list=bint, items=list)
    cdef bint try_parse(self, list cells, object observed, bint is_weights) except -1
    @cython.locals(known=Octets, seen=Octets, row=i64, col=i64, length=i64, s=state_t, i=i64, d=i64, different=u64, blocked=u64)
    cdef i64 compare_window(self, u8[::1] window, i64 cols, state_t first_state) except -1
    cdef i64 reserve(self, i64 n) except -1
    @cython.locals(value=i64)
    cdef inline i64 free_value(self, state_t s) noexcept nogil
    @cython.locals(weight=i64, flag=i64)
    cdef i64 try_value(self, state_t s, object item, bint is_weights) except -2
    @cython.locals(pair=tuple, row=i64, col=i64)
    cdef i64 try_state(self, object cell) except -2
