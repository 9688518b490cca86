cimport cython
from replan.core cimport Nodes, i32, i64
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

@cython.final
cdef class RepairH:
    cdef OpenList queue
    cdef i32[::1] fallen
    cdef i64[::1] queued
    cdef i64 count, round, fitted
    cdef readonly i64 lowered
    cdef i64 weight

    cdef forget(self)
    cdef carry(self, bag, i64 n)
    cdef i64 note(self, i64 s) except -1 nogil
    @cython.locals(s=i64)
    cdef i64 note_all(self, Search search) except -1 nogil
    cdef i64 grow(self) except -1
    cdef i64 fit(self, Space space) except -1
    cdef i64 take_in(self, Space space, Goals goals, Search search) except -1 nogil
    @cython.locals(node=Nodes, i=i64, j=i64, k=i64, u=i64, v=i64, best=i64)
    cdef i64 lower_fallen(self, Space space, Neighbours near, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes, i=i64, k=i64, u=i64, v=i64, hv=i64, hu=i64, turns=i64)
    cdef i64 spread(self, Space space, Neighbours near, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes)
    cdef i64 lower(self, Search search, OpenList queue, i64 s, i64 h) except -1 nogil
