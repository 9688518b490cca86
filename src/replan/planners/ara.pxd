cimport cython
from replan.clock cimport now_ns
from replan.core cimport i32, i64
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport Heuristic
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, UNREACHABLE

@cython.final
cdef class ARAStar(Planner):
    cdef readonly OpenList open
    cdef object given
    cdef bint check
    cdef readonly i64 first, down, weight, best
    cdef i64[:] g
    cdef i64[:] h
    cdef i64[:] stamp
    cdef i64[:] parent
    cdef i64[::1] closed_in
    cdef i32[::1] later
    cdef i32[::1] listed
    cdef i64 x, iteration, delayed, fitted, used
    cdef readonly double bound
    cdef Heuristic heuristic

    @cython.locals(left=i64, done=i64)
    cpdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    cdef i64 fit(self) except -1
    cdef i64 start(self, i64 at) except -1 nogil
    cdef i64 meet(self, i64 s) except -1 nogil
    @cython.locals(u=i64, v=i64, i=i64, k=i64, gv=i64)
    cdef i64 improve(self, Space space, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(f=i64)
    cdef i64 reach(self, OpenList open, i64 v, i64 gv, i64 u) except -1 nogil
    cdef i64 wait(self, i64 v) except -1 nogil
    @cython.locals(i=i64, s=i64, k=i64)
    cdef i64 reorder(self, i64 weight) except -1 nogil
    @cython.locals(i=i64, s=i64, k=i64, least=i64)
    cdef i64 measure(self) except -1 nogil
    @cython.locals(v=i64, u=i64, i=i64)
    cdef i64 lay(self, i64 at) except -1 nogil
