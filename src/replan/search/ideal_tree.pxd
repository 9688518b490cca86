cimport cython
from replan.core cimport Longs, cost_t, expect, i32, i64, longs, state_t
from replan.search.astar cimport Ending, Search
from replan.search.state_table cimport StateTable
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 AHEAD, INF, LAST_COLOR, NOT_YET, ONE

cdef inline i64 points_to(i64 mark) noexcept nogil:
    return <i64><i32>mark - 1

cdef class IdealTree(Ending):
    cdef i64[::1] mark
    cdef Neighbours near
    cdef Heuristic heuristic
    cdef Goals goals
    cdef i64 first, now, walked
    cdef state_t cursor
    cdef readonly i64 cuts, pointers

    cdef aim(self, Goals goals, Heuristic heuristic)
    @cython.final
    cdef void begin(self) noexcept nogil
    @cython.locals(marks=Longs, s=state_t)
    @cython.final
    cdef void recolor(self) noexcept nogil
    @cython.final
    cdef next_states(self, states=*)
    @cython.final
    cdef i64 pointer(self, Space space, state_t s) except -2 nogil
    @cython.locals(marks=Longs, asked=i64, t=i64, w=i64, k=i64)
    @cython.final
    cdef i64 length(self, Space space, state_t s, i64 most) except -1 nogil
    @cython.locals(h=cost_t, i=i64, k=i64)
    @cython.final
    cdef i64 promised(self, Space space, Neighbours near, state_t s) except -2 nogil
    @cython.final
    cdef i64 point(self, state_t s, state_t to) noexcept nogil
    @cython.locals(mark=i64, to=state_t)
    @cython.final
    cdef i64 look_at(self, Space space, state_t s) except -1 nogil
    @cython.locals(marks=Longs, mark=i64, asked=i64, now=i64, k=i64, hangs=i64, t=i64, w=i64)
    @cython.final
    cdef i64 walk(self, Space space, state_t s, i64 most) except -2 nogil
    cdef bint ends_at(self, Search search, Space space, state_t s) except -1 nogil
