cimport cython
from replan.core cimport BATCH, INF, i64, state_t
from replan.initialized cimport Initialized
from replan.queues.base cimport OpenList

@cython.final
cdef class CheckedQueue(Initialized):
    cdef readonly OpenList open
    cdef dict inside
    cdef i64 n, most_f, most_g

    @cython.locals(i=i64, s=state_t)
    cdef i64 note(self, list states, dict after, bint back) except -1
