cimport cython
from replan.core cimport INF, Vertices, i64, state_t
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.search.branches cimport Branches
from replan.search.rerooting cimport reroot
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef class MTDStarLite(IncrementalPlanner):
    cdef Branches branches
    cdef state_t root
    cdef bint several

    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef Goals roots(self)
    cdef begin_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef i64 take_in(self, state_t at) except -1 nogil
    cdef i64 start_at(self, state_t at) except -1
    cdef i64 refuse_odd_h(self, state_t at) except -1
    @cython.locals(i=i64, t=i64, best=state_t, left=i64, before=i64)
    cdef i64 search_on(self, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Vertices, s=state_t, v=state_t, k=i64)
    cdef i64 lay(self, state_t at) except -1 nogil
