cimport cython
from replan.core cimport INF, QUEUED, Vertices, i32, i64
from replan.search.incremental cimport Incremental
from replan.signals cimport check_signals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

@cython.final
cdef class Rerooting:
    cdef i32[::1] states
    cdef readonly i64 count

    @cython.locals(node=Vertices, w=i64, above=i64, i=i64)
    cdef bint move(self, Incremental search, i64 old, i64 at) except -1 nogil
    @cython.locals(node=Vertices, i=i64, k=i64, v=i64)
    cdef i64 cut_children(self, Incremental search, Space space, Neighbours around, i64 w) except -1 nogil
    @cython.locals(node=Vertices)
    cdef i64 cut(self, Incremental search, i64 s) except -1 nogil
