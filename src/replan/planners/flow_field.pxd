cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport i32, i64, ints, state_t, u8
from replan.initialized cimport Initialized
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.spaces.change_log cimport ChangeLog
from replan.spaces.neighbours cimport ChangedStates
from replan.spaces.space cimport Space

cdef i64 INF

cdef class FlowFieldSearch(IncrementalPlanner):
    cdef reserve_path(self, i64 n)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    @cython.locals(i=i64, known_count=i64, limit_left=i64, expansions_before=i64, is_known=i64)
    @cython.final
    cdef i64 search_ways(self, i32[::1] states, u8[::1] known, i64 limit, i64 deadline) except -1 nogil
    cdef path_states(self, state_t s, i64 max_count)

@cython.final
cdef class FlowField(Initialized):
    cdef readonly Space space
    cdef readonly FlowFieldSearch _search
    cdef ChangedStates changed
    cdef i64 log_position
    cdef object __weakref__

    @cython.locals(old_search=FlowFieldSearch, search=FlowFieldSearch)
    cdef _replace_queue(self)
    @cython.locals(i=i64, changed_count=i64)
    cdef i64 apply_changes(self, i64[::1] locations, i64[::1] values) except -1
    @cython.locals(old=i64, count=i64)
    cdef i64 apply_change(self, i64 location, i64 value) except -1
    @cython.locals(i=i64, end=i64)
    cdef i64 read_changes(self, ChangeLog change_log) except -1 nogil
    @cython.locals(known_count=i64, is_complete=bint)
    cdef i64 advance_states(self, i32[::1] states, u8[::1] known, i64 limit, i64 time_ns) except -1
    cdef i64 search_states(self, i32[::1] states, u8[::1] known, i64 limit, i64 time_ns) except -1
