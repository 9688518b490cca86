cimport cython
from replan.core cimport EMPTY, GOAL, INF, Ints, Longs, cost_t, i32, i64, ints, ints_from, longs, state_t
from replan.queues.base cimport OpenList

cdef extern from * nogil:
    i64 STATE "0x7FFFFFFFLL"
    i64 MOST "0x7FFFFFFFFFFFFFFFLL"

cdef class BinaryHeap(OpenList):
    cdef i64[::1] keys
    cdef i64[::1] rests
    cdef i32[::1] places
    cdef Ints place
    cdef i64 f_shift, g_drop, tie_drop
    cdef i64 f_unit, g_unit, key_base
    cdef i64 held_key, held
    cdef i64 tie, tie_times, tie_plus, tie_start
    cdef bint chance, plain, larger_g

    cdef reserve(self, i64 n)
    cdef i64 fit(self, i64 n, cost_t f_bound, cost_t g_bound, i64 span) except -1
    @cython.locals(tie=i64)
    cdef i64 insert(self, state_t s, cost_t f, cost_t g) except -1 nogil
    @cython.final
    cdef inline i64 add(self, i64 key, i64 rest) noexcept nogil
    @cython.locals(tie=i64)
    cdef i64 decrease(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 update(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 remove(self, state_t s) except -1 nogil
    @cython.locals(i=i64, s=state_t, tie=i64, place=i64, new=Ints, new_f=Longs, new_g=Longs)
    cdef i64 take_in(self, i64 k) except -1 nogil
    @cython.locals(tie=i64, key=i64, rest=i64, end=i64)
    cdef state_t exchange(self, i64 k, state_t goal, cost_t f, cost_t g) except -3 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef state_t take_in_and_pop(self, i64 k, state_t goal, i64 end) except -3 nogil
    @cython.locals(i=i64, s=state_t, tie=i64, key=i64, rest=i64, held_key=i64, held=i64, new=Ints, new_f=Longs, new_g=Longs)
    @cython.final
    cdef i64 hold_one(self, i64 k) noexcept nogil
    @cython.locals(tie=i64, n=i64)
    @cython.final
    cdef i64 move(self, state_t s, cost_t f, cost_t g) noexcept nogil
    @cython.locals(first=i64, first_key=i64, s=state_t)
    @cython.final
    cdef state_t next_before(self, i64 end, state_t goal, i64 key, i64 rest) noexcept nogil
    @cython.final
    cdef inline i64 key_of(self, cost_t f, cost_t g) noexcept nogil
    @cython.final
    cdef inline i64 end_key(self, cost_t f, cost_t g) noexcept nogil
    @cython.final
    cdef inline i64 next_tie(self) noexcept nogil
    @cython.locals(p=i64, other=i64, levels=i64, keys=Longs, rests=Longs, place=Ints)
    @cython.final
    cdef inline i64 climb(self, i64 i, i64 key, i64 rest) noexcept nogil
    @cython.locals(n=i64, j=i64, a=i64, b=i64, right=i64, levels=i64, keys=Longs, rests=Longs, place=Ints)
    @cython.final
    cdef inline i64 sink(self, i64 i, i64 key, i64 rest) noexcept nogil
    @cython.final
    cdef i64 put_at(self, i64 i, i64 key, i64 rest) noexcept nogil
    cdef cost_t top_f(self) except? -1 nogil
    cdef i64 before(self, cost_t f, cost_t g) except -1 nogil
    cdef bint exact(self) noexcept nogil
    cdef state_t top(self) except -2 nogil
    cdef state_t pop(self) except -2 nogil
    @cython.locals(s=state_t, n=i64)
    @cython.final
    cdef state_t pop_first(self) noexcept nogil
    @cython.final
    cdef state_t pop_before(self, i64 end, state_t goal) noexcept nogil
    @cython.locals(i=i64)
    cdef i64 list_to(self, i32[::1] out) except -1 nogil
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef i64 rng_state(self) noexcept nogil
    cdef i64 set_rng_state(self, i64 state) noexcept nogil
    cdef i64 serve(self, i64 first) noexcept nogil
    cdef tuple made_from(self)
    cdef carry_inside(self, bag, i64 n)
