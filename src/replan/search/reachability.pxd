cimport cython
from replan.core cimport Ints, i64, state_t
from replan.search.flood cimport Flood, make_flood
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 MIN_QUIET_EXPANSIONS, WORK_INTERVAL, LONG_EPISODE_EXPANSIONS, GRID_EXPANSIONS_PER_TURN, GRAPH_EXPANSIONS_PER_TURN, MAX_REQUEUED

@cython.final
cdef class Reachability:
    cdef readonly bint is_enabled, is_proved_unreachable, floods_connected
    cdef readonly state_t failed_from
    cdef readonly Flood forward_flood, backward_flood
    cdef bint begun, has_new_obstacle, has_one_way_steps, is_forward_only
    cdef i64 n, rate, pending_expansions, remaining_expansions, quiet_expansions, waiting_expansions, round_expansions, requeued_count, restart_size

    cdef begin(self, Space space, bint is_enabled)
    cdef serialize(self, archive, Space space)
    cdef prefault(self)
    cdef set_goals(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    cdef bint is_unreachable(self, Goals goals, state_t agent_state) except -1 nogil
    cdef bint is_due(self, i64 expanded) noexcept nogil
    @cython.locals(expansions=i64)
    cdef bint grow_pending(self, Goals goals, state_t agent_state, bint was_displaced) except -1 nogil
    @cython.locals(is_overdue=bint, min_quiet=i64)
    cdef bint can_continue(self, state_t agent_state, i64 expansions) except -1 nogil
    cdef i64 begin_round(self, state_t agent_state) except -1 nogil
    @cython.locals(is_moved=bint)
    cdef i64 set_agent_state(self, state_t agent_state, bint was_displaced) except -1 nogil
    @cython.locals(step=i64)
    cdef i64 grow_floods(self, Goals goals, state_t agent_state, i64 turns) except -1 nogil
    cdef i64 on_floods_met(self, state_t agent_state) except -1 nogil
    @cython.locals(i=i64)
    cdef bint check_proof(self, Goals goals, state_t agent_state) noexcept nogil
    cdef bint decide(self, Goals goals, state_t agent_state) except -1 nogil

@cython.locals(reachability=Reachability)
cdef bint can_reach(Space space, Goals goals, state_t start) except -1
