cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Nodes, i32, i64, nodes
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.delayed cimport Delayed, close, is_closed
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, UNREACHABLE, EXPANDED

cdef class ARAStar(Planner):
    cdef readonly OpenList open
    cdef object given
    cdef readonly i64 first, down, weight, best
    cdef i64[::1] table
    cdef Nodes node
    cdef object columns
    cdef Delayed delayed
    cdef Neighbours near
    cdef i32[::1] listed
    cdef i64 x, n, fitted, used
    cdef readonly double bound
    cdef Heuristic heuristic

    cdef begin_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)

    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef bint met(self, i64 s) except -1 nogil
    @cython.locals(left=i64, done=i64)
    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 fit(self) except -1
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 start(self, i64 at) except -1 nogil
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 meet(self, i64 s) except -1 nogil
    @cython.locals(node=Nodes, u=i64, v=i64, i=i64, k=i64, gv=i64)
    @cython.final
    cdef i64 improve(self, Space space, Neighbours near, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, f=i64)
    @cython.final
    cdef i64 reach(self, OpenList open, i64 v, i64 gv, i64 u) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=i64, k=i64)
    @cython.final
    cdef i64 reorder(self, i64 weight) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=i64, k=i64, least=i64)
    @cython.final
    cdef i64 measure(self) except -1 nogil
    @cython.locals(v=i64, u=i64, i=i64)
    @cython.final
    cdef i64 lay(self, i64 at) except -1 nogil
