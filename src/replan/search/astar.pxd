cimport cython
from replan.clock cimport now_ns
from replan.core cimport BATCH, GOAL, INF, Ints, Longs, Nodes, cost_t, fetch, i32, i64, ints, longs, nodes, nodes_from, state_t
from replan.log cimport Log
from replan.queues.base cimport OpenList
from replan.search.learned cimport Memory
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.cell_distance cimport CellDistance, Heuristic, cells_apart
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Search

cdef class Ending(StateTable):
    cdef bint ends_at(self, Search search, Space space, state_t s) except -1 nogil

cdef class Search(StateTable):
    cdef OpenList open
    cdef Space space
    cdef bint goes_on
    cdef Nodes node
    cdef readonly object g, h, stamp, parent
    cdef i32[::1] closed
    cdef Neighbours near
    cdef readonly i64 x, base, era, eras, expanded, inflation
    cdef readonly cost_t drop
    cdef i64[::1] era_start
    cdef cost_t[::1] era_drop
    cdef cost_t[::1] least_f
    cdef i64 arrival, lessons, stopped
    cdef cost_t raised
    cdef Ending ending
    cdef Memory memory
    cdef i32[::1] occupancy
    cdef bint avoids_occupied
    cdef i64 fitted, tail_ns
    cdef bint pathmax, reopens, watched
    cdef Log log
    cdef readonly cost_t cap
    cdef readonly i64 most
    cdef i64 work, sources, slack
    cdef cost_t exact_below, first_cap
    cdef readonly Heuristic heuristic
    cdef readonly Goals goals
    cdef CellDistance cells
    cdef state_t target
    cdef bint backward, trusted, flat

    cdef settle(self, Space space)
    cdef estimate_by(self, Heuristic heuristic)
    cdef aim(self, Goals goals, Heuristic heuristic, state_t target=*)
    @cython.locals(d=i64, i=i64)
    cdef retarget(self, Goals goals, Heuristic heuristic)
    cdef fit(self, Space space, OpenList open, cost_t bound)
    cdef carry_numbers(self, bag)
    cdef i64 begin(self, Space space, OpenList open) except -1 nogil
    @cython.locals(h=cost_t)
    cdef cost_t first_h(self, state_t s) except -1 nogil
    cdef cost_t unmet_h(self, state_t s) except -1 nogil
    cdef i64 serve(self, i64 first) noexcept nogil
    @cython.locals(k=i64)
    cdef i64 remember(self, cost_t f) except -1 nogil
    @cython.locals(node=Nodes, low=i64, high=i64, middle=i64, h=cost_t, k=i64, rise=cost_t)
    cdef cost_t renew(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes, h=cost_t)
    cdef cost_t value_h(self, state_t s) except -1 nogil
    cdef bint has_met(self, state_t s) noexcept nogil
    @cython.locals(node=Nodes)
    cdef bint known_h(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes)
    cpdef learn_h(self, state_t s, cost_t h)
    cdef bint has_expanded(self, state_t s) except -1
    cpdef cost_t read_h(self, state_t s) except? -1
    @cython.locals(node=Nodes)
    cdef i64 source(self, OpenList open, state_t s) except -1 nogil
    @cython.locals(k=i64)
    cdef i64 enter(self, OpenList open) except -1 nogil
    @cython.locals(step=i64, stop=i64, done=i64, before=i64, now=i64)
    cdef i64 advance(self, Space space, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, closed=Ints, succ=Ints, c=Longs, new=Ints, new_f=Longs, new_g=Longs, n=i64, x=i64, era=i64, row=i64,
                   goal=state_t, plain_steps=bint, odd=bint, latest=i64, noted=i64, entry=i64, f=cost_t, least_f=cost_t, s=state_t, v=state_t,
                   g_s=cost_t, g_v=cost_t, old=i64, i=i64, k=i64)
    cdef i64 loop(self, Space space, Neighbours near, OpenList open, i64 limit) except -1 nogil
    @cython.locals(s=state_t)
    cdef inline state_t take_first(self, OpenList open, i64 noted, state_t goal) except -3 nogil
    cdef inline bint is_next(self, OpenList open, i64 noted, i64 entry, cost_t f, state_t goal) noexcept nogil
    cdef inline i64 hand_over_full(self, OpenList open, i64 noted) except -1 nogil
    @cython.locals(h=cost_t)
    cdef inline cost_t h_of(self, state_t v, i64 old) except -1 nogil
    cdef inline void prefetch_around(self, Nodes node, state_t v, i64 row) noexcept nogil
    @cython.locals(k=i64)
    @cython.final
    cdef i64 list_around(self, Space space, Neighbours near, state_t s) except -1 nogil
