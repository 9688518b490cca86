cimport cython
from replan.core cimport i32, i64, state_t
from replan.initialized cimport Initialized
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.space cimport Space

@cython.final
cdef class Lookahead(Initialized):
    cdef readonly Space space
    cdef readonly Goals goals
    cdef readonly Search search
    cdef readonly OpenList open
    cdef readonly state_t agent_state, best
    cdef readonly i64 f_best, frontier_size
    cdef i32[::1] frontier_states

    cdef attach(self, Space space)
    cdef set_goals(self, Goals goals, Heuristic heuristic)
    cdef retarget(self, Goals goals, Heuristic heuristic)
    cdef i64 run_search(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    cdef i64 copy_frontier(self) except -1 nogil
    cdef bint is_open(self, state_t s) noexcept nogil
