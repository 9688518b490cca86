cimport cython
from replan.core cimport Ints, i32, i64
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.breadth_first cimport BreadthFirst
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, UNREACHABLE

cdef class RepeatedAStar(Planner):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef object given
    cdef bint backward
    cdef i64 inflation

    cdef begin_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef bint let_go(self) except -1

    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef bint met(self, i64 s) except -1 nogil
    @cython.locals(i=i64, best=i64)
    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil

cdef class RepeatedBFS(Planner):
    cdef BreadthFirst flood
    cdef Neighbours near

    cdef begin_trip(self, Space space, Goals goals)
    cdef resume_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef bint let_go(self) except -1

    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef bint met(self, i64 s) except -1 nogil
    @cython.locals(best=i64)
    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64, u=i64, v=i64)
    @cython.final
    cdef i64 lay(self, Space space, i64 best, i64 at) except -1 nogil
