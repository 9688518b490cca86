cimport cython
from replan.core cimport Octets, i64, octets, state_t, u8

@cython.locals(shut=u8, one=u8, other=u8, past=u8, right=u8, down=u8, left=u8, up=u8, below=i64, above=i64)
cdef inline u8 exits_at(Octets solid, Octets walls, bint walled, state_t s, i64 width, i64 neighbors, i64 rule) noexcept nogil

@cython.locals(s=state_t, first=i64, end=i64, out=Octets, shut=Octets, wall=Octets)
cdef i64 write_exits(u8[::1] exits, u8[::1] solid, u8[::1] walls, bint walled, i64 width, i64 neighbors, i64 rule) noexcept nogil
