cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, cost_t, i32, i64, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.repair_h cimport RepairH
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING, WHOLE, PER_EXPANSION, KEEP, REPAIR, RESET

cdef class TBAStar(Planner):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef object given
    cdef bint restart_on_fall
    cdef i64 inflation
    cdef readonly i64 tracing, restarts
    cdef i32[::1] path
    cdef i32[::1] spot
    cdef i32[::1] traced
    cdef i32[::1] trace_spot
    cdef state_t root, cursor, stood, expected
    cdef i64 length, count
    cdef bint stale, news, found, cautious
    cdef bint can_go_back  # can every step be taken back?

    cdef begin_trip(self, Space space, Goals goals)
    cdef prefault(self)
    cdef new_goals(self, Goals goals)
    cdef forget(self, Goals goals)
    cdef Heuristic first_h(self, Goals goals)

    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef bint on_path(self, state_t s) noexcept nogil
    @cython.locals(v=state_t)
    @cython.final
    cdef bint cut_at(self, state_t s) except -1 nogil
    @cython.locals(cost=cost_t)
    @cython.final
    cdef bint has_risen(self, state_t u, state_t v) except -1 nogil
    @cython.locals(best=state_t, before=i64)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef bint needs_search(self)
    cdef i64 drop(self) except -1 nogil
    cdef i64 start(self, state_t at) except -1 nogil
    @cython.locals(before=i64, most=i64, stop=i64, now=i64)
    @cython.final
    cdef i64 expand(self, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 share(self, i64 limit) noexcept nogil
    @cython.final
    cdef i64 trace_limit(self, i64 limit) noexcept nogil
    @cython.locals(turn=i64, v=state_t)
    @cython.final
    cdef i64 trace(self, state_t at, state_t best, i64 most, i64 deadline) except -1 nogil
    @cython.locals(whole=bint, risen=bint, to=state_t, toll=cost_t)
    @cython.final
    cdef i64 step(self, state_t at) except -1 nogil

cdef class TBAAStar(TBAStar):
    cdef i64 on_fall
    cdef RepairH repair
    cdef bint running, tainted, fallen

    cdef begin_trip(self, Space space, Goals goals)
    cdef forget(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef bint needs_search(self)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef i64 start(self, state_t at) except -1 nogil
    @cython.locals(sure=bint)
    cdef i64 drop(self) except -1 nogil
    @cython.locals(status=i64)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
