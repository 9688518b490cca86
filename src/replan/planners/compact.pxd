cimport cython
from replan.core cimport Ints, i64, state_t
from replan.log cimport EventLog
from replan.planners.base cimport Planner
from replan.search.compact cimport CompactSearch
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 COMPLETE, PARTIAL, UNREACHABLE, MAX_SEGMENT_LENGTH

cdef class CompactAStar(Planner):
    cdef readonly CompactSearch search
    cdef object capacity_option
    cdef i64 segment_end

    cdef begin_trip(self, Space space, Goals goals)
    cdef check_goals(self, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef reserve_path(self, i64 n)

    cdef i64 log_to(self, EventLog log, bint is_logging) except -1
    @cython.locals(i=i64, s=state_t, d=i64, is_path_blocked=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    @cython.final
    cdef i64 update_cell(self, state_t s) except -1 nogil
    @cython.locals(is_found=bint, k=i64, s=state_t)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
