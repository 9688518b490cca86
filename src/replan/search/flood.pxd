cimport cython
from replan.core cimport Octets, cost_t, count_bits, gather, i32, i64, octets, state_t, u64, u8
from replan.spaces.goals cimport Goals
from replan.spaces.grid cimport Grid
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 DEAREST

cdef class Flood:
    cdef readonly i64 size, fed
    cdef readonly state_t root
    cdef bint backward, exact, met
    cdef i64 round, balance, waiting, head
    cdef i32[::1] ring

    cdef bint settle(self, Space space) except -1
    cdef touch(self)
    cdef i64 restart(self, state_t root) except -1 nogil
    cdef bint dry(self, Goals goals) noexcept nogil
    @cython.locals(v=state_t)
    cdef bint grow(self, Goals goals, Flood other, state_t at, i64 turns) except -1 nogil
    @cython.final
    cdef i64 push(self, i64 x) except -1 nogil
    cdef widen(self)
    @cython.locals(x=i64)
    @cython.final
    cdef i64 pull(self) noexcept nogil
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 hold(self, state_t s) except -1 nogil
    cdef i64 again(self, state_t s) except -1 nogil
    cdef i64 step(self, Goals goals, Flood other, state_t at) except -1 nogil
    cdef u64 held_in(self, i64 tile) noexcept nogil

cdef class StateFlood(Flood):
    cdef i64[::1] words
    cdef Space space
    cdef Neighbours near
    cdef i64 n
    cdef bint one_way

    cdef bint settle(self, Space space) except -1
    cdef touch(self)
    @cython.locals(w=i64)
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 hold(self, state_t s) except -1 nogil
    cdef i64 again(self, state_t s) except -1 nogil
    @cython.locals(i=i64, w=i64, shift=i64)
    @cython.final
    cdef i64 line_up(self, state_t s, i64 held) except -1 nogil
    @cython.locals(u=state_t, v=state_t, i=i64, k=i64, two=i64)
    cdef i64 step(self, Goals goals, Flood other, state_t at) except -1 nogil
    @cython.locals(k=i64, i=i64)
    @cython.final
    cdef i64 neighbours_of(self, Space space, Neighbours near, state_t u) except -1 nogil

cdef class TileFlood(Flood):
    cdef readonly Grid grid
    cdef i64 across, end
    cdef u64 first_column, last_column, last_row
    cdef i64[::1] mark
    cdef u64[::1] held

    @cython.locals(grid=Grid)
    cdef bint settle(self, Space space) except -1
    cdef touch(self)
    @cython.locals(row=i64)
    @cython.final
    cdef i64 tile_of(self, state_t s) noexcept nogil
    @cython.locals(row=i64, one=u64)
    @cython.final
    cdef u64 bit_of(self, state_t s) noexcept nogil
    cdef u64 held_in(self, i64 tile) noexcept nogil
    cdef bint has(self, state_t s) noexcept nogil
    cdef i64 hold(self, state_t s) except -1 nogil
    @cython.locals(tile=i64)
    cdef i64 again(self, state_t s) except -1 nogil
    @cython.locals(fresh=u64, new=i64)
    @cython.final
    cdef i64 seed(self, i64 tile, u64 cells) except -1 nogil
    @cython.locals(exits=Octets, tile=i64, width=i64, row=i64, col=i64, s=state_t, room=i64, i=i64, new=i64, cost=cost_t,
                   right=u64, down=u64, left=u64, up=u64, old=u64, cells=u64)
    cdef i64 step(self, Goals goals, Flood other, state_t at) except -1 nogil

@cython.locals(old=u64)
cdef u64 filled(u64 cells, u64 right, u64 down) noexcept nogil

cdef Flood flood_of(Space space, bint backward)
