cimport cython
from replan.core cimport Octets, i64, octets, state_t, u8

@cython.locals(closed=u8, first=u8, second=u8, diagonal=u8, right=u8, down=u8, left=u8, up=u8, below=i64, above=i64)
cdef inline u8 exits_at(Octets blocked, Octets walls, bint has_walls, state_t s, i64 width, i64 neighbors, i64 corner_rule) noexcept nogil

@cython.locals(s=state_t, first=i64, end=i64, out=Octets, flags=Octets, masks=Octets)
cdef i64 write_exits(u8[::1] exits, u8[::1] blocked, u8[::1] walls, bint has_walls, i64 width, i64 neighbors, i64 corner_rule) noexcept nogil
