cimport cython
from replan.core cimport BATCH, INF, i64, state_t
from replan.initialized cimport Initialized
from replan.queues.base cimport OpenList

@cython.final
cdef class CheckedQueue(Initialized):
    cdef readonly OpenList open
    cdef dict f_by_state
    cdef i64 n, max_f, max_g

    @cython.locals(i=i64, s=state_t)
    cdef i64 _fill_batch(self, list states, dict f_by_state, bint can_increase) except -1
