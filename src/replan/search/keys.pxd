cimport cython
from replan.core cimport INF, cost_t, i64, state_t
from replan.queues.base cimport OpenList
from replan.spaces.cell_distance cimport CellDistance
from replan.spaces.space cimport Space

@cython.final
cdef class Keys:
    cdef readonly Space space
    cdef readonly state_t target
    cdef readonly cost_t k_m
    cdef readonly i64 inflation
    cdef readonly bint is_forward, is_anytime, uses_smaller_g_keys
    cdef bint prefers_smaller_g, uses_cell_distance, uses_zero_h, has_user_function, root_moves
    cdef object user_heuristic
    cdef CellDistance cell_distance
    cdef i64 queue_bound, max_k_m

    cdef check_heuristic(self)
    cdef begin(self, Space space, state_t target)
    cdef set_inflation(self, i64 inflation)
    cdef i64 call_user_function(self, i64 a, i64 b) except -1
    cdef i64 estimate_between(self, i64 a, i64 b) except -1 nogil
    cdef cost_t h(self, state_t s) except -1 nogil
    @cython.locals(h=cost_t)
    cdef i64 move_target(self, state_t s) except -1 nogil
    cdef bint are_outgrown(self) noexcept nogil
    @cython.locals(largest_g=i64, scale=i64, largest_key=i64, key_span=i64)
    cdef i64 set_bounds(self, OpenList open, cost_t bound) except -1
    cdef serialize(self, archive, OpenList open)
