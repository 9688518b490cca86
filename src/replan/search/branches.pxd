cimport cython
from replan.core cimport INF, ON_PATH, QUEUED, Vertices, i32, i64, state_t
from replan.search.incremental cimport Incremental
from replan.signals cimport check_signals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

@cython.final
cdef class CutBranches:
    cdef i32[::1] states
    cdef readonly i64 count

    @cython.locals(node=Vertices, stamp=i64)
    cdef i64 cut_state(self, Incremental search, state_t s) except -1 nogil
    @cython.locals(node=Vertices, i=i64, k=i64, v=state_t, other_count=i64)
    cdef i64 cut_children(self, Incremental search, Space space, Neighbours neighbours, state_t s) except -1 nogil
