cimport cython
from libc.math cimport sqrt as c_sqrt
from replan.core cimport i32, i64
from replan.spaces.space cimport Space

cdef i64 INF

@cython.final
cdef class Graph(Space):
    cdef readonly i32[::1] first
    cdef readonly i32[::1] head
    cdef readonly i32[::1] tail
    cdef readonly i32[::1] twin
    cdef readonly i32[::1] in_first
    cdef readonly i32[::1] in_arc
    cdef readonly i64[::1] value
    cdef readonly i64[::1] free_value
    cdef readonly double[::1] position
    cdef readonly double ticks_per_length
    cdef readonly bint placed, scaled
    cdef readonly i64 top_value, common, odd
    cdef readonly bint directed
    cdef readonly double resolution
    cdef readonly list nodes
    cdef readonly dict index
    cdef readonly dict arcs

    @cython.locals(k=i64, a=i64)
    cpdef i64 expand(self, i64 s) except -1 nogil
    @cython.locals(k=i64, i=i64, a=i64)
    cpdef i64 reverse(self, i64 s) except -1 nogil
    @cython.locals(best=i64, a=i64)
    cpdef i64 edge(self, i64 u, i64 v) except -1 nogil
    @cython.locals(x=double, y=double, square=double, length=double, ticks=i64)
    cpdef i64 distance(self, i64 u, i64 v) except -1 nogil
    cpdef i64 get(self, i64 place) except -1 nogil
    @cython.locals(old=i64, k=i64)
    cpdef i64 put(self, i64 place, i64 value) except -1 nogil
