cimport cython
from replan.core cimport i32, i64, u8
from replan.log cimport Log
from replan.signals cimport check_signals

cdef i64 FREE, BLOCKED, EXPANDED, GENERATED, PATH, CLOSED

@cython.final
cdef class CompactSearch:
    cdef u8[::1] bits
    cdef i32[::1] stack
    cdef i64[::1] step
    cdef readonly i64 rows, cols, n, room, start, goal, expanded, walks
    cdef i32 width
    cdef i64 even, odd, parity
    cdef bint even_lost, odd_lost, busy, watched
    cdef Log log
    cdef readonly bint found

    cdef take_over(self, solid)
    cdef i64 read(self, i64 s) noexcept nogil
    @cython.locals(shift=i64)
    cdef i64 write(self, i64 s, i64 code) noexcept nogil
    @cython.locals(code=i64, cut=bint)
    cdef bint put(self, i64 s, bint blocked) noexcept nogil
    cdef bint find(self, i64 start, i64 goal) except -1 nogil
    @cython.locals(s=i32, row=i64, col=i64)
    cdef bint loop(self, i64 goal_row, i64 goal_col) except -1 nogil
    @cython.locals(v=i64, code=i64, now=i64, level=i64)
    cdef inline i64 reach(self, i64 s, i64 d, bint nearer) noexcept nogil
    @cython.locals(size=i64)
    cdef inline i64 push(self, i64 s, i64 level) noexcept nogil
    @cython.locals(s=i64, empty_levels=i64)
    cdef inline i64 pop(self) noexcept nogil
    cdef i64 find_lost(self) noexcept nogil
    @cython.locals(u=i64, v=i64, d=i64, code=i64, child=bint, back=i64)
    cdef i64 walk(self, i64 root, bint wipe) noexcept nogil
    @cython.locals(u=i64, ahead=i64, back=i64)
    cdef i64 turn_path(self) noexcept nogil
    cdef i64 after(self, i64 s) noexcept nogil
    cdef bint on_path(self, i64 s) noexcept nogil
    @cython.locals(s=i64, v=i64)
    cdef i64 forget(self) noexcept nogil
    cdef carry(self, bag, solid)
    cdef codes(self)
    @cython.locals(s=i64)
    cdef list path_now(self)
