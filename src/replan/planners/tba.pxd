cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, cost_t, i32, i64, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.h_repair cimport HRepair
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING, SHARE_SCALE, PARENT_STEPS_PER_EXPANSION, KEEP, REPAIR, RESET

cdef class TBAStar(Planner):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef object user_heuristic
    cdef bint restarts_on_decrease
    cdef i64 inflation
    cdef readonly i64 tracing_ratio, restarts
    cdef i32[::1] path_states
    cdef i32[::1] path_index
    cdef i32[::1] trace_states
    cdef i32[::1] trace_index
    cdef state_t root, cursor, last_state, expected_state
    cdef i64 path_length, trace_length
    cdef bint must_restart, costs_changed, goal_is_found, needs_whole_path
    cdef bint is_reversible  # True: every step has a reverse step

    cdef begin_trip(self, Space space, Goals goals)
    cdef prefault(self)
    cdef change_goals(self, Goals goals)
    cdef reset_h(self, Goals goals)
    cdef Heuristic make_heuristic(self, Goals goals)

    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef bint is_on_path(self, state_t s) noexcept nogil
    @cython.locals(v=state_t)
    @cython.final
    cdef bint is_cut_at(self, state_t s) except -1 nogil
    @cython.locals(cost=cost_t)
    @cython.final
    cdef bint has_risen(self, state_t u, state_t v) except -1 nogil
    @cython.locals(best=state_t, expansions_before=i64)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef bint needs_search(self)
    cdef i64 abandon_search(self) except -1 nogil
    cdef i64 start_search(self, state_t agent_state) except -1 nogil
    @cython.locals(expanded_before=i64, n_e=i64, search_limit=i64, search_deadline=i64, now=i64)
    @cython.final
    cdef i64 expand_slice(self, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 tracing_share(self, i64 limit) noexcept nogil
    @cython.final
    cdef i64 trace_limit(self, i64 limit) noexcept nogil
    @cython.locals(i=i64, v=state_t)
    @cython.final
    cdef i64 trace(self, state_t agent_state, state_t best, i64 n_t, i64 deadline) except -1 nogil
    @cython.locals(is_complete=bint, cost_rose=bint, v=state_t, step_cost=cost_t)
    @cython.final
    cdef i64 make_step(self, state_t agent_state) except -1 nogil

cdef class TBAAStar(TBAStar):
    cdef i64 decrease_action
    cdef HRepair h_repair
    cdef bint has_unlearned_search, costs_fell_during_search, has_pending_decreases

    cdef begin_trip(self, Space space, Goals goals)
    cdef reset_h(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef bint needs_search(self)
    cdef check_goals(self, Goals goals)
    cdef change_goals(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef i64 start_search(self, state_t agent_state) except -1 nogil
    @cython.locals(can_learn=bint)
    cdef i64 abandon_search(self) except -1 nogil
    @cython.locals(status=i64)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
