cimport cython
from replan.clock cimport now_ns
from replan.core cimport Longs, i32, i64
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.incremental cimport Incremental

cdef i64 INF, COMPLETE, UNREACHABLE, ON_TRAIL

cdef class IncrementalPlanner(Planner):
    cdef readonly Incremental search
    cdef readonly OpenList open
    cdef readonly bint smaller_g
    cdef object given
    cdef i32[::1] pending
    cdef i64 waiting, laid
    cdef bint started

    cdef i64 changed(self, i64 s, bint rise) except -1 nogil
    cdef i64 make_room(self) except -1
    @cython.locals(i=i64, s=i64)
    cdef i64 take_in(self, i64 at) except -1 nogil
    @cython.locals(node=Longs, s=i64, v=i64, i=i64, k=i64, join=i64)
    cdef i64 lay(self, i64 at) noexcept nogil
    @cython.locals(node=Longs)
    cdef inline i64 mark(self, i64 s, i64 i) noexcept nogil

@cython.final
cdef class DStarLite(IncrementalPlanner):
    @cython.locals(before=i64)
    cpdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil

@cython.final
cdef class AnytimeDStar(IncrementalPlanner):
    cdef readonly i64 first, down, up, cost, reported
    cdef bint complete
    @cython.locals(before=i64, stop=i64, left=i64)
    cpdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(changes=bint)
    cdef i64 start_step(self, i64 at) except -1
