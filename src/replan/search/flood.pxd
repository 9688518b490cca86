cimport cython
from replan.core cimport Octets, cost_t, count_bits, gather_bits, i32, i64, octets, state_t, u64, u8
from replan.spaces.goals cimport Goals
from replan.spaces.grid cimport Grid
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 MAX_TILE_TURNS

cdef class Flood:
    cdef readonly i64 size, added_goals
    cdef readonly state_t root
    cdef bint is_backward, exact, has_met_other
    cdef i64 round, unused_turns, queue_length, queue_head
    cdef i32[::1] queue

    cdef bint attach(self, Space space) except -1
    cdef prefault(self)
    cdef i64 restart(self, state_t root) except -1 nogil
    cdef bint is_exhausted(self, Goals goals) noexcept nogil
    @cython.locals(v=state_t)
    cdef bint grow(self, Goals goals, Flood other, state_t agent_state, i64 turns) except -1 nogil
    @cython.final
    cdef i64 push(self, i64 x) except -1 nogil
    cdef grow_queue(self)
    @cython.locals(x=i64)
    @cython.final
    cdef i64 pop(self) noexcept nogil
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 add(self, state_t s) except -1 nogil
    cdef i64 requeue(self, state_t s) except -1 nogil
    cdef i64 expand_next(self, Goals goals, Flood other, state_t agent_state) except -1 nogil
    cdef u64 tile_cells(self, i64 tile) noexcept nogil

cdef class StateFlood(Flood):
    cdef i64[::1] words
    cdef Space space
    cdef Neighbours neighbours
    cdef i64 n
    cdef bint has_one_way_steps

    cdef bint attach(self, Space space) except -1
    cdef prefault(self)
    @cython.locals(word=i64)
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 add(self, state_t s) except -1 nogil
    cdef i64 requeue(self, state_t s) except -1 nogil
    @cython.locals(word_index=i64, word=i64, shift=i64)
    @cython.final
    cdef i64 enqueue(self, state_t s, i64 is_new) except -1 nogil
    @cython.locals(u=state_t, v=state_t, i=i64, k=i64, queued_bit=i64)
    cdef i64 expand_next(self, Goals goals, Flood other, state_t agent_state) except -1 nogil
    @cython.locals(k=i64, i=i64)
    @cython.final
    cdef i64 list_neighbours(self, Space space, Neighbours neighbours, state_t u) except -1 nogil

cdef class TileFlood(Flood):
    cdef readonly Grid grid
    cdef i64 tiles_per_row, end_row
    cdef u64 first_column_mask, last_column_mask, last_row_mask
    cdef i64[::1] tile_marks
    cdef u64[::1] tile_bits

    @cython.locals(grid=Grid)
    cdef bint attach(self, Space space) except -1
    cdef prefault(self)
    @cython.locals(row=i64)
    @cython.final
    cdef i64 tile_of(self, state_t s) noexcept nogil
    @cython.locals(row=i64, bit=u64)
    @cython.final
    cdef u64 bit_of(self, state_t s) noexcept nogil
    cdef u64 tile_cells(self, i64 tile) noexcept nogil
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 add(self, state_t s) except -1 nogil
    @cython.locals(tile=i64)
    cdef i64 requeue(self, state_t s) except -1 nogil
    @cython.locals(new_cells=u64, new_count=i64)
    @cython.final
    cdef i64 add_cells(self, i64 tile, u64 cells) except -1 nogil
    @cython.locals(exits=Octets, tile=i64, width=i64, row=i64, col=i64, s=state_t, width_in_tile=i64, i=i64,
                   new_count=i64, cost=cost_t, right=u64, down=u64, left=u64, up=u64, old_cells=u64, cells=u64)
    cdef i64 expand_next(self, Goals goals, Flood other, state_t agent_state) except -1 nogil

@cython.locals(old_cells=u64)
cdef u64 fill_tile(u64 cells, u64 right, u64 down) noexcept nogil

cdef Flood make_flood(Space space, bint backward)
