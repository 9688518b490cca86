cimport cython
from replan.core cimport cost_t, i64, state_t
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF

cdef class DistanceToGoals(Heuristic):
    cdef Space space
    cdef Goals goals
    @cython.locals(best=state_t, d=i64, i=i64)
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class DistanceFromOrigin(Heuristic):
    cdef Space space
    cdef i64 origin
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class ZeroHeuristic(Heuristic):
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class ArrayHeuristic(Heuristic):
    cdef i64[::1] values
    cdef cost_t estimate(self, state_t s) except -1 nogil

cdef class FunctionHeuristic(Heuristic):
    cdef Space space
    cdef object function
    cdef object ends
    cdef bint is_backward
    @cython.final
    cdef i64 call_function(self, state_t s) except -1
    cdef cost_t estimate(self, state_t s) except -1 nogil

cpdef i64 checked_estimate_at(Heuristic heuristic, Space space, state_t s) except -1

@cython.locals(end=i64)
cpdef Heuristic make_heuristic(heuristic, Space space, Goals goals, i64 origin=*)
