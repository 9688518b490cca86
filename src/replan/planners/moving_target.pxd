cimport cython
from replan.core cimport INF, Vertices, i64, state_t
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.search.branches cimport CutBranches
from replan.search.rerooting cimport reroot
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef class MTDStarLite(IncrementalPlanner):
    cdef CutBranches branches
    cdef state_t root
    cdef bint has_several_goals

    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef Goals search_roots(self)
    cdef begin_trip(self, Space space, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef i64 apply_changes(self, state_t agent_state) except -1 nogil
    cdef i64 start_search(self, state_t agent_state) except -1
    cdef i64 check_start_heuristic(self, state_t agent_state) except -1
    @cython.locals(i=i64, t=i64, best=state_t, limit_left=i64, turns_before=i64)
    cdef i64 continue_search(self, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Vertices, s=state_t, v=state_t, k=i64)
    cdef i64 extract_path(self, state_t agent_state) except -1 nogil
