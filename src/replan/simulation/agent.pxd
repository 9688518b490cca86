cimport cython
from replan.clock cimport deadline_in
from replan.core cimport Ints, i64, ints, state_t, u8
from replan.initialized cimport Initialized
from replan.planners.base cimport Planner
from replan.search.path cimport PlannedPath
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport ChangedStates
from replan.spaces.change_log cimport ChangeLog
from replan.spaces.fast_observations cimport FastObservations
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING

@cython.final
cdef class Agent(Initialized):
    cdef object __weakref__
    cdef readonly Planner planner
    cdef PlannedPath planned_path
    cdef readonly Space belief
    cdef readonly Goals goals
    cdef readonly state_t state
    cdef readonly i64 episodes
    cdef i64 episode_status, trip_number, time_ns
    cdef i64 log_position  # number of the next entry of the belief's change log to apply
    cdef bint locations_are_states, is_syncing
    cdef ChangedStates changed
    cdef FastObservations fast_observations  # None: the belief has no such reader

    cdef attach(self, Space belief, Goals goals, state_t state)
    cdef serialize(self, archive)
    cdef i64 try_observe_list(self, FastObservations reader, list cells, object values, bint is_weights) except -2
    cdef i64 observe_window(self, FastObservations reader, u8[::1] window, i64 cols, state_t first_state) except -1
    cdef i64 apply_observation(self, i64[::1] locations, i64[::1] values) except -1
    @cython.locals(i=i64, changed_count=i64, is_complete=bint)
    cdef i64 accept_all(self, i64[::1] locations, i64[::1] values, i64 count) except -1
    cdef i64 check_usable(self) except -1
    @cython.locals(done=bint)
    cdef i64 search(self, i64 limit, i64 time_ns) except -1
    cdef i64 enter_planner(self) except -1
    cdef i64 check_planner(self) except -1
    @cython.locals(value=i64)
    cdef i64 free_own_cell(self) except -1
    cdef i64 run_episode(self, i64 limit, i64 time_ns) except -1 nogil
    cdef bint search_is_due(self) noexcept nogil
    cdef i64 set_position(self, state_t s) noexcept nogil
    cdef i64 set_path_position(self, i64 position) noexcept nogil
    @cython.locals(changed_count=i64, is_complete=bint)
    cdef i64 accept(self, i64 location, i64 value) except -1 nogil
    @cython.locals(old=i64)
    cdef inline i64 accept_unguarded(self, i64 location, i64 value) except -1 nogil
    @cython.locals(count=i64, i=i64, states=Ints, is_shared=bint)
    cdef inline i64 change_belief(self, i64 location, i64 value, bint costs_increased) except -1 nogil
    cdef i64 mark_dirty(self) noexcept nogil
    @cython.locals(is_complete=bint)
    cdef i64 read_changes(self, ChangeLog change_log) except -1 nogil
    @cython.locals(i=i64, end=i64, checks_steps=bint, path_is_shorter=bint)
    cdef i64 apply_log(self, ChangeLog change_log) except -1 nogil
    @cython.locals(is_cut=bint)
    cdef i64 notify_planner(self, state_t u, state_t v, bint costs_increased, bint checks_path) except -1 nogil
    cdef bint is_at_goal(self) noexcept nogil
    @cython.locals(busy=bint, is_cheapest=bint)
    cdef set_goals(self, Goals goals)
    cdef follow_target(self, state_t state)
