cimport cython
from replan.core cimport INF, Vertices, cost_t, i32, i64, state_t
from replan.search.incremental cimport Incremental

cdef class TruncatedSearch(Incremental):
    cdef readonly cost_t bound
    cdef readonly i64 truncated_count
    cdef i64 stored_count, walked, join_index, next_check_turn
    cdef bint path_keeps_bound, repairs_all
    cdef i32[::1] truncated_states
    cdef i32[::1] stored_index
    cdef i32[::1] stored_states
    cdef i32[::1] stored_next
    cdef i64[::1] stored_cost

    @cython.final
    cdef i64 clear_truncated(self) noexcept nogil
    @cython.final
    @cython.locals(i=i64, k=i64)
    cdef i64 restore(self) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline i64 stored_index_of(self, state_t s) noexcept nogil
    @cython.final
    @cython.locals(node=Vertices, cost=cost_t, k=i64, v=state_t, next_v=i64, index=i64, checkpoint=i64,
                   next_checkpoint=i64)
    cdef i64 measure_path(self, state_t s, i64 max_cost) noexcept nogil
    @cython.final
    @cython.locals(node=Vertices, cost_to_goal=i64, v=state_t, next_v=i64, _=i64)
    cdef i64 store_path(self, state_t u, cost_t cost) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline i64 store_state(self, state_t s, i64 cost_to_goal, i64 next_index) noexcept nogil
    @cython.final
    @cython.locals(min_size=i64)
    cdef i64 grow_arrays(self) except -1
    cdef bint is_good_enough(self, cost_t rhs) noexcept nogil
    @cython.final
    cdef bint keeps_bound(self, i64 low) noexcept nogil
    cdef i64 advance(self, i64 limit, i64 deadline) except -1 nogil
    cdef bint must_end(self) except -1 nogil
    @cython.locals(g=cost_t, rhs=cost_t, h=cost_t)
    cdef bint can_end_before(self, state_t u, i64 turns) except -1 nogil
    @cython.locals(g=cost_t, h=cost_t, cost=cost_t)
    cdef bint try_truncate(self, state_t u) except -1 nogil
