cimport cython
from replan.core cimport Nodes, cost_t, i32, i64, state_t
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
    cdef i64 note(self, state_t s) except -1 nogil
    @cython.locals(s=state_t)
    cdef i64 note_all(self, Search search) except -1 nogil
    cdef i64 grow(self) except -1
    cdef i64 fit(self, Space space) except -1
    cdef i64 take_in(self, Space space, Goals goals, Search search) except -1 nogil
    @cython.locals(node=Nodes, i=i64, j=i64, k=i64, u=state_t, v=state_t, best=state_t)
    cdef i64 lower_fallen(self, Space space, Neighbours near, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes, i=i64, k=i64, u=state_t, v=state_t, hv=i64, hu=cost_t, turns=i64)
    cdef i64 spread(self, Space space, Neighbours near, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes)
    cdef i64 lower(self, Search search, OpenList queue, state_t s, cost_t h) except -1 nogil
