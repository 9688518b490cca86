cimport cython
from replan.core cimport EMPTY, GOAL, INF, Ints, Longs, cost_t, i32, i64, ints, ints_from, longs, state_t
from replan.queues.base cimport OpenList

cdef extern from * nogil:
    i64 STATE_MASK "0x7FFFFFFFLL"
    i64 MAX_KEY "0x7FFFFFFFFFFFFFFFLL"

cdef class BinaryHeap(OpenList):
    cdef i64[::1] keys
    cdef i64[::1] tie_words
    cdef i32[::1] heap_indexes
    cdef Ints heap_index
    cdef i64 f_shift, g_dropped_bits, tie_dropped_bits
    cdef i64 f_unit, g_unit, key_base
    cdef i64 held_key, held_tie_word
    cdef i64 tie, tie_multiplier, tie_increment, tie_start
    cdef bint has_random_ties, inserts_all_first, prefers_larger_g

    cdef reserve(self, i64 n)
    cdef i64 set_bounds(self, i64 n, cost_t f_bound, cost_t g_bound, i64 span) except -1
    @cython.locals(tie=i64)
    cdef i64 insert(self, state_t s, cost_t f, cost_t g) except -1 nogil
    @cython.final
    cdef inline i64 add(self, i64 key, i64 tie_word) noexcept nogil
    @cython.locals(tie=i64)
    cdef i64 decrease(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 update(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 remove(self, state_t s) except -1 nogil
    @cython.locals(i=i64, s=state_t, tie=i64, index=i64, batch_states=Ints, batch_f=Longs, batch_g=Longs)
    cdef i64 insert_batch(self, i64 k) except -1 nogil
    @cython.locals(tie=i64, key=i64, tie_word=i64, end_key=i64)
    cdef state_t insert_batch_and_pop(self, i64 k, state_t goal, cost_t f, cost_t g) except -3 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef state_t insert_all_and_pop(self, i64 k, state_t goal, i64 end_key) except -3 nogil
    @cython.locals(i=i64, s=state_t, tie=i64, key=i64, tie_word=i64, held_key=i64, held_tie_word=i64,
                   batch_states=Ints, batch_f=Longs, batch_g=Longs)
    @cython.final
    cdef i64 insert_all_but_first(self, i64 k) noexcept nogil
    @cython.locals(tie=i64, n=i64)
    @cython.final
    cdef i64 move(self, state_t s, cost_t f, cost_t g) noexcept nogil
    @cython.locals(first_tie_word=i64, first_key=i64, s=state_t)
    @cython.final
    cdef state_t pop_before_held(self, i64 end_key, state_t goal, i64 key, i64 tie_word) noexcept nogil
    @cython.final
    cdef inline i64 key_of(self, cost_t f, cost_t g) noexcept nogil
    @cython.final
    cdef inline i64 end_key(self, cost_t f, cost_t g) noexcept nogil
    @cython.final
    cdef inline i64 next_tie(self) noexcept nogil
    @cython.locals(parent=i64, parent_word=i64, levels=i64, keys=Longs, tie_words=Longs, heap_index=Ints)
    @cython.final
    cdef inline i64 climb(self, i64 i, i64 key, i64 tie_word) noexcept nogil
    @cython.locals(n=i64, child=i64, child_word=i64, right_word=i64, is_right=i64, levels=i64, keys=Longs,
                   tie_words=Longs, heap_index=Ints)
    @cython.final
    cdef inline i64 sink(self, i64 i, i64 key, i64 tie_word) noexcept nogil
    @cython.final
    cdef i64 put_at(self, i64 i, i64 key, i64 tie_word) noexcept nogil
    cdef cost_t top_f(self) except? -1 nogil
    cdef i64 top_precedes(self, cost_t f, cost_t g) except -1 nogil
    cdef bint orders_by_exact_g(self) noexcept nogil
    cdef state_t top(self) except -2 nogil
    cdef state_t pop(self) except -2 nogil
    @cython.locals(s=state_t, n=i64)
    @cython.final
    cdef state_t pop_first(self) noexcept nogil
    @cython.final
    cdef state_t pop_before(self, i64 end_key, state_t goal) noexcept nogil
    @cython.locals(i=i64)
    cdef i64 copy_states_to(self, i32[::1] out) except -1 nogil
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef i64 rng_state(self) noexcept nogil
    cdef i64 set_rng_state(self, i64 state) noexcept nogil
    cdef i64 set_first_state(self, i64 first) noexcept nogil
    cdef tuple constructor_args(self)
    cdef serialize_entries(self, archive, i64 n)
