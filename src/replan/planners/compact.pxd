cimport cython
from replan.core cimport i32, i64
from replan.planners.base cimport Planner
from replan.search.compact cimport CompactSearch

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE, HANDED

@cython.final
cdef class CompactAStar(Planner):
    cdef readonly CompactSearch search
    cdef object given_room
    cdef i64 end

    @cython.locals(d=i64, cut=i64)
    cpdef i64 changed(self, i64 s, bint rise) except -1 nogil
    cdef i64 look_at(self, i64 s) except -1 nogil
    cpdef i64 spot_of(self, i64 s) noexcept nogil
    @cython.locals(found=bint, k=i64, s=i64)
    cpdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
