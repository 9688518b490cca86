cimport cython
from replan.core cimport i32, i64, u8

cdef i64 EXPANDED

@cython.final
cdef class Log:
    cdef i32[::1] numbers
    cdef u8[::1] kinds
    cdef i64[::1] values
    cdef readonly i64 count
    cdef readonly bint wide

    cdef i64 add(self, i64 number, i64 kind, i64 value) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 add_all(self, i32[::1] numbers, i64 start, i64 stop) except -1 nogil
    cdef i64 reserve(self, i64 n) except -1
    cpdef cut(self, i64 count)
    cdef i64 clear(self) noexcept nogil
    @cython.locals(i=i64, k=i64)
    cpdef listed(self, i64 first=*)
    @cython.locals(wide=bint)
    cpdef bint was_wide(self)
