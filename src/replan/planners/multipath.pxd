cimport cython
from replan.core cimport Ints, i64
from replan.planners.realtime cimport RealTime
from replan.search.old_paths cimport OldPaths
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef class MultipathAStar(RealTime):
    cdef OldPaths paths

    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef begin_trip(self, Space space, Goals goals)
    cdef new_goals(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(spot=i64)
    cdef i64 lay(self, i64 best, i64 at) except -1 nogil
    @cython.locals(u=i64, i=i64, spot=i64)
    @cython.final
    cdef i64 lay_old_path(self, i64 v) except -1 nogil
