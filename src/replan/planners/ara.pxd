cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Nodes, cost_t, i32, i64, nodes, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.delayed cimport Delayed, close, is_closed
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, UNREACHABLE, EXPANDED

cdef class AnytimeTree(StateTable):
    cdef Nodes node
    cdef i64 x

cdef class ARAStar(Planner):
    cdef readonly OpenList open
    cdef object given
    cdef readonly i64 first, down, weight
    cdef readonly state_t best
    cdef AnytimeTree tree
    cdef Delayed delayed
    cdef Neighbours near
    cdef i32[::1] listed
    cdef i64 fitted, used
    cdef readonly double bound
    cdef Heuristic heuristic

    cdef begin_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)

    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef bint met(self, state_t s) except -1 nogil
    @cython.locals(left=i64, done=i64)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef i64 fit(self) except -1
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 start(self, state_t at) except -1 nogil
    @cython.locals(node=Nodes)
    @cython.final
    cdef i64 meet(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes, u=state_t, v=state_t, i=i64, k=i64, gv=cost_t)
    @cython.final
    cdef i64 improve(self, Space space, Neighbours near, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, f=cost_t)
    @cython.final
    cdef i64 reach(self, OpenList open, state_t v, cost_t gv, state_t u) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=state_t, k=i64)
    @cython.final
    cdef i64 reorder(self, i64 weight) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=state_t, k=i64, least=cost_t)
    @cython.final
    cdef i64 measure(self) except -1 nogil
    @cython.locals(v=state_t, u=state_t, i=i64)
    @cython.final
    cdef i64 lay(self, state_t at) except -1 nogil
