cimport cython
from replan.core cimport Ints, Longs, Nodes, i32, i64, ints, longs
from replan.search.astar cimport Ending, Search
from replan.spaces.space cimport Space

cdef class OldPaths(Ending):
    cdef i32[::1] next
    cdef i64[::1] mark
    cdef i64 size, round, first

    cdef fit(self, i64 n)
    cdef touch(self)
    @cython.final
    cdef void begin(self) noexcept nogil
    @cython.locals(next=Ints, mark=Longs, nowhere=i64, t=i64, v=i64, h=i64, left=i64)
    cdef bint ends_at(self, Search search, Space space, i64 s) except -1 nogil
    @cython.locals(node=Nodes, next=Ints, mark=Longs, u=i64)
    @cython.final
    cdef i64 add(self, Search search, i64 end, i64 at) noexcept nogil
