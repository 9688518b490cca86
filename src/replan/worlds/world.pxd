cimport cython
from replan.core cimport i32, i64, state_t
from replan.initialized cimport Initialized
from replan.log cimport EventLog
from replan.spaces.space cimport Space
from replan.spaces.neighbours cimport ChangedStates, Neighbours
from replan.worlds.observers cimport FullObserver, Observer
from replan.worlds.targets cimport Target

@cython.final
cdef class World(Initialized):
    cdef readonly Space space
    cdef readonly object sensor
    cdef readonly object known
    cdef readonly list changes
    cdef readonly Target target
    cdef Target initial_target
    cdef readonly object change_function
    cdef readonly list applied_changes
    cdef list edited_locations, scripted_locations
    cdef readonly Space truth
    cdef readonly Space belief
    cdef Space free_belief
    cdef readonly i64 time, _trip_number
    cdef readonly state_t target_state
    cdef readonly bint is_static
    cdef Observer observer
    cdef FullObserver full_observer
    cdef i64 next_change, postponed_count, target_credit, target_trip, trip_searches
    cdef bint locations_are_states, is_busy, is_watched, has_own_spaces, has_crowd
    cdef EventLog log
    cdef ChangedStates changed
    cdef Neighbours neighbours
    cdef i64[::1] change_times
    cdef i32[::1] change_locations
    cdef i64[::1] change_values
    cdef i32[::1] postponed_changes
    cdef i32[::1] occupancy

    @cython.locals(observer=Observer)
    cdef Observer make_observer(self)
    @cython.locals(j=i64, i=i64, remaining=i64)
    cdef i64 tick(self, state_t agent_state) except -1 nogil
    cdef i64 apply_due_changes(self, state_t agent_state) except -1 nogil
    @cython.locals(j=i64, remaining=i64)
    cdef i64 drop_postponed(self, i64 location) noexcept nogil
    cdef i64 call_change_function(self, state_t agent_state) except -1
    cdef claim_target(self, Target target)
    cdef i64 move_target(self, Target target, state_t agent_state) except -1 nogil
    cdef bint try_set_value(self, i64 location, i64 value, state_t agent_state) except -1 nogil
    cdef i64 set_shared_value(self, i64 location, i64 value) except -1
    cdef bint try_apply_change(self, i64 i, state_t agent_state) except -1 nogil
    cdef i64 set_log(self, EventLog log, bint is_watched) except -1
    cdef bint can_still_change(self) noexcept nogil
    cdef serialize(self, archive)
