cimport cython
from replan.clock cimport now_ns
from replan.core cimport i32, i64
from replan.queues.base cimport OpenList
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 INF, SMALLER_G, LARGER_G

@cython.final
cdef class Incremental:
    cdef readonly i64[:] g
    cdef readonly i64[:] rhs
    cdef readonly i64[:] stamp
    cdef readonly i64[:] next
    cdef readonly OpenList open
    cdef readonly Space space
    cdef readonly Goals roots
    cdef readonly i64 n, x, km, target, expansions, refreshes
    cdef readonly bint forward, anytime
    cdef readonly i64 weight
    cdef i64[::1] lowered_in
    cdef i32[::1] later
    cdef i64 iteration, delayed
    cdef i64 order, fitted, km_most
    cdef object given
    cdef bint zero, asked
    cdef readonly bint sharp
    cdef i32[::1] near
    cdef i64[::1] near_cost
    cdef i32[::1] all_queued

    cdef inline i64 meet(self, i64 s) noexcept nogil
    cdef i64 h(self, i64 s) except -1 nogil
    cdef i64 ask(self, i64 a, i64 b) except -1
    cdef i64 between(self, i64 a, i64 b) except -1 nogil
    @cython.locals(m=i64)
    cdef i64 key(self, i64 s) except -1 nogil
    cdef i64 least(self, i64 s) noexcept nogil
    @cython.locals(f=i64)
    cdef i64 settle(self, i64 s) except -1 nogil
    cdef i64 delay(self, i64 s) except -1 nogil
    @cython.locals(i=i64, k=i64, s=i64)
    cdef i64 iterate(self, i64 weight) except -1
    @cython.locals(h=i64)
    cdef i64 move_target(self, i64 s) except -1 nogil
    cdef i64 prepare(self) except -1 nogil
    @cython.locals(i=i64, k=i64, s=i64)
    cdef i64 rekey(self) except -1
    @cython.locals(i=i64, k=i64, v=i64, best=i64, c=i64)
    cdef i64 recompute(self, Space space, i64 s) except -1 nogil
    cdef i64 change(self, i64 s) except -1 nogil
    cdef bint finished(self) except -1 nogil
    @cython.locals(u=i64, f=i64, stop=i64)
    cdef i64 advance(self, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, k=i64, p=i64, gu=i64, through=i64)
    cdef i64 lower(self, Space space, i64 u) except -1 nogil
    @cython.locals(i=i64, k=i64, p=i64)
    cdef i64 raise_(self, Space space, i64 u) except -1 nogil
