cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Longs, Nodes, i32, i64, ints, longs
from replan.planners.one_step cimport OneStep
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, PARTIAL, DEEPEST, EXPANDED, RESIGNED

cdef class Korf(OneStep):
    cdef readonly bint second
    cdef i64 depth, stop_at, deadline_ns
    cdef bint out_of_budget
    cdef i64[::1] g
    cdef i64[::1] f
    cdef i64[::1] turn
    cdef i64[::1] end

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    @cython.locals(again=bint, status=i64)
    cdef i64 give_up(self, i64 at) except -1 with gil

    cdef i64 planner_flags(self) noexcept nogil
    cdef i64 set_planner_flags(self, i64 flags) noexcept nogil
    cdef i64 longest(self)

    @cython.locals(d=i64, budget=bint)
    cdef i64 value_neighbours(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, k=i64, first=i64, v=i64, cost=i64, alpha=i64, value=i64, best=i64, next_best=i64)
    @cython.final
    cdef inline i64 evaluate(self, Space space, OpenList open, i64 at, i64 depth) except -1 nogil
    @cython.locals(succ=Ints, cost=Longs, turn=Longs, end=Longs, g=Longs, f=Longs, level=i64, v=i64, gv=i64, fv=i64, best=i64, i=i64)
    @cython.final
    cdef inline i64 minimin(self, Space space, Search search, Goals goals, i64 n, i64 depth, i64 alpha) except -1 nogil
    @cython.locals(k=i64, i=i64, gv=i64, fv=i64)
    @cython.final
    cdef inline i64 last_level(self, Space space, Neighbours near, Search search, i64 v, i64 g, i64 f, i64 alpha, i64 best) except -1 nogil
    @cython.locals(node=Nodes, fv=i64)
    @cython.final
    cdef inline i64 f_of(self, Search search, i64 v, i64 g, i64 f) except -1 nogil
    @cython.locals(least=i64)
    @cython.final
    cdef inline bint prunes(self, i64 g, i64 f, i64 alpha, i64 best) noexcept nogil
    @cython.locals(first=i64, k=i64, i=i64)
    @cython.final
    cdef inline i64 open_level(self, Space space, Neighbours near, i64 level, i64 v, i64 g, i64 f) except -1 nogil
    @cython.final
    cdef inline i64 expand(self, Space space, Neighbours near, i64 v, bint first) except -1 nogil
