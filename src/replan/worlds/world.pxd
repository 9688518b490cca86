cimport cython
from replan.core cimport i32, i64
from replan.spaces.graph cimport Graph
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space
from replan.worlds.sensors cimport look_adjacent, look_edges, look_radius

@cython.final
cdef class World:
    cdef readonly Space space
    cdef readonly object sensor
    cdef readonly object known
    cdef readonly list changes
    cdef readonly object target
    cdef readonly Space truth
    cdef readonly Space belief
    cdef Space known_free
    cdef readonly i64 time, target_at
    cdef Grid grid, believed_grid
    cdef Graph graph, believed_graph
    cdef bint sees_all, circle, line_of_sight
    cdef i64 radius, fresh_news, due, late, cells
    cdef i32[::1] reach
    cdef i32[::1] seen
    cdef i64[::1] when
    cdef i32[::1] what
    cdef i64[::1] value
    cdef i32[::1] postponed
    cdef i32[::1] route

    @cython.locals(k=i64)
    cdef i64 sense(self, i64 at) noexcept nogil
    @cython.locals(k=i64, i=i64, kept=i64)
    cdef i64 tick(self, i64 at) except -1 nogil
    cdef bint happen(self, i64 i, i64 at) except -1 nogil
    cdef bint more_to_come(self) noexcept nogil
