cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport INF, Ints, Longs, ON_PATH, Vertices, cost_t, prefetch_node, i32, i64, ints, longs, state_t
from replan.log cimport EventLog
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.incremental cimport Incremental
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 COMPLETE, UNREACHABLE

cdef class IncrementalPlanner(Planner):
    cdef readonly Incremental search
    cdef readonly OpenList open
    cdef object user_heuristic
    cdef i32[::1] pending_states
    cdef i64 pending_count, marked_length, earlier_percolations
    cdef bint is_started

    cdef begin_trip(self, Space space, Goals goals)
    cdef Goals search_roots(self)
    cdef serialize_tables(self, archive)
    cdef serialize_trip(self, archive)
    cdef change_goals(self, Goals goals)

    cdef i64 log_to(self, EventLog log, bint is_logging) except -1
    @cython.locals(i=i64, s=state_t)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef i64 check_start_heuristic(self, state_t agent_state) except -1
    @cython.locals(start_ns=i64)
    cdef i64 update_search(self, state_t agent_state) except -1 nogil
    cdef i64 apply_changes(self, state_t agent_state) except -1 nogil
    cdef i64 on_search_started(self) noexcept nogil
    @cython.locals(i=i64, s=state_t)
    cdef i64 apply_pending(self) except -1 nogil
    @cython.locals(is_done=i64, expansions=i64, key_updates=i64)
    cdef i64 continue_search(self, i64 limit, i64 deadline) except -1 nogil
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    cdef i64 run_slice(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Vertices, index=Ints, states=Ints, step_costs=Longs, s=state_t, s_old=state_t, v=state_t, i=i64, k=i64, join=i64, row=i64)
    cdef i64 extract_path(self, state_t agent_state) except -1 nogil
    @cython.locals(node=Vertices)
    cdef inline i64 mark_on_path(self, state_t s, i64 i) noexcept nogil

cdef class DStarLite(IncrementalPlanner):
    cdef tuple constructor_args(self)
    cdef Incremental make_engine(self)

cdef class DStarExtraLite(DStarLite):
    cdef Incremental make_engine(self)

cdef class AnytimeDStar(IncrementalPlanner):
    cdef readonly i64 first_weight, weight_decrease, weight_increase, bound_tenths
    cdef readonly cost_t cost
    cdef bint is_complete, is_path_known
    cdef state_t last_state, expected_state

    cdef change_goals(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(has_changes=bint, must_raise_weight=bint)
    cdef i64 apply_changes(self, state_t agent_state) except -1 nogil
    @cython.final
    cdef i64 begin_iteration(self, i64 weight) except -1 nogil
    cdef i64 run_slice(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(limit_left=i64, turns_before=i64, is_out_of_budget=bint)
    @cython.final
    cdef i64 improve_path(self, state_t agent_state, i64 first_limit, i64 limit, i64 deadline) except -1 nogil
