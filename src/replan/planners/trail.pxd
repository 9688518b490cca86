cimport cython
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, ints_from, longs, state_t
from replan.counts cimport Counting
from replan.search.astar cimport Search
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Trail(Counting):
    cdef readonly Space space
    cdef i32[::1] trail
    cdef cost_t[::1] toll
    cdef i32[::1] where
    cdef readonly i64 ahead
    cdef i64 room, where_first

    @cython.final
    cdef i64 fit_trail(self, i64 n) except -1
    cdef make_trail(self, i64 n)
    cdef i64 spot_of(self, state_t s) noexcept nogil
    @cython.locals(i=i64)
    cdef bint dearer(self, state_t u, i64 spot, i64 stop) except -1 nogil
    cdef i64 lay_step(self, state_t at, state_t to, cost_t toll) noexcept nogil
    @cython.locals(node=Nodes, trail=Ints, toll=Longs, where=Ints, v=state_t, g=cost_t, i=i64)
    cdef i64 lay_trail(self, Search search, state_t best, state_t at, i64 spot=*) except -1 nogil
    @cython.locals(node=Nodes, v=state_t, u=state_t, i=i64)
    cdef i64 lay_trail_backward(self, Search search, state_t at) except -1 nogil
    cdef i64 lay_path(self, list path, state_t at) except -1
    cdef carry_trail(self, bag)
