cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport Ints, Longs, Octets, cost_t, i32, i64, ints, longs, octets, state_t, u16, u8
from replan.spaces.grid_layout cimport exits_at
from replan.spaces.neighbours cimport Neighbours, ChangedStates
from replan.spaces.space cimport Space

cdef i64 DIAGONAL, INF, STRAIGHT
cdef double ROOT_2

cdef class Grid(Space):
    cdef readonly i64 rows, cols, neighbors
    cdef readonly i32 width
    cdef readonly bint is_weighted, has_walls
    cdef bint lists_one_by_one
    cdef readonly i64 corner_rule, max_weight
    cdef u16[::1] value
    cdef u16[::1] last_weight
    cdef u8[::1] blocked_flags
    cdef u8[::1] exits
    cdef u8[::1] walls
    cdef u8[::1] onward_masks
    cdef i32[::1] exit_offsets
    cdef u8[::1] exit_toggles
    cdef i64[::1] offset
    cdef i64[::1] step_length
    cdef i64[::1] direction_order
    cdef readonly str corners, order
    cdef public object coordinate_frame, unknown_mask
    cdef list cached_ints, cell_cache
    cdef i64 rows_to_cache

    cdef i64 check_init_call(self) except -1
    cdef i64 expand(self, Neighbours neighbours, state_t s) except -1 nogil
    cdef i64 expand_onward(self, Neighbours neighbours, state_t s, i64 previous) except -1 nogil
    @cython.locals(succ=Ints, cost=Longs, offsets=Ints, i=i64, k=i64, base=i32, a=i32, b=i32, c=i32, d=i32)
    @cython.final
    cdef inline i64 list_exits(self, Neighbours neighbours, state_t s, i64 mask) noexcept nogil
    @cython.locals(succ=Ints, cost=Longs, order=Longs, offset=Longs, length=Longs, k=i64, i=i64, d=i64, v=state_t, w=i64, weighted=bint)
    @cython.final
    cdef i64 list_in_order(self, Neighbours neighbours, state_t s, i64 mask) noexcept nogil
    cdef i64 expand_reverse(self, Neighbours neighbours, state_t s) except -1 nogil
    @cython.locals(d=i64)
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 path_costs(self, i32[::1] path, i64[::1] step_costs, i64 moves) except -1 nogil
    @cython.locals(i=i64, move=i64, straight=i64, diagonal=i64)
    cdef double reverse_cost(self, i32[::1] states, cost_t[::1] step_costs, i64 end, i64 start) except -1
    @cython.final
    cdef double cost_in_steps(self, double straight, double diagonal) noexcept
    @cython.locals(down=i64, right=i64)
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read_value(self, i64 location) except -1 nogil
    @cython.locals(old=i64)
    cdef i64 write_value(self, ChangedStates changed, i64 location, i64 value) except -1 nogil
    @cython.locals(blocked=Octets, exits=Octets, offset=Longs, states=Ints, d=i64, t=i64, k=i64, back=i64, is_open=i64, is_free=i64, exits_of_s=i64)
    @cython.final
    cdef inline i64 update_exits_4(self, ChangedStates changed, state_t s) noexcept nogil
    @cython.locals(blocked=Octets, exits=Octets, offset=Longs, states=Ints, toggles=Octets, pattern=i64, toggle=i64, d=i64, t=i64, k=i64)
    @cython.final
    cdef i64 update_exits_8(self, ChangedStates changed, state_t s) noexcept nogil
    @cython.locals(d=i64, t=i64, k=i64, m=i64, blocked=Octets, walls=Octets)
    @cython.final
    cdef i64 update_exits_walled(self, ChangedStates changed, state_t s) noexcept nogil
    @cython.locals(d=i64, k=i64)
    @cython.final
    cdef i64 list_affected(self, ChangedStates changed, state_t s) noexcept nogil
    @cython.final
    cdef build_arrays(self, mask, weights, walls)
    cdef Neighbours make_neighbours(self, Neighbours reuse=*)
    cdef ChangedStates make_changed_states(self)
    @cython.locals(cache=list, in_row=list)
    @cython.final
    cdef inline list cached_row(self, i64 row)
    @cython.locals(row=i32, col=i32, in_row=list)
    cdef object unchecked_key(self, state_t s)
    @cython.locals(i=i64, s=i32, row=i32, col=i32, first=i32, width=i32, numbers=list, in_row=list, cells=list)
    cdef list reversed_keys(self, i32[::1] states, i64 end, i64 start)
    @cython.final
    cdef copy_from(self, Grid other)
    cdef object heuristic_to(self, state_t state)
    cdef i64 max_state_offset(self, i64 steps) except -1
    cdef object make_fast_observations(self)
    cdef object connectivity_grid(self)
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)
