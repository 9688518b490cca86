cimport cython
from replan.clock cimport now_ns
from replan.core cimport i32, i64
from replan.search.astar cimport Search
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE, WAITING

cdef class Planner:
    cdef readonly Space space
    cdef readonly Goals goals
    cdef i32[::1] trail
    cdef i64[::1] toll
    cdef i32[::1] where
    cdef readonly i64 ahead
    cdef bint listens
    cdef i64 ready_for
    cdef readonly i64 expansions, percolations, h_increase, refreshes, intakes, intake_ns
    cdef public i64 limit, time_ns, moves
    cdef public bint eager, cheapest, patient
    cdef public object spec

    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    cdef i64 changed(self, i64 s, bint rise) except -1 nogil
    cdef i64 spot_of(self, i64 s) noexcept nogil
    @cython.locals(i=i64)
    cdef bint dearer(self, i64 u, i64 spot, i64 stop) except -1 nogil
    cdef i64 lay_step(self, i64 at, i64 to, i64 toll) noexcept nogil
    @cython.locals(v=i64, u=i64, i=i64)
    cdef i64 lay_trail(self, Search search, i64 best, i64 at) noexcept nogil
    @cython.locals(v=i64, u=i64, i=i64)
    cdef i64 lay_trail_backward(self, Search search, i64 at) noexcept nogil
