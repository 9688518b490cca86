cimport cython
from replan.core cimport cost_t, i32, i64, state_t
from replan.initialized cimport Initialized
from replan.spaces.neighbours cimport Neighbours, ChangedStates
from replan.spaces.change_log cimport ChangeLog

cdef i64 INF

cdef class Space(Initialized):
    cdef readonly i64 n, n_locations, units_per_step, max_edge_round_trip, degree
    cdef readonly cost_t max_path_cost
    cdef readonly i64 row_stride  # difference between the numbers of a state and of the state below it; 0: unknown
    cdef readonly bint has_unit_costs, locations_are_states, is_symmetric, is_built_in
    cdef readonly i64 active_searches  # number of searches that run now
    cdef bint is_changing  # between begin_change and end_change
    cdef dict idle_planners  # planners that the next calls of find_path reuse
    cdef ChangeLog change_log

    cdef i64 check_init_call(self) except -1
    cdef Neighbours make_neighbours(self, Neighbours reuse=*)
    cdef ChangedStates make_changed_states(self)
    cdef i64 begin_change(self) except -1
    @cython.final
    @cython.locals(changed=ChangedStates, k=i64, old=i64)
    cdef _write_logged(self, i64 location, i64 value)
    cdef i64 end_change(self) except -1
    cdef i64 expand(self, Neighbours neighbours, state_t s) except -1 nogil
    cdef i64 expand_onward(self, Neighbours neighbours, state_t s, i64 previous) except -1 nogil
    cdef i64 expand_reverse(self, Neighbours neighbours, state_t s) except -1 nogil
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read_value(self, i64 location) except -1 nogil
    cdef i64 write_value(self, ChangedStates changed, i64 location, i64 value) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 path_costs(self, i32[::1] path, i64[::1] step_costs, i64 moves) except -1 nogil
    cdef double reverse_cost(self, i32[::1] states, cost_t[::1] step_costs, i64 end, i64 start) except -1
    cdef object unchecked_key(self, state_t s)
    cdef list reversed_keys(self, i32[::1] states, i64 end, i64 start)
    cdef object heuristic_to(self, state_t state)
    cdef i64 max_state_offset(self, i64 steps) except -1
    cdef bint is_reversible(self) except -1
    cdef object make_fast_observations(self)
    cdef object connectivity_grid(self)
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)
    @cython.final
    cdef serialize_change_count(self, archive)
    cdef tuple shared_parts(self)

cpdef list values_if_free(Space space, list locations)
@cython.locals(location=i64, values=i64[::1])
cpdef all_values(Space space)
@cython.locals(typed=Space)
cpdef check_space(space)
