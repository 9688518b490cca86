cimport cython
from replan.clock cimport now_ns
from replan.core cimport BATCH, INF, Ints, Longs, Nodes, fetch, i32, i64, ints, longs, nodes, nodes_from
from replan.log cimport Log
from replan.queues.base cimport OpenList
from replan.search.learned cimport Memory
from replan.signals cimport check_signals
from replan.spaces.cell_distance cimport CellDistance, Heuristic, cells_apart
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Search

cdef class Ending:
    cdef bint ends_at(self, Search search, Space space, i64 s) except -1 nogil

@cython.final
cdef class Search:
    cdef i64[::1] table
    cdef Nodes node
    cdef readonly object g, h, stamp, parent
    cdef i32[::1] closed
    cdef Neighbours near
    cdef readonly i64 n, x, base, era, eras, drop, expanded, inflation
    cdef i64[::1] era_start
    cdef i64[::1] era_drop
    cdef i64[::1] least_f
    cdef i64 arrival, lessons, raised, stopped
    cdef Ending ending
    cdef Memory memory
    cdef i32[::1] occupancy
    cdef bint avoids_occupied
    cdef i64 fitted, tail_ns
    cdef bint pathmax, reopens, watched
    cdef Log log
    cdef readonly i64 cap, most
    cdef i64 work, exact_below, sources, first_cap, slack
    cdef readonly Heuristic heuristic
    cdef readonly Goals goals
    cdef CellDistance cells
    cdef i64 target
    cdef bint backward, trusted, flat

    cdef settle(self, Space space)
    cdef touch(self)
    cdef estimate_by(self, Heuristic heuristic)
    cdef aim(self, Goals goals, Heuristic heuristic, i64 target=*)
    @cython.locals(d=i64, i=i64)
    cdef retarget(self, Goals goals, Heuristic heuristic)
    cdef fit(self, Space space, OpenList open, i64 bound)
    cdef carry(self, bag, Space space, OpenList open, bint live)
    cdef carry_numbers(self, bag)
    cdef carry_nodes(self, bag)
    cdef i64 begin(self, Space space, OpenList open) except -1 nogil
    @cython.locals(h=i64)
    cdef i64 first_h(self, i64 s) except -1 nogil
    cdef i64 unmet_h(self, i64 s) except -1 nogil
    cdef i64 serve(self, i64 first) noexcept nogil
    @cython.locals(k=i64)
    cdef i64 remember(self, i64 f) except -1 nogil
    @cython.locals(node=Nodes, low=i64, high=i64, middle=i64, h=i64, k=i64, rise=i64)
    cdef i64 renew(self, i64 s) except -1 nogil
    @cython.locals(node=Nodes, h=i64)
    cdef i64 value_h(self, i64 s) except -1 nogil
    cdef bint has_met(self, i64 s) noexcept nogil
    @cython.locals(node=Nodes)
    cdef bint known_h(self, i64 s) except -1 nogil
    @cython.locals(node=Nodes)
    cpdef learn_h(self, i64 s, i64 h)
    cdef bint has_expanded(self, i64 s) except -1
    cpdef i64 read_h(self, i64 s) except? -1
    @cython.locals(node=Nodes)
    cdef i64 source(self, OpenList open, i64 s) except -1 nogil
    @cython.locals(k=i64)
    cdef i64 enter(self, OpenList open) except -1 nogil
    @cython.locals(step=i64, stop=i64, done=i64, before=i64, now=i64)
    cdef i64 advance(self, Space space, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, closed=Ints, succ=Ints, cost=Longs, new=Ints, new_f=Longs, new_g=Longs, era=i64, fresh=i64, row=i64,
                   n=i64, x=i64, target=i64, plain_steps=bint, odd=bint, s=i64, k=i64, i=i64, v=i64, gs=i64, gv=i64, old=i64, least=i64, last=i64, last_f=i64, back=i64, base=i64, flat=bint, asks=bint, latest=i64)
    cdef i64 loop(self, Space space, Neighbours near, OpenList open, i64 limit) except -1 nogil
    @cython.locals(k=i64)
    @cython.final
    cdef i64 list_around(self, Space space, Neighbours near, i64 s) except -1 nogil
