cimport cython
from replan.core cimport INF, Vertices, i64, state_t
from replan.search.branches cimport CutBranches
from replan.search.incremental cimport Incremental

@cython.locals(node=Vertices, s=i64, parent=i64, i=i64)
cdef bint reroot(Incremental search, CutBranches branches, i64 old_root, state_t s_start) except -1 nogil
