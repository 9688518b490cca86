cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, cost_t, i64, state_t
from replan.log cimport EventLog
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.choosing cimport ChoosingRule
from replan.search.learning cimport LearningRule
from replan.search.lookahead cimport Lookahead
from replan.search.reachability cimport can_reach
from replan.search.h_repair cimport HRepair
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, EXPANDED, PARTIAL, UNREACHABLE, KEEP, H_WAS_KEPT, REPAIR, RESET, UNMEASURED_FOLLOWUP_TIME

cdef class RealTimePlanner(Planner):
    cdef object user_heuristic
    cdef bint pathmax, may_be_inconsistent, may_overestimate
    cdef readonly str on_cost_decrease
    cdef i64 decrease_action, h_error_factor
    cdef bint has_pending_decreases, kept_h_after_decrease
    cdef HRepair h_repair
    cdef readonly OpenList open
    cdef readonly Lookahead lookahead_search
    cdef begin_trip(self, Space space, Goals goals)
    cdef check_goals(self, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef Heuristic make_heuristic(self, Goals goals)
    cdef reset_h(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef i64 log_to(self, EventLog log, bint is_logging) except -1
    cdef i64 planner_flags(self) noexcept nogil
    cdef i64 set_planner_flags(self, i64 flags) noexcept nogil
    cdef i64 max_episode_expansions(self)
    cdef i64 max_episode_distance(self)
    cdef i64 begin_character(self, i64 first) noexcept nogil
    cdef i64 mark_log_incomplete(self) noexcept nogil
    cdef bint is_generated(self, state_t s) except -1 nogil
    cdef serialize_trip(self, archive)
    cdef i64 apply_cost_decreases(self) except -1 nogil
    cdef i64 give_up(self, state_t agent_state) except -1 with gil

cdef class RealTime(RealTimePlanner):
    cdef readonly LearningRule learning
    cdef readonly ChoosingRule choosing
    cdef bint lists_frontier
    cdef tuple constructor_args(self)
    cdef prefault(self)
    cdef i64 max_episode_distance(self)

    @cython.locals(best=state_t, has_open_states=i64, search_end_ns=i64, reaches_goal=bint, is_unreachable=bint)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(increase=cost_t)
    @cython.final
    cdef i64 learn(self, Search search) except? -1 nogil
    @cython.locals(i=i64, s=state_t)
    @cython.final
    cdef i64 log_expanded(self, Search search) except -1 nogil
    cdef i64 extract_path(self, state_t best, state_t agent_state) except -1 nogil
    @cython.locals(measured=i64, last=i64)
    @cython.final
    cdef i64 measure_followup_time(self, i64 search_end_ns) noexcept nogil
