cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, longs, state_t
from replan.planners.one_step cimport OneStep
from replan.search.astar cimport Search
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, EXPANDED, EPOCH_STRIDE

cdef class LRTAStarK(OneStep):
    cdef readonly i64 k
    cdef i64 support_epoch
    cdef i32[::1] queue
    cdef i64[::1] support

    cdef begin_trip(self, Space space, Goals goals)
    cdef reset_h(self, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef i64 max_episode_expansions(self)

    @cython.locals(i=i64, successors=i64)
    cdef i64 evaluate_neighbours(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(
        node=Nodes, queue=Ints, support=Longs, epoch_offset=i64, added=i64, successors=i64, v=state_t, w=i64, y=i64, i=i64, count=i64,
        min_value=cost_t, value=i64, old_h=i64
    )
    @cython.final
    cdef i64 propagate_h(self, Space space, Search search, Neighbours near, state_t agent_state, i64 k, i64 deadline) except -1 nogil
    @cython.locals(i=i64, last=i64)
    @cython.final
    cdef bint was_updated(self, state_t v) noexcept nogil
