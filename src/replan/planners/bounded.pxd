from replan.core cimport i64
from replan.planners.base cimport Planner
from replan.search.reach cimport Reach

cdef class BoundedPlanner(Planner):
    cdef readonly Reach reach
    cdef public bint notice

    cdef bint knows_no_way(self, i64 at) noexcept nogil
    cdef bint finds_no_way(self, i64 at, i64 expanded) except -1 nogil
