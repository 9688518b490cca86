cimport cython
from replan.clock cimport now_ns
from replan.core cimport BATCH, INF, Ints, Longs, Nodes, cost_t, fetch, i32, i64, ints, longs, nodes, nodes_from, state_t
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
    @cython.locals(node=Nodes, closed=Ints, succ=Ints, cost=Longs, new=Ints, new_f=Longs, new_g=Longs, era=i64, fresh=i64, row=i64,
                   n=i64, x=i64, target=state_t, plain_steps=bint, odd=bint, s=state_t, k=i64, i=i64, v=state_t, gs=i64, gv=cost_t, old=i64, least=cost_t, last=i64, last_f=cost_t, back=i64, base=i64, flat=bint, asks=bint, latest=i64)
    cdef i64 loop(self, Space space, Neighbours near, OpenList open, i64 limit) except -1 nogil
    @cython.locals(k=i64)
    @cython.final
    cdef i64 list_around(self, Space space, Neighbours near, state_t s) except -1 nogil
