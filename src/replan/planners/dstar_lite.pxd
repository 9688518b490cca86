cimport cython
from replan.core cimport i32, i64
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.incremental cimport Incremental

cdef i64 INF, COMPLETE, UNREACHABLE

@cython.final
cdef class DStarLite(Planner):
    cdef readonly Incremental search
    cdef readonly OpenList open
    cdef readonly bint smaller_g
    cdef object given
    cdef i32[::1] pending
    cdef i64 waiting
    cdef bint started

    cpdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    cpdef i64 changed(self, i64 s, bint rise) except -1 nogil
    cdef i64 make_room(self) except -1
    @cython.locals(i=i64)
    cdef i64 take_in(self, i64 at) except -1 nogil
    @cython.locals(s=i64, v=i64, i=i64, k=i64)
    cdef i64 lay(self, i64 at) noexcept nogil
