cimport cython
from replan.clock cimport now_ns
from replan.core cimport i64, state_t
from replan.planners.one_step cimport OneStep
from replan.search.astar cimport Search
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 EXPANDED, INF

cdef class NeighbourLRTA(OneStep):
    cdef i64 unsearched_count

    cdef tuple constructor_args(self)
    @cython.locals(i=i64, count=i64, reachable_count=i64, cost_to_go=i64)
    cdef i64 evaluate_neighbours(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, count=i64, near_count=i64, v=state_t)
    @cython.final
    cdef i64 list_neighbours(self, Space space, Neighbours near, Search search, state_t agent_state) except -1 nogil
    @cython.locals(i=i64, share=i64, search_deadline=i64, has_open_states=i64)
    @cython.final
    cdef i64 search_from(self, Search search, i64 n, i64 limit, i64 deadline) except -1 nogil
