cimport cython
from replan.core cimport i32, i64

cdef class Space:
    cdef public i64 n, places, unit, bound, span
    cdef readonly i64 near  # how far apart, as numbers, neighbours are that do not stand side by side; 0: not known
    cdef public bint unit_costs, cells
    cdef public i32[::1] succ
    cdef public i64[::1] cost
    cdef public i32[::1] touched
    cdef public i32[::1] entered
    cdef public list watchers
    cdef public i64 sharing

    cdef i64 expand(self, i64 s) except -1 nogil
    cdef i64 onward(self, i64 s, i64 back) except -1 nogil
    cdef i64 reverse(self, i64 s) except -1 nogil
    cdef i64 edge(self, i64 u, i64 v) except -1 nogil
    cdef i64 distance(self, i64 u, i64 v) except -1 nogil
    cdef i64 get(self, i64 place) except -1 nogil
    cdef i64 put(self, i64 place, i64 value) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 bill(self, i32[::1] path, i64[::1] paid, i64 moves) except -1 nogil
    cdef list keys_back(self, i32[::1] states, i64 stop, i64 start)
