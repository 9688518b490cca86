cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport Ints, Longs, Octets, cost_t, i32, i64, ints, longs, octets, state_t, u16, u8
from replan.spaces.layout cimport exits_at
from replan.spaces.neighbours cimport Neighbours, Touched
from replan.spaces.space cimport Space

cdef i64 DIAGONAL, INF, STRAIGHT
cdef double ROOT_2

cdef class Grid(Space):
    cdef readonly i64 rows, cols, neighbors
    cdef readonly i32 width
    cdef readonly bint weighted, walled
    cdef bint one_by_one
    cdef readonly i64 rule, top_weight
    cdef u16[::1] value
    cdef u16[::1] last
    cdef u8[::1] solid
    cdef u8[::1] exits
    cdef u8[::1] walls
    cdef u8[::1] not_back
    cdef i32[::1] hops
    cdef u8[::1] turned
    cdef i64[::1] offset
    cdef i64[::1] length
    cdef i64[::1] turns
    cdef readonly str corners, order
    cdef public object frame, unknown
    cdef list numbers, made
    cdef i64 beginning

    cdef i64 refuse_numbers(self) except -1
    cdef i64 expand(self, Neighbours near, state_t s) except -1 nogil
    cdef i64 onward(self, Neighbours near, state_t s, i64 back) except -1 nogil
    @cython.locals(succ=Ints, cost=Longs, hop=Ints, i=i64, k=i64, at=i32, a=i32, b=i32, c=i32, d=i32)
    @cython.final
    cdef inline i64 list_exits(self, Neighbours near, state_t s, i64 m) noexcept nogil
    @cython.locals(succ=Ints, cost=Longs, turns=Longs, offset=Longs, length=Longs, k=i64, i=i64, d=i64, v=state_t, w=i64, weighted=bint)
    @cython.final
    cdef i64 list_in_turn(self, Neighbours near, state_t s, i64 m) noexcept nogil
    cdef i64 reverse(self, Neighbours near, state_t s) except -1 nogil
    @cython.locals(d=i64)
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 bill(self, i32[::1] path, i64[::1] paid, i64 moves) except -1 nogil
    @cython.locals(i=i64, move=i64, straight=i64, diagonal=i64)
    cdef double cost_back(self, i32[::1] states, cost_t[::1] toll, i64 stop, i64 start) except -1
    @cython.final
    cdef double length_of(self, double straight, double diagonal) noexcept
    @cython.locals(down=i64, right=i64)
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read(self, i64 place) except -1 nogil
    @cython.locals(old=i64)
    cdef i64 write(self, Touched touched, i64 place, i64 value) except -1 nogil
    @cython.locals(solid=Octets, exits=Octets, offset=Longs, listed=Ints, d=i64, t=i64, k=i64, back=i64, step=i64, free=i64, ways=i64)
    @cython.final
    cdef inline i64 reopen_cross(self, Touched touched, state_t s) noexcept nogil
    @cython.locals(solid=Octets, exits=Octets, offset=Longs, listed=Ints, turned=Octets, pattern=i64, turn=i64, d=i64, t=i64, k=i64)
    @cython.final
    cdef i64 reopen_block(self, Touched touched, state_t s) noexcept nogil
    @cython.locals(d=i64, t=i64, k=i64, m=i64, shut=Octets, walls=Octets)
    @cython.final
    cdef i64 reopen_walled(self, Touched touched, state_t s) noexcept nogil
    @cython.locals(d=i64, k=i64)
    @cython.final
    cdef i64 touch_around(self, Touched touched, state_t s) noexcept nogil
    @cython.final
    cdef lay_out(self, solid, weights, walls)
    cdef Neighbours neighbours(self, Neighbours old=*)
    cdef Touched touched(self)
    @cython.locals(made=list, in_row=list)
    @cython.final
    cdef inline list made_in(self, i64 row)
    @cython.locals(row=i32, col=i32, in_row=list)
    cdef object called(self, state_t s)
    @cython.locals(i=i64, s=i32, row=i32, col=i32, first=i32, width=i32, numbers=list, in_row=list, cells=list, cell=object)
    cdef list keys_back(self, i32[::1] states, i64 stop, i64 start)
    @cython.final
    cdef become(self, Grid other)
    cdef object distance_to(self, state_t state)
    cdef i64 state_reach(self, i64 steps) except -1
    cdef object plain_sights(self)
    cdef object straight_grid(self)
    cdef tuple made_from(self)
    cdef carry(self, bag)
