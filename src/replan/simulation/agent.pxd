cimport cython
from replan.clock cimport deadline_in
from replan.core cimport Ints, i64, ints, state_t, u8
from replan.initialized cimport Initialized
from replan.planners.base cimport Planner
from replan.search.path cimport PlannedPath
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Touched
from replan.spaces.news cimport News
from replan.spaces.plain cimport PlainSights
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING

@cython.final
cdef class Agent(Initialized):
    cdef object __weakref__
    cdef readonly Planner planner
    cdef PlannedPath planned_path
    cdef readonly Space believed
    cdef readonly Goals goals
    cdef readonly state_t at
    cdef readonly i64 episodes
    cdef i64 answer, trip, time_ns
    cdef i64 heard  # the number of the next change of the belief to take in
    cdef bint cells, reading
    cdef Touched touched
    cdef PlainSights plain  # reads plain cells of the belief; None if it has no such reader

    cdef settle(self, Space believed, Goals goals, state_t at)
    cdef carry(self, bag)
    cdef i64 take_plain(self, PlainSights plain, list cells, object given, bint weighing) except -2
    cdef i64 take_window(self, PlainSights plain, u8[::1] window, i64 cols, state_t at) except -1
    cdef i64 take_in(self, i64[::1] places, i64[::1] values) except -1
    @cython.locals(i=i64, news=i64, told=bint)
    cdef i64 accept_all(self, i64[::1] places, i64[::1] values, i64 count) except -1
    cdef i64 check(self) except -1
    @cython.locals(done=bint)
    cdef i64 search(self, i64 limit, i64 time_ns) except -1
    cdef i64 enter_planner(self) except -1
    cdef i64 refuse_other_use(self) except -1
    @cython.locals(value=i64)
    cdef i64 stand_free(self) except -1
    cdef i64 think(self, i64 limit, i64 time_ns) except -1 nogil
    cdef bint search_is_due(self) noexcept nogil
    cdef i64 stand_on(self, state_t s) noexcept nogil
    cdef i64 advance_to(self, i64 position) noexcept nogil
    @cython.locals(news=i64, told=bint)
    cdef i64 accept(self, i64 place, i64 value) except -1 nogil
    @cython.locals(old=i64)
    cdef inline i64 believe(self, i64 place, i64 value) except -1 nogil
    @cython.locals(k=i64, i=i64, told=Ints, shared=bint)
    cdef inline i64 change(self, i64 place, i64 value, bint rise) except -1 nogil
    cdef i64 mark_dirty(self) noexcept nogil
    @cython.locals(told=bint)
    cdef i64 read(self, News news) except -1 nogil
    @cython.locals(i=i64, end=i64, along=bint, path_is_shorter=bint)
    cdef i64 take_news(self, News news) except -1 nogil
    @cython.locals(cut=bint)
    cdef i64 notice(self, state_t u, state_t v, bint rise, bint on_path) except -1 nogil
    cdef bint arrived(self) noexcept nogil
    @cython.locals(busy=bint, is_cheapest=bint)
    cdef set_goals(self, Goals goals)
    cdef chase(self, state_t state)
