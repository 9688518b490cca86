cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Vertices, cost_t, i64, state_t
from replan.planners.base cimport Planner
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING, SHARE_SCALE

cdef class RTDStar(Planner):
    cdef readonly Planner local_planner
    cdef readonly IncrementalPlanner global_planner
    cdef readonly i64 local_ratio, local_move_limit
    cdef i64 local_trip_number, global_trip_number

    cdef begin_trip(self, Space space, Goals goals)
    @cython.locals(part=Planner)
    cdef restore_trip(self, Space space, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    @cython.locals(part=Planner)
    cdef change_goals(self, Goals goals)

    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    @cython.locals(local_limit=i64, is_global_done=bint, status=i64, expansions_before=i64)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 local_share(self, i64 limit) noexcept nogil
    @cython.locals(now=i64)
    @cython.final
    cdef i64 global_deadline(self, i64 deadline) noexcept nogil
    @cython.locals(node=Vertices, v=state_t)
    @cython.final
    cdef i64 step_global(self, state_t agent_state) noexcept nogil
    @cython.locals(status=i64, v=state_t, cost=cost_t)
    @cython.final
    cdef i64 step_local(self, Planner local, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 sum_counts(self) noexcept nogil
