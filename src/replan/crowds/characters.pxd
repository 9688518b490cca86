cimport cython
from replan.core cimport SLOTS_PER_LINE, CharacterRows, Ints, character_rows, free_lines, i32, i64, ints_after, learned_table_of, longs_in, allocate_lines, state_t
from replan.initialized cimport Initialized
from replan.search.learned_table cimport MAX_NARROW_VALUE, MIN_LINES, table_bytes, free_table, list_entries, load_entries, allocate_table

cdef i64 COMPLETE, INF, MAX_I32, MAX_STATES, PARTIAL, STEP_BYTES, WAITING, ROW_WORDS

@cython.final
cdef class Characters(Initialized):
    cdef i64[::1] table
    cdef CharacterRows character
    cdef i64 end_row, row_capacity
    cdef i32[::1] occupancy
    cdef list unused_rows
    cdef dict columns

    cdef reserve_rows(self, i64 room)
    @cython.locals(character=CharacterRows, c=i64)
    cdef i64 add_row(self, state_t state, state_t goal, i64 id, i64 rng_state) except -1
    cdef remove_row(self, i64 c)
    cdef i64 move_to(self, i64 c, state_t state) noexcept
    @cython.locals(character=CharacterRows)
    cdef i64 reset_plan(self, i64 c) noexcept nogil
    @cython.locals(character=CharacterRows, conflict=i64, i=i64)
    cdef i64 first_conflict(self, i32[::1] states, i32[::1] rows) noexcept
    cdef i64 free_memory(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows, room=i64, lines=Ints)
    cdef i64 reserve_path(self, i64 c, i64 steps) except -1 nogil
    @cython.locals(c=i64, total=i64)
    cdef column(self, str name, rows)
    cdef serialize(self, archive, rows, space, i64 ticks)
    @cython.locals(character=CharacterRows)
    cdef i64 init_memory(self, i64 c) except -1
    cdef set_column(self, str name, rows, values)
    cdef serialize_paths(self, archive, rows, i64 n)
    @cython.locals(character=CharacterRows, k=i64, i=i64, c=i64, steps=i64, j=i64)
    cdef i64 copy_paths(self, i32[::1] rows, i64[::1] states, i64[::1] costs, bint loading) except -1
    @cython.locals(i=i64, c=i64)
    cdef serialize_learned(self, archive, rows, i64 n)
    @cython.locals(k=i64, i=i64, end=i64)
    cdef i64 copy_learned(self, i32[::1] rows, i64[::1] count, i32[::1] states, i64[::1] h_values) except -1
    @cython.locals(k=i64, i=i64, end=i64)
    cdef i64 load_learned_tables(self, i32[::1] rows, i64[::1] count, i64[::1] lines, i64[::1] wide, i32[::1] states, i64[::1] h_values) except -1
    cdef i64 learned_count(self, rows)
    @cython.locals(c=i64, steps=i64, tables=i64)
    cdef tuple bytes_used(self, rows)
