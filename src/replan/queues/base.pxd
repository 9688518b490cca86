cimport cython
from replan.core cimport cost_t, i32, i64, state_t
from replan.initialized cimport Initialized

cdef class OpenList(Initialized):
    cdef readonly object order
    cdef bint is_claimed
    cdef readonly i64 size, percolations, min_f
    cdef readonly cost_t popped_f
    cdef i32[::1] batch_states
    cdef i64[::1] batch_f
    cdef i64[::1] batch_g

    cdef init_empty(self, order)
    cdef claim(self)
    cdef reserve(self, i64 n)
    cdef i64 set_bounds(self, i64 n, cost_t f_bound, cost_t g_bound, i64 span) except -1
    cdef i64 insert(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 decrease(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 insert_batch(self, i64 k) except -1 nogil
    cdef state_t insert_batch_and_pop(self, i64 k, state_t goal, cost_t f, cost_t g) except -3 nogil
    cdef state_t top(self) except -2 nogil
    cdef cost_t top_f(self) except? -1 nogil
    cdef i64 top_precedes(self, cost_t f, cost_t g) except -1 nogil
    cdef i64 update(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 remove(self, state_t s) except -1 nogil
    cdef bint orders_by_exact_g(self) noexcept nogil
    cdef state_t pop(self) except -2 nogil
    cdef i64 copy_states_to(self, i32[::1] out) except -1 nogil
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef i64 rng_state(self) noexcept nogil
    cdef i64 set_rng_state(self, i64 state) noexcept nogil
    cdef i64 set_first_state(self, i64 first) noexcept nogil
    cdef tuple constructor_args(self)
    cdef serialize(self, archive, i64 n)
    cdef serialize_entries(self, archive, i64 n)
    @cython.locals(out=i32[::1], k=i64)
    cdef sorted_states(self)

cdef _claim(OpenList open)
