cimport cython
from replan.core cimport cost_t, i64, state_t
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Towards(Heuristic):
    cdef Space space
    cdef Goals goals
    @cython.locals(best=state_t, d=i64, i=i64)
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class AwayFrom(Heuristic):
    cdef Space space
    cdef i64 origin
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class Zero(Heuristic):
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class Given(Heuristic):
    cdef i64[::1] ticks
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class Asked(Heuristic):
    cdef Space space
    cdef object function
    cdef object far
    cdef bint backward
    @cython.final
    cdef i64 ask(self, state_t s) except -1
    cdef cost_t estimate(self, state_t s) except -1 nogil

cpdef i64 estimate_at(Heuristic heuristic, Space space, state_t s) except -1

@cython.locals(one=i64)
cpdef Heuristic heuristic_for(given, Space space, Goals goals, i64 origin=*)
