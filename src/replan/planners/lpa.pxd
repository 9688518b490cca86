cimport cython
from replan.core cimport i64, state_t
from replan.initialized cimport Initialized
from replan.search.incremental cimport Incremental
from replan.spaces.neighbours cimport ChangedStates
from replan.spaces.space cimport Space

@cython.final
cdef class LPAStar(Initialized):
    cdef readonly Space space
    cdef Incremental search
    cdef ChangedStates changed
    cdef state_t start, goal
    cdef i64 earlier_expansions, log_position
    cdef bint is_busy, is_dirty
    cdef dict pending_states
    cdef object __weakref__

    cdef read_changes(self)
    @cython.locals(s=state_t)
    cdef list states_to_goal(self)
    cdef serialize(self, archive)
