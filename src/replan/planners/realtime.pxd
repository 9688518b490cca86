cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, cost_t, i64, state_t
from replan.log cimport Log
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.choosing cimport ChoosingRule
from replan.search.learning cimport LearningRule
from replan.search.lookahead cimport Lookahead
from replan.search.reachability cimport can_reach
from replan.search.repair_h cimport RepairH
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, EXPANDED, PARTIAL, UNREACHABLE, KEEP, KEPT, REPAIR, RESET, UNMEASURED

cdef class RealTimePlanner(Planner):
    cdef object given
    cdef bint pathmax, loose, doubtful
    cdef readonly str falling
    cdef i64 on_fall, slack
    cdef bint fallen, kept
    cdef RepairH repair
    cdef readonly OpenList open
    cdef readonly Lookahead look
    cdef begin_trip(self, Space space, Goals goals)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef Heuristic first_h(self, Goals goals)
    cdef forget(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef i64 log_to(self, Log log, bint watched) except -1
    cdef i64 planner_flags(self) noexcept nogil
    cdef i64 set_planner_flags(self, i64 flags) noexcept nogil
    cdef i64 longest(self)
    cdef i64 farthest(self)
    cdef i64 serve(self, i64 first) noexcept nogil
    cdef i64 say_wide(self) noexcept nogil
    cdef bint met(self, state_t s) except -1 nogil
    cdef carry_trip(self, bag)
    cdef i64 take_in_falls(self) except -1 nogil
    cdef i64 give_up(self, state_t at) except -1 with gil

cdef class RealTime(RealTimePlanner):
    cdef readonly LearningRule learning
    cdef readonly ChoosingRule choosing
    cdef bint lists_frontier
    cdef tuple made_from(self)
    cdef prefault(self)
    cdef i64 farthest(self)

    @cython.locals(best=state_t, found=i64, stopped=i64, arrives=bint, no_way=bint)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(increase=cost_t)
    @cython.final
    cdef i64 learn(self, Search search) except? -1 nogil
    @cython.locals(i=i64, s=state_t)
    @cython.final
    cdef i64 log_expanded(self, Search search) except -1 nogil
    cdef i64 lay(self, state_t best, state_t at) except -1 nogil
    @cython.locals(ns=i64, tail=i64)
    @cython.final
    cdef i64 measure(self, i64 stopped) noexcept nogil
