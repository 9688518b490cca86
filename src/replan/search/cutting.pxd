cimport cython
from replan.core cimport INF, QUEUED, Vertices, i64
from replan.search.branches cimport Branches
from replan.search.incremental cimport Incremental
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Cutting(Incremental):
    cdef Branches branches
    cdef readonly i64 cuts

    @cython.locals(node=Vertices, v=i64)
    cdef i64 costs_changed(self, i64 s) except -1 nogil
    @cython.locals(i=i64, j=i64, left=i64)
    @cython.final
    cdef i64 cut_off(self, Space space, Neighbours around, i64 s) except -1 nogil
    @cython.locals(node=Vertices, i=i64, k=i64, v=i64)
    @cython.final
    cdef i64 seed_around(self, Space space, Neighbours near, i64 s) except -1 nogil
    @cython.locals(node=Vertices, f=i64)
    @cython.final
    cdef i64 seed(self, i64 s) except -1 nogil
    cdef i64 raise_(self, Space space, Neighbours around, Neighbours near, i64 u) except -1 nogil
