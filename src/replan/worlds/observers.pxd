cimport cython
from libc.stdlib cimport llabs as abs
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.graph cimport Graph
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space

cdef class Observer:
    cdef i32[::1] changed_locations
    cdef i32[::1] path
    cdef i32[::1] reported_locations
    cdef i64 reported_count
    cdef bint skips_unchanged, depends_on_position_only
    cdef reset(self)
    cdef i64 sense(self, state_t state) except -1 nogil
    cdef i64 sense_step(self, i64 previous, state_t state) except -1 nogil
    cdef bint is_visible_to_any(self, i32[::1] occupancy, i64 location) noexcept nogil
    cdef i64 report_change(self, i64 location) except -1 nogil
    cdef i64 list_visible(self, state_t state) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 sense_along(self, i64 first, i64 last) except -1 nogil

cdef class FullObserver(Observer):
    cdef i64 change_count
    cdef reset(self)
    cdef i64 report_change(self, i64 location) except -1 nogil
    @cython.final
    cdef i64 grow(self) except -1
    @cython.locals(k=i64)
    cdef i64 sense(self, state_t state) except -1 nogil
    cdef i64 sense_along(self, i64 first, i64 last) except -1 nogil

cdef class AdjacentCellsObserver(Observer):
    cdef Grid truth, belief
    cdef bint compares_exits
    @cython.locals(k=i64, d=i64, t=i64, row=i64, col=i64)
    cdef i64 list_visible(self, state_t state) except -1 nogil
    @cython.locals(k=i64, d=i64, t=i64)
    cdef i64 sense(self, state_t state) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 sense_along(self, i64 first, i64 last) except -1 nogil

cdef class RadiusObserver(Observer):
    cdef Grid truth, belief
    cdef i64 radius, work_since_signal_check, previous_state
    cdef state_t current_state
    cdef bint line_of_sight, lists_all
    cdef i32[::1] half_widths
    cdef i32[::1] first_edge_cell
    cdef i32[::1] edge_row
    cdef i32[::1] edge_col
    cdef reset(self)
    @cython.locals(k=i64)
    cdef i64 sense(self, state_t state) except -1 nogil
    @cython.locals(d=i64, k=i64, row=i64, col=i64, r=i64, c=cost_t, i=i64, t=i64)
    cdef i64 sense_step(self, i64 previous, state_t state) except -1 nogil
    @cython.locals(row=i64, col=i64, i=i64, t=i64, reported_count=i64)
    @cython.final
    cdef i64 sense_reported(self, state_t state, i64 k) except -1 nogil
    @cython.locals(down=i64, right=i64)
    @cython.final
    cdef bint contains(self, i64 row, i64 col, i64 t) noexcept nogil
    cdef i64 report_change(self, i64 location) except -1 nogil
    @cython.locals(row=i64, col=i64, r=i64, c=cost_t, half=i64)
    cdef bint is_visible_to_any(self, i32[::1] occupancy, i64 location) noexcept nogil
    @cython.locals(k=i64, row=i64, col=i64, r=i64, low=i64, high=i64, half=i64, t=i64, c=cost_t)
    @cython.final
    cdef i64 sense_all(self, state_t state) except -1 nogil
    @cython.locals(previous=bint, k=i64)
    cdef i64 list_visible(self, state_t state) except -1 nogil

cdef class AdjacentEdgesObserver(Observer):
    cdef Graph truth, belief
    @cython.locals(k=i64, a=i64)
    cdef i64 list_visible(self, state_t state) except -1 nogil
    @cython.locals(k=i64, a=i64)
    cdef i64 sense(self, state_t state) except -1 nogil

cdef class PythonObserver(Observer):
    cdef Space truth, belief
    cdef object visible_locations
    cdef state_t current_state
    cdef i64 previous_state
    cdef list listed_locations
    cdef i64 list_visible(self, state_t state) except -1 nogil
    cdef reset(self)
    @cython.final
    cdef i64 call_function(self, state_t state) except -1
    cdef i64 sense(self, state_t state) except -1 nogil

@cython.locals(d=i64)
cdef i64 step_direction(Grid grid, i64 previous, state_t state) noexcept nogil
@cython.locals(row=i64, col=i64, end_row=i64, end_col=i64, down=i64, right=i64, error=i64, step_row=i64, step_col=i64, twice=i64)
cdef bint has_line_of_sight(Grid truth, state_t state, i64 target) noexcept nogil
cpdef list visible_cells(RadiusObserver observer, Grid grid, state_t state)
