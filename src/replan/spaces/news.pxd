cimport cython
from replan.core cimport i64
from replan.log cimport Log
from replan.spaces.neighbours cimport Touched

@cython.final
cdef class News:
    cdef object watchers
    cdef Log log
    cdef i64 sharing, before, room

    cdef i64 watch(self, object who) except -1
    cdef i64 count(self) except -1
    cdef list watching(self)
    cdef inline i64 end(self) noexcept nogil
    cdef i64 reserve(self, Touched touched) except -1
    @cython.locals(i=i64)
    cdef i64 add(self, Touched touched, i64 k, bint rise) except -1
    cdef i64 settle(self) except -1
    cdef inform(self, planner)
    @cython.locals(i=i64)
    cdef list entered_since(self, i64 number)
