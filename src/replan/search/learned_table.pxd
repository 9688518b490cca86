cimport cython
from replan.core cimport (
    Ints, LearnedTablePtr, Longs, NARROW_LINE_WORDS, Nodes, SLOTS_PER_LINE, WIDE_LINE_WORDS, cost_t, free_lines,
    i32, i64, ints, home_line, longs, lowest_bit, allocate_lines, read_value, state_t, write_value
)
from replan.spaces.cell_distance cimport Heuristic

cdef i64 MIN_LINES, MAX_NARROW_VALUE

@cython.locals(matches=i64)
cdef i64 slot_of(Ints lines, i64 i, i32 s) noexcept nogil
@cython.locals(lines=Ints, width=i64, end=i64, i=i64, k=i64, value=i64)
cdef i64 lookup(LearnedTablePtr learned, state_t s) noexcept nogil
@cython.locals(lines=Ints, width=i64, end=i64, i=i64, k=i64)
cdef i64 store(LearnedTablePtr learned, state_t s, i64 value) noexcept nogil
cdef bint is_full(LearnedTablePtr learned) noexcept nogil
@cython.locals(width=i64, i=i64, k=i64)
cdef i64 allocate_table(LearnedTablePtr learned, i64 lines, bint wide) except -1 nogil
cdef i64 free_table(LearnedTablePtr learned) except -1 nogil
@cython.locals(width=i64, k=i64, i=i64, s=state_t)
cdef i64 list_entries(LearnedTablePtr learned, i32[::1] states, i64[::1] values) noexcept
@cython.locals(i=i64)
cdef i64 load_entries(LearnedTablePtr learned, i64 lines, bint wide, i32[::1] states, i64[::1] values) except -1
@cython.locals(size=i64)
cdef i64 table_bytes(LearnedTablePtr learned) noexcept nogil

@cython.final
cdef class LearnedHStore:
    cdef LearnedTablePtr table
    cdef Heuristic heuristic
    cdef cost_t h_offset
    cdef i64 recorded_count
    cdef i32[::1] recorded_states
    cdef cost_t[::1] recorded_h

    cdef i64 select_table(self, LearnedTablePtr learned, cost_t h_offset) noexcept nogil
    @cython.locals(value=i64)
    cdef cost_t h_of(self, state_t s, i64 first_h) noexcept nogil
    @cython.locals(i=i64, state=Ints, h=Longs, listed=Ints)
    cdef i64 record_h(self, Nodes node, i32[::1] closed, i64 count) except -1 nogil
    @cython.locals(i=i64, s=state_t, state=Ints, h=Longs)
    cdef i64 store_changed_h(self, Nodes node) except -1 nogil
    cdef i64 store_h(self, state_t s, cost_t h) except -1 nogil
    @cython.locals(learned=LearnedTablePtr, lines=Ints, width=i64, capacity=i64, was_wide=bint, count=i64, i=i64,
                   s=state_t, value=i64)
    cdef cost_t rehash(self, bint wide) except -1 nogil
    cdef bint exceeds_first_h(self, state_t s, i64 value) except -1 nogil
