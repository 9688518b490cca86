cimport cython
from replan.core cimport Ints, Longs, Nodes, i32, i64, ints, ints_from, longs
from replan.counts cimport Counting
from replan.search.astar cimport Search
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Trail(Counting):
    cdef readonly Space space
    cdef i32[::1] trail
    cdef i64[::1] toll
    cdef i32[::1] where
    cdef readonly i64 ahead
    cdef i64 room, where_first

    @cython.final
    cdef i64 fit_trail(self, i64 n) except -1
    cdef make_trail(self, i64 n)
    cdef i64 spot_of(self, i64 s) noexcept nogil
    @cython.locals(i=i64)
    cdef bint dearer(self, i64 u, i64 spot, i64 stop) except -1 nogil
    cdef i64 lay_step(self, i64 at, i64 to, i64 toll) noexcept nogil
    @cython.locals(node=Nodes, trail=Ints, toll=Longs, where=Ints, v=i64, g=i64, i=i64)
    cdef i64 lay_trail(self, Search search, i64 best, i64 at, i64 spot=*) except -1 nogil
    @cython.locals(node=Nodes, v=i64, u=i64, i=i64)
    cdef i64 lay_trail_backward(self, Search search, i64 at) except -1 nogil
    cdef i64 lay_path(self, list path, i64 at) except -1
    cdef carry_trail(self, bag)
