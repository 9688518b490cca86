cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport i32, i64
from replan.spaces.graph cimport Graph
from replan.spaces.grid cimport Grid

@cython.locals(k=i64, d=i64, t=i64, count=i64)
cpdef i64 look_adjacent(Grid truth, Grid belief, i64 at, i32[::1] seen) noexcept nogil
@cython.locals(k=i64, row=i64, col=i64, r=i64, low=i64, high=i64, half=i64, down=i64, t=i64, c=i64)
cpdef i64 look_radius(Grid truth, Grid belief, i64 at, i64 radius, bint line_of_sight, i32[::1] reach, i32[::1] seen) noexcept nogil
@cython.locals(row=i64, col=i64, end_row=i64, end_col=i64, down=i64, right=i64, error=i64, step_row=i64, step_col=i64, twice=i64)
cpdef bint in_sight(Grid truth, i64 at, i64 t) noexcept nogil
@cython.locals(k=i64, a=i64)
cpdef i64 look_edges(Graph truth, Graph belief, i64 at, i32[::1] seen) noexcept nogil
