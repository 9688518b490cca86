cimport cython
from replan.core cimport EMPTY, GOAL, INF, cost_t, i32, i64, state_t
from replan.queues.base cimport OpenList

cdef class UserQueueAdapter(OpenList):
    cdef object queue_class
    cdef object user_queue
    cdef dict entries
    cdef i64 n

    cdef put_in(self, state_t s, cost_t f, cost_t g)
    cdef take_out(self, state_t s)
    cdef i64 checked_first(self) except -2
    cdef bint precedes(self, state_t s, cost_t f, cost_t g) except -1
    cdef i64 take(self, state_t s) except -2
    cdef reserve(self, i64 n)
    cdef i64 set_bounds(self, i64 n, cost_t f_bound, cost_t g_bound, i64 span) except -1
    cdef i64 insert(self, state_t s, cost_t f, cost_t g) except -1 nogil
    cdef i64 decrease(self, state_t s, cost_t f, cost_t g) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 insert_batch(self, i64 k) except -1 nogil
    @cython.locals(i=i64, s=state_t)
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
    cdef tuple constructor_args(self)
    cdef serialize_entries(self, archive, i64 n)
