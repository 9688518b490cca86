cimport cython
from replan.core cimport i32, i64, u8

cdef i64 EXPANDED

@cython.final
cdef class EventLog:
    cdef i32[::1] ids
    cdef u8[::1] kinds
    cdef i64[::1] values
    cdef readonly i64 count
    cdef readonly bint is_incomplete

    cdef i64 add(self, i64 number, i64 kind, i64 value) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 add_expanded(self, i32[::1] states, i64 start, i64 end) except -1 nogil
    cdef i64 reserve(self, i64 n) except -1
    cpdef truncate(self, i64 count)
    cdef i64 clear(self) noexcept nogil
    @cython.locals(i=i64, k=i64)
    cpdef entries(self, i64 first=*)
    @cython.locals(was_incomplete=bint)
    cpdef bint pop_is_incomplete(self)
