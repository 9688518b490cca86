cimport cython
from replan.core cimport Ints, i32, i64, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.breadth_first cimport BreadthFirst
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, UNREACHABLE

cdef class RepeatedAStar(Planner):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef object user_heuristic
    cdef bint is_backward
    cdef i64 inflation

    cdef begin_trip(self, Space space, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef bint release_space(self) except -1

    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef bint is_generated(self, state_t s) except -1 nogil
    @cython.locals(i=i64, best=state_t)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil

cdef class RepeatedBFS(Planner):
    cdef BreadthFirst breadth_first
    cdef Neighbours neighbours

    cdef begin_trip(self, Space space, Goals goals)
    cdef restore_trip(self, Space space, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef bint release_space(self) except -1

    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef bint is_generated(self, state_t s) except -1 nogil
    @cython.locals(best=state_t)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, u=state_t, v=state_t)
    @cython.final
    cdef i64 extract_path(self, Space space, state_t best, state_t agent_state) except -1 nogil
