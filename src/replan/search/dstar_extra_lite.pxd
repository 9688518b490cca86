cimport cython
from replan.core cimport INF, QUEUED, Vertices, cost_t, i64, state_t
from replan.search.branches cimport CutBranches
from replan.search.incremental cimport Incremental
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class DStarExtraLiteSearch(Incremental):
    cdef CutBranches cut_branches
    cdef readonly i64 cuts

    @cython.locals(node=Vertices, v=state_t)
    cdef i64 on_cost_change(self, state_t s) except -1 nogil
    @cython.locals(i=i64, j=i64, seed_count=i64)
    @cython.final
    cdef i64 cut_branch(self, Space space, Neighbours neighbours, state_t s) except -1 nogil
    @cython.locals(node=Vertices, i=i64, k=i64, v=state_t)
    @cython.final
    cdef i64 seed_neighbours(self, Space space, Neighbours neighbours, state_t s) except -1 nogil
    @cython.locals(node=Vertices, f=cost_t)
    @cython.final
    cdef i64 seed(self, state_t s) except -1 nogil
    cdef i64 raise_g(self, Space space, Neighbours pred_neighbours, Neighbours succ_neighbours, state_t u) except -1 nogil
