from replan.core cimport i64
from replan.planners.base cimport Planner
from replan.search.reach cimport Reach
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef class BoundedPlanner(Planner):
    cdef readonly Reach reach
    cdef public bint notice

    cdef set_out(self, Space space, Goals goals, bint anew)
    cdef carry(self, bag)
    cdef carry_trip(self, bag)
    cdef bint knows_no_way(self, i64 at) noexcept nogil
    cdef bint finds_no_way(self, i64 at, i64 expanded) except -1 nogil
