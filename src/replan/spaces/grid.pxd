cimport cython
from replan.core cimport i32, i64, state_t
from replan.spaces.cells cimport Cells
from replan.spaces.neighbours cimport Neighbours, Touched

cdef i64 STRAIGHT, DIAGONAL

cdef class Grid(Cells):
    cdef readonly str corners, order
    cdef public object frame, unknown
    cdef list numbers, made
    cdef i64 beginning

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
    cdef object straight_grid(self)
    cdef tuple made_from(self)
    cdef carry(self, bag)
