cimport cython
from replan.core cimport Ints, Longs, i32, i64, ints, longs
from replan.search.astar cimport Ending, Search
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, NOT_YET

cdef class IdealTree(Ending):
    cdef i32[::1] next
    cdef i64[::1] color
    cdef Neighbours near
    cdef Heuristic heuristic
    cdef Goals goals
    cdef i64 room, first, now, cursor, walked
    cdef readonly i64 cuts

    cdef fit(self, Space space)
    cdef touch(self)
    cdef carry(self, bag, i64 n)
    cdef aim(self, Goals goals, Heuristic heuristic)
    @cython.final
    cdef void begin(self) noexcept nogil
    @cython.final
    cdef i64 pointer(self, Space space, i64 s) except -2 nogil
    @cython.locals(h=i64, i=i64, k=i64)
    @cython.final
    cdef i64 promised(self, Space space, Neighbours near, i64 s) except -2 nogil
    @cython.final
    cdef void point(self, i64 s, i64 to) noexcept nogil
    @cython.final
    cdef i64 look_at(self, Space space, i64 s) except -1 nogil
    @cython.locals(next=Ints, color=Longs, now=i64, k=i64, hangs=i64, t=i64, w=i64, known=bint)
    @cython.final
    cdef i64 walk(self, Space space, i64 s, i64 most) except -2 nogil
    cdef bint ends_at(self, Search search, Space space, i64 s) except -1 nogil
