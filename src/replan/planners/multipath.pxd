cimport cython
from replan.core cimport Ints, i64, state_t
from replan.planners.realtime cimport RealTime
from replan.search.old_paths cimport OldPaths
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef class MultipathAStar(RealTime):
    cdef OldPaths old_paths

    cdef tuple constructor_args(self)
    cdef serialize_tables(self, archive)
    cdef begin_trip(self, Space space, Goals goals)
    cdef change_goals(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(best_index=i64)
    cdef i64 extract_path(self, state_t best, state_t agent_state) except -1 nogil
    @cython.locals(u=state_t, i=i64, v_index=i64)
    @cython.final
    cdef i64 extract_old_path(self, state_t v) except -1 nogil
