cimport cython
from replan.core cimport i64, state_t
from replan.initialized cimport Initialized
from replan.search.incremental cimport Incremental
from replan.spaces.neighbours cimport Touched
from replan.spaces.space cimport Space

@cython.final
cdef class LPAStar(Initialized):
    cdef readonly Space space
    cdef Incremental search
    cdef Touched touched
    cdef state_t start, goal
    cdef i64 spent, heard
    cdef bint busy, torn
    cdef dict pending
    cdef object __weakref__

    cdef read_news(self)
    @cython.locals(s=state_t)
    cdef list states_to_goal(self)
    cdef carry(self, bag)
