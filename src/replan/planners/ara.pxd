cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Nodes, cost_t, i32, i64, nodes, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.delayed_states cimport DelayedStates, mark_closed, is_closed
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, UNREACHABLE, EXPANDED

cdef class AnytimeTree(StateTable):
    cdef Nodes node
    cdef i64 x

cdef class ARAStar(Planner):
    cdef readonly OpenList open
    cdef object user_heuristic
    cdef readonly i64 first_weight, weight_decrease, weight
    cdef readonly state_t best_goal
    cdef AnytimeTree tree
    cdef DelayedStates delayed
    cdef Neighbours neighbours
    cdef i32[::1] listed_states
    cdef i64 fitted_bound, episode_expansions
    cdef readonly double bound
    cdef Heuristic heuristic

    cdef begin_trip(self, Space space, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)

    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef bint is_generated(self, state_t s) except -1 nogil
    @cython.locals(limit_left=i64, is_done=i64)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 set_bounds(self) except -1
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 start_query(self, state_t agent_state) except -1 nogil
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 initialize_state(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes, u=state_t, v=state_t, i=i64, count=i64, g_v=cost_t)
    @cython.final
    cdef i64 improve_path(self, Space space, Neighbours near, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, f=cost_t)
    @cython.final
    cdef i64 relax(self, OpenList open, state_t v, cost_t g_v, state_t u) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=state_t, count=i64)
    @cython.final
    cdef i64 reorder_open(self, i64 weight) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=state_t, count=i64, min_f=cost_t)
    @cython.final
    cdef i64 update_bound(self) except -1 nogil
    @cython.locals(v=state_t, u=state_t, i=i64)
    @cython.final
    cdef i64 extract_path(self, state_t agent_state) except -1 nogil
