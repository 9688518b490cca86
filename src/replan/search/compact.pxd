cimport cython
from replan.core cimport i32, i64, state_t, u8
from replan.log cimport EventLog
from replan.signals cimport check_signals

cdef i64 FREE, BLOCKED, EXPANDED, GENERATED, PATH, CLOSED

@cython.final
cdef class CompactSearch:
    cdef u8[::1] cell_bits
    cdef i32[::1] stack
    cdef i64[::1] direction_steps
    cdef readonly i64 rows, cols, n, queue_capacity, start, expanded, tree_walks
    cdef readonly state_t goal
    cdef i32 width
    cdef i64 even_count, odd_count, level_parity
    cdef bint even_overflowed, odd_overflowed, busy, is_watched
    cdef EventLog log
    cdef readonly bint has_path

    cdef load_blocked(self, blocked)
    cdef i64 read_code(self, state_t s) noexcept nogil
    @cython.locals(shift=i64)
    cdef i64 write_code(self, state_t s, i64 code) noexcept nogil
    @cython.locals(code=i64, is_cut=bint)
    cdef bint set_blocked(self, state_t s, bint blocked) noexcept nogil
    cdef bint find_path(self, i64 start, state_t goal) except -1 nogil
    @cython.locals(s=i32, row=i64, col=i64)
    cdef bint loop(self, i64 goal_row, i64 goal_col) except -1 nogil
    @cython.locals(v=state_t, code=i64, parity=i64, level=i64)
    cdef inline i64 generate(self, state_t s, i64 d, bint is_closer) noexcept nogil
    @cython.locals(size=i64)
    cdef inline i64 push(self, state_t s, i64 level) noexcept nogil
    @cython.locals(s=state_t, empty_levels=i64)
    cdef inline state_t pop(self) noexcept nogil
    cdef i64 refill_stack(self) noexcept nogil
    @cython.locals(u=state_t, v=state_t, d=i64, code=i64, is_child=bint, parent_direction=i64)
    cdef i64 traverse_tree(self, state_t root, bint wipe) noexcept nogil
    @cython.locals(u=state_t, next_direction=i64, parent_direction=i64)
    cdef i64 reverse_pointers(self) noexcept nogil
    cdef i64 next_on_path(self, state_t s) noexcept nogil
    cdef bint is_on_path(self, state_t s) noexcept nogil
    @cython.locals(s=state_t, v=state_t)
    cdef i64 clear_path(self) noexcept nogil
    cdef serialize(self, archive, blocked)
    cdef all_codes(self)
    @cython.locals(s=state_t)
    cdef list path_states(self)
