cimport cython
from replan.core cimport Nodes, cost_t, i32, i64, state_t
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

@cython.final
cdef class HRepair:
    cdef OpenList queue
    cdef i32[::1] decreased_states
    cdef i64[::1] queued_in_round
    cdef i64 count, round, queue_bound
    cdef readonly i64 lowered_count
    cdef i64 update_weight

    cdef reset(self)
    cdef serialize(self, archive, i64 n)
    cdef i64 add_decrease(self, state_t s) except -1 nogil
    @cython.locals(s=state_t)
    cdef i64 add_all_known(self, Search search) except -1 nogil
    cdef i64 grow_buffer(self) except -1
    cdef i64 set_bounds(self, Space space) except -1
    cdef i64 apply_decreases(self, Space space, Goals goals, Search search) except -1 nogil
    @cython.locals(node=Nodes, i=i64, j=i64, k=i64, u=state_t, v=state_t, new_h=state_t)
    cdef i64 lower_decreased(self, Space space, Neighbours neighbours, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes, i=i64, k=i64, u=state_t, v=state_t, h_v=i64, h_u=cost_t, turns=i64)
    cdef i64 propagate(self, Space space, Neighbours neighbours, Goals goals, Search search, OpenList queue) except -1 nogil
    @cython.locals(node=Nodes)
    cdef i64 lower_h(self, Search search, OpenList queue, state_t s, cost_t h) except -1 nogil
