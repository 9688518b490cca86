cimport cython
from libc.stdlib cimport llabs as abs
from replan.clock cimport now_ns
from replan.core cimport BATCH, INF, ON_TRAIL, QUEUED, Ints, Longs, i32, i64, ints, longs, replan_fetch
from replan.queues.base cimport OpenList
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport CellDistance, cells_apart
from replan.spaces.space cimport Space

cdef i64 SMALLER_G, LARGER_G, MOVE, TRIP

@cython.final
cdef class Incremental:
    cdef i64[::1] table
    cdef Longs node
    cdef Ints new
    cdef Longs new_f
    cdef Longs new_g
    cdef readonly i64[:] g
    cdef readonly i64[:] rhs
    cdef readonly i64[:] stamp
    cdef readonly i64[:] next
    cdef i32[::1] where
    cdef readonly OpenList open
    cdef readonly Space space
    cdef readonly Goals roots
    cdef readonly i64 n, x, now, km, target, expansions, refreshes
    cdef i64 cut, noted, row
    cdef readonly bint forward, anytime
    cdef readonly i64 weight
    cdef i64[::1] lowered_in
    cdef i32[::1] later
    cdef i64 iteration, delayed
    cdef i64 order, fitted, km_most
    cdef object given
    cdef bint zero, asked, flat, spoilt, outward, inward
    cdef CellDistance distance
    cdef readonly bint sharp
    cdef i32[::1] near
    cdef i32[::1] all_queued

    cdef i64 ask(self, i64 a, i64 b) except -1
    cdef i64 between(self, i64 a, i64 b) except -1 nogil
    cdef inline i64 h(self, i64 s) except -1 nogil
    cdef inline i64 key(self, i64 s) except -1 nogil
    @cython.locals(m=i64, over=i64)
    cdef inline i64 key_of(self, i64 g, i64 rhs, i64 h) noexcept nogil
    cdef inline i64 least(self, i64 s) noexcept nogil
    cdef inline i64 meet(self, i64 s) noexcept nogil
    cdef inline i64 settle(self, i64 s, i64 g, i64 rhs, i64 stamp) except -1 nogil
    cdef inline i64 queue(self, i64 s, i64 stamp, i64 f, i64 m) except -1 nogil
    @cython.locals(i=i64)
    cdef inline i64 note(self, i64 who, i64 f, i64 m) except -1 nogil
    @cython.locals(k=i64)
    cdef i64 flush(self) except -1 nogil
    cdef i64 delay(self, i64 s) except -1 nogil
    @cython.locals(i=i64, k=i64, s=i64)
    cdef i64 iterate(self, i64 weight) except -1
    @cython.locals(h=i64)
    cdef i64 move_target(self, i64 s) except -1 nogil
    cdef i64 prepare(self) except -1 nogil
    @cython.locals(i=i64, k=i64, s=i64)
    cdef i64 rekey(self) except -1
    cdef inline bint met(self, i64 s) noexcept nogil
    @cython.locals(v=i64, cost=i64)
    cdef i64 rise(self, i64 s) except -1 nogil
    @cython.locals(before=i64)
    cdef i64 change(self, i64 s) except -1 nogil
    @cython.locals(node=Longs, succ=Ints, cost=Longs, x=i64, i=i64, k=i64, v=i64, best=i64, through=i64, c=i64, better=i64)
    cdef i64 recompute(self, Space space, i64 s) except -1 nogil
    @cython.locals(node=Longs, stamp=i64)
    cdef inline i64 reroute(self, i64 s, i64 rhs, i64 through) except -1 nogil
    @cython.locals(node=Longs, t=i64, h_t=i64, u=i64, k=i64, f=i64, g=i64, rhs=i64, stamp=i64, stop=i64, turns=i64)
    cdef i64 advance(self, i64 limit, i64 deadline) except -1 nogil
    cdef inline i64 end(self, i64 g, i64 rhs, i64 h) noexcept nogil
    cdef bint late(self, i64 turns, i64 deadline) except -1 nogil
    @cython.locals(node=Longs, succ=Ints, cost=Longs, x=i64, i=i64, k=i64, p=i64, gu=i64, through=i64)
    cdef i64 lower(self, Space space, i64 u) except -1 nogil
    @cython.locals(node=Longs, succ=Ints, near=Ints, x=i64, i=i64, k=i64, m=i64, p=i64)
    cdef i64 raise_(self, Space space, i64 u) except -1 nogil
