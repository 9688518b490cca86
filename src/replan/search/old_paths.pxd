cimport cython
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, longs, state_t
from replan.search.astar cimport Terminator, Search
from replan.search.path cimport PlannedPath
from replan.search.state_table cimport StateTable
from replan.spaces.space cimport Space

cdef class OldPaths(Terminator):
    cdef i32[::1] next
    cdef i64[::1] mark
    cdef PlannedPath path
    cdef i64 round, first_mark, valid_from, join_index, join_steps

    cdef attach_path(self, PlannedPath path)
    @cython.final
    cdef void begin(self) noexcept nogil
    @cython.locals(i=i64)
    @cython.final
    cdef i64 valid_position(self, state_t s) noexcept nogil
    @cython.locals(i=i64)
    @cython.final
    cdef void on_cost_increase(self, state_t u) noexcept nogil
    @cython.locals(next_state=Ints, mark=Longs, node=Nodes, h_stamp=i64, dead_end_mark=i64, t=i64, v=state_t,
                   h_t=cost_t, h_v=i64, steps=i64)
    cdef bint can_end_at(self, Search search, Space space, state_t s) except -1 nogil
    @cython.locals(next_state=Ints, mark=Longs, states=Ints, i=i64)
    @cython.final
    cdef void add_segment(self, i64 low, i64 high) noexcept nogil
