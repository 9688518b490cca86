cimport cython
from replan.core cimport Ints, i64, state_t
from replan.log cimport Log
from replan.planners.base cimport Planner
from replan.search.compact cimport CompactSearch
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 COMPLETE, PARTIAL, UNREACHABLE, HANDED

cdef class CompactAStar(Planner):
    cdef readonly CompactSearch search
    cdef object given_room
    cdef i64 end

    cdef begin_trip(self, Space space, Goals goals)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef reserve_path(self, i64 n)

    cdef i64 log_to(self, Log log, bint watched) except -1
    @cython.locals(i=i64, s=state_t, d=i64, cut=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    @cython.final
    cdef i64 look_at(self, state_t s) except -1 nogil
    @cython.locals(found=bint, k=i64, s=state_t)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
