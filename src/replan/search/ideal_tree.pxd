cimport cython
from replan.core cimport Longs, cost_t, prefetch_i64, i32, i64, longs, state_t
from replan.search.astar cimport Terminator, Search
from replan.search.state_table cimport StateTable
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 PREFETCH_STEPS, INF, LAST_COLOR, UNDECIDED, COLOR_UNIT

cdef inline i64 decode_pointer(i64 mark) noexcept nogil:
    return <i64><i32>mark - 1

cdef class IdealTree(Terminator):
    cdef i64[::1] mark
    cdef Neighbours neighbours
    cdef Heuristic heuristic
    cdef Goals goals
    cdef i64 first_color, current_color, walked
    cdef state_t cursor
    cdef readonly i64 cuts, pointers

    cdef set_goals(self, Goals goals, Heuristic heuristic)
    @cython.final
    cdef void begin(self) noexcept nogil
    @cython.locals(marks=Longs, s=state_t)
    @cython.final
    cdef void next_color(self) noexcept nogil
    @cython.final
    cdef next_states(self, states=*)
    @cython.final
    cdef i64 pointer(self, Space space, state_t s) except -2 nogil
    @cython.locals(marks=Longs, first_mark=i64, t=i64, next_t=i64, k=i64)
    @cython.final
    cdef i64 count_steps(self, Space space, state_t s, i64 max_steps) except -1 nogil
    @cython.locals(h=cost_t, i=i64, k=i64)
    @cython.final
    cdef i64 initial_pointer(self, Space space, Neighbours neighbours, state_t s) except -2 nogil
    @cython.final
    cdef i64 set_pointer(self, state_t s, state_t next_state) noexcept nogil
    @cython.locals(mark=i64, next_state=state_t)
    @cython.final
    cdef i64 cut_if_blocked(self, Space space, state_t s) except -1 nogil
    @cython.locals(marks=Longs, mark=i64, first_mark=i64, color_mark=i64, k=i64, in_tree=i64, t=i64, next_t=i64)
    @cython.final
    cdef i64 follow_pointers(self, Space space, state_t s, i64 max_steps) except -2 nogil
    cdef bint can_end_at(self, Search search, Space space, state_t s) except -1 nogil
