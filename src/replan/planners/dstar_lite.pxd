cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport INF, Ints, Longs, ON_TRAIL, Vertices, cost_t, fetch, i32, i64, ints, longs, state_t
from replan.log cimport Log
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.incremental cimport Incremental
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 COMPLETE, UNREACHABLE

cdef class IncrementalPlanner(Planner):
    cdef readonly Incremental search
    cdef readonly OpenList open
    cdef object given
    cdef i32[::1] pending
    cdef i64 waiting, laid, earlier
    cdef bint started

    cdef begin_trip(self, Space space, Goals goals)
    cdef Goals roots(self)
    cdef carry_tables(self, bag)
    cdef carry_trip(self, bag)
    cdef new_goals(self, Goals goals)

    cdef i64 log_to(self, Log log, bint watched) except -1
    @cython.locals(i=i64, s=state_t)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef i64 refuse_odd_h(self, state_t at) except -1
    @cython.locals(start=i64)
    cdef i64 update(self, state_t at) except -1 nogil
    cdef i64 take_in(self, state_t at) except -1 nogil
    cdef i64 note_start(self) noexcept nogil
    @cython.locals(i=i64, s=state_t)
    cdef i64 take_changes(self) except -1 nogil
    @cython.locals(done=i64, expansions=i64, refreshes=i64)
    cdef i64 search_on(self, i64 limit, i64 deadline) except -1 nogil
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    cdef i64 progress(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Vertices, index=Ints, states=Ints, step_costs=Longs, s=state_t, s_old=state_t, v=state_t, i=i64, k=i64, join=i64, row=i64)
    cdef i64 lay(self, state_t at) except -1 nogil
    @cython.locals(node=Vertices)
    cdef inline i64 mark(self, state_t s, i64 i) noexcept nogil

cdef class DStarLite(IncrementalPlanner):
    cdef tuple made_from(self)
    cdef Incremental engine(self)

cdef class DStarExtraLite(DStarLite):
    cdef Incremental engine(self)

cdef class AnytimeDStar(IncrementalPlanner):
    cdef readonly i64 first, down, up, reported
    cdef readonly cost_t cost
    cdef bint complete, known
    cdef state_t stood, expected

    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(changes=bint, dearer=bint)
    cdef i64 take_in(self, state_t at) except -1 nogil
    @cython.final
    cdef i64 iterate(self, i64 weight) except -1 nogil
    cdef i64 progress(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(left=i64, before=i64, late=bint)
    @cython.final
    cdef i64 improve(self, state_t at, i64 first, i64 limit, i64 deadline) except -1 nogil
