cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, longs, state_t
from replan.planners.one_step cimport OneStep
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, PARTIAL, MAX_DEPTH, EXPANDED, RUNS_AS_LRTA

cdef class Korf(OneStep):
    cdef readonly bint uses_second_best
    cdef i64 depth, search_limit, deadline_ns
    cdef bint is_out_of_budget
    cdef cost_t[::1] g
    cdef cost_t[::1] f
    cdef i64[::1] next_successor
    cdef i64[::1] end_successor

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    @cython.locals(can_run_as_lrta=bint, status=i64)
    cdef i64 give_up(self, state_t agent_state) except -1 with gil

    cdef i64 planner_flags(self) noexcept nogil
    cdef i64 set_planner_flags(self, i64 flags) noexcept nogil
    cdef i64 max_episode_expansions(self)

    @cython.locals(d=i64, has_budget=bint)
    cdef i64 evaluate_neighbours(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, count=i64, first=i64, v=state_t, cost=cost_t, alpha=cost_t, value=i64, best=cost_t, next_best=state_t)
    @cython.final
    cdef inline cost_t evaluate_to_depth(self, Space space, OpenList open, state_t agent_state, i64 depth) except -1 nogil
    @cython.locals(succ=Ints, cost=Longs, next_successor=Longs, end_successor=Longs, g=Longs, f=Longs, level=i64, v=state_t, g_v=cost_t, f_v=cost_t, best=cost_t, i=i64)
    @cython.final
    cdef inline i64 minimin(self, Space space, Search search, Goals goals, i64 n, i64 depth, cost_t alpha) except -1 nogil
    @cython.locals(count=i64, i=i64, g_w=cost_t, f_w=cost_t)
    @cython.final
    cdef inline cost_t search_last_level(self, Space space, Neighbours near, Search search, state_t v, cost_t g, cost_t f, cost_t alpha, cost_t best) except -1 nogil
    @cython.locals(node=Nodes, f_v=cost_t)
    @cython.final
    cdef inline cost_t f_of(self, Search search, state_t v, cost_t g, cost_t f) except -1 nogil
    @cython.locals(lower_bound=cost_t)
    @cython.final
    cdef inline bint prunes(self, cost_t g, cost_t f, cost_t alpha, cost_t best) noexcept nogil
    @cython.locals(first=i64, count=i64, i=i64)
    @cython.final
    cdef inline i64 expand_level(self, Space space, Neighbours near, i64 level, state_t v, cost_t g, cost_t f) except -1 nogil
    @cython.final
    cdef inline i64 expand(self, Space space, Neighbours near, state_t v, bint is_agent_state) except -1 nogil
