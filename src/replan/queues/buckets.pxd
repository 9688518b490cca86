cimport cython
from replan.core cimport EMPTY, GOAL, INF, Ints, Longs, cost_t, i32, i64, ints, longs, lowest_bit, state_t, u64
from replan.queues.base cimport OpenList

cdef class Buckets(OpenList):
    cdef i32[::1] head
    cdef i32[::1] link
    cdef u64[::1] used_lists
    cdef u64[::1] used_words
    cdef i64 ring_size, max_f

    @cython.locals(head=i32[::1], used_lists=u64[::1], used_words=u64[::1])
    @cython.final
    cdef allocate_ring(self, i64 ring_size)
    cdef reserve(self, i64 n)
    cdef i64 set_bounds(self, i64 n, cost_t f_bound, cost_t g_bound, i64 span) except -1
    cdef i64 insert(self, state_t s, cost_t f, cost_t g) except -1 nogil
    @cython.locals(i=i64, s=state_t, f=cost_t, batch_states=Ints, batch_f=Longs)
    cdef i64 insert_batch(self, i64 k) except -1 nogil
    @cython.locals(i=i64, s=state_t, f_s=i64, held=i64, held_f=i64, batch_states=Ints, batch_f=Longs)
    cdef state_t insert_batch_and_pop(self, i64 k, state_t goal, cost_t f, cost_t g) except -3 nogil
    @cython.locals(bit=u64, slot=i64, first=i64)
    @cython.final
    cdef inline i64 push(self, state_t s, cost_t f) except -1 nogil
    cdef i64 decrease(self, state_t s, cost_t f, cost_t g) except -1 nogil
    @cython.locals(next_state=i64, previous=i64)
    @cython.final
    cdef inline i64 unlink(self, state_t s) noexcept nogil
    @cython.locals(slot=i64, word=u64, bit=u64)
    @cython.final
    cdef inline i64 find_first(self) noexcept nogil
    cdef state_t top(self) except -2 nogil
    @cython.locals(bit=u64, group=i64, word_index=i64, bits=u64)
    @cython.final
    cdef i64 skip_empty_words(self, i64 slot, u64 word) noexcept nogil
    cdef cost_t top_f(self) except? -1 nogil
    cdef i64 top_precedes(self, cost_t f, cost_t g) except -1 nogil
    cdef i64 update(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 remove(self, state_t s) except -1 nogil
    cdef bint orders_by_exact_g(self) noexcept nogil
    @cython.locals(s=state_t)
    cdef state_t pop(self) except -2 nogil
    @cython.locals(slot=i64, next_state=i64)
    @cython.final
    cdef inline i64 pop_top(self, state_t s) noexcept nogil
    @cython.locals(word_index=i64, word=u64, words=u64)
    @cython.final
    cdef inline i64 next_used_list(self, i64 slot) noexcept nogil
    @cython.locals(k=i64, slot=i64, s=state_t)
    cdef i64 copy_states_to(self, i32[::1] out) except -1 nogil
    @cython.locals(slot=i64)
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef tuple constructor_args(self)
    @cython.locals(i=i64)
    cdef serialize_entries(self, archive, i64 n)
    @cython.locals(s=state_t)
    cdef tuple entries(self)
    @cython.final
    cdef i64 extend_range(self, cost_t f) except -1 nogil
    @cython.locals(heads=i64[::1], k=i64, min_f=i64, max_f=i64, slot=i64, value=i64, ring_size=i64, size=i64, bit=u64,
                   i=i64, first=i64)
    @cython.final
    cdef i64 grow_ring(self, cost_t f) except -1
