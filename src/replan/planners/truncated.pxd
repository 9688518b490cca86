cimport cython
from replan.core cimport Ints, Longs, Vertices, i64, ints, longs, state_t
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.search.truncated_dstar_lite cimport TruncatedSearch
from replan.spaces.space cimport Space

cdef class TruncatedDStarLite(IncrementalPlanner):
    cdef TruncatedSearch engine
    cdef i64 bound_hundredths

    cdef serialize_trip(self, archive)
    cdef i64 apply_changes(self, state_t agent_state) except -1 nogil
    cdef i64 apply_pending(self) except -1 nogil
    @cython.locals(node=Vertices, states=Ints, step_costs=Longs, index=Ints, stored_states=Ints, stored_next=Ints,
                   stored_cost=Longs, k=i64, p=i64, s=state_t,
                   v=state_t, _=i64)
    cdef i64 extract_path(self, state_t agent_state) except -1 nogil
