cimport cython
from replan.clock cimport now_ns
from replan.core cimport (
    BATCH, INF, Ints, Longs, ON_PATH, QUEUED, Vertices, select_branchless, cost_t, prefetch_node, i32, i64, ints,
    longs, state_t, vertices
)
from replan.log cimport EventLog
from replan.queues.base cimport OpenList
from replan.search.delayed_states cimport DelayedStates, mark_closed, is_closed
from replan.search.keys cimport Keys
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.cell_distance cimport grid_distance
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 LOWERED, MOVE_STAMP, RAISED, KEY_UPDATED, TRIP_STAMP

cdef class Incremental(StateTable):
    cdef Vertices node
    cdef readonly object g, rhs, stamp, next
    cdef readonly OpenList open
    cdef readonly Space space
    cdef readonly Goals roots
    cdef readonly Keys keys
    cdef readonly i64 x, current_stamp, expansions, key_updates
    cdef readonly state_t target
    cdef readonly bint is_forward, is_anytime
    cdef DelayedStates delayed_states
    cdef Neighbours pred_neighbours
    cdef Neighbours succ_neighbours
    cdef bint preds_by_expand, succs_by_expand, path_cost_rose, is_watched, can_truncate
    cdef EventLog log
    cdef i32[::1] path_index
    cdef i64 lowest_changed_index, row_stride
    cdef Ints batch_states
    cdef Longs batch_f
    cdef Longs batch_g
    cdef i64 batch_count
    cdef i32[::1] rebuild_buffer

    @cython.final
    cdef attach(self, Space space, Goals roots, state_t target)
    @cython.final
    cdef begin(self, Space space, Goals roots, state_t target)
    @cython.final
    cdef apply_changes(self, list states)
    @cython.final
    cdef advance_to_end(self)
    @cython.final
    cdef inline i64 begin_trip(self) noexcept nogil
    @cython.final
    cdef inline bint is_generated(self, state_t s) noexcept nogil
    @cython.final
    @cython.locals(node=Vertices)
    cdef inline i64 initialize_state(self, state_t s) noexcept nogil

    @cython.final
    cdef inline cost_t h_of(self, state_t s) except -1 nogil
    @cython.final
    @cython.locals(min_g_rhs=i64, is_over_consistent=i64)
    cdef inline cost_t key_of(self, cost_t g, cost_t rhs, cost_t h) noexcept nogil
    @cython.final
    cdef inline cost_t end_key(self, cost_t g, cost_t rhs, cost_t h) noexcept nogil

    @cython.final
    @cython.locals(v=state_t, cost=cost_t)
    cdef inline i64 on_cost_increase(self, state_t s) except -1 nogil
    @cython.locals(old_rhs=i64)
    cdef i64 on_cost_change(self, state_t s) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices, succ=Ints, cost=Longs, x=i64, i=i64, k=i64, v=state_t, rhs=cost_t, next_state=i64,
                   c=cost_t, is_smaller=bint)
    cdef inline i64 recompute_rhs(self, Space space, Neighbours neighbours, state_t s) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices, stamp=i64)
    cdef inline i64 set_rhs(self, state_t s, cost_t rhs, i64 next_state) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices)
    cdef inline i64 update_queue(self, state_t s, cost_t g, cost_t rhs, i64 stamp) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices)
    cdef inline i64 enqueue(self, state_t s, i64 stamp, cost_t f, i64 m) except -1 nogil
    @cython.final
    cdef inline void prefetch_neighbours(self, Vertices node, state_t s) noexcept nogil
    @cython.final
    @cython.locals(i=i64)
    cdef inline i64 add_to_batch(self, i64 entry, cost_t f, i64 m) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline i64 flush(self) except -1 nogil

    @cython.final
    cdef inline i64 move_target(self, state_t s) except -1 nogil
    @cython.final
    cdef inline i64 ensure_key_range(self) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef i64 rebuild_queue(self) except -1
    @cython.final
    @cython.locals(node=Vertices, listed=Ints, batch_states=Ints, batch_f=Longs, batch_g=Longs, batch_count=i64, i=i64,
                   s=state_t, g=cost_t, rhs=cost_t)
    cdef inline i64 insert_listed(self, OpenList open, i64 k) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices, i=i64, k=i64, s=state_t)
    cdef i64 begin_iteration(self, i64 inflation) except -1

    @cython.locals(node=Vertices, s_start=state_t, h_start=cost_t, u=state_t, k=cost_t, g=cost_t, rhs=cost_t,
                   stamp=i64, last_turn=i64, turns=i64, first_turn=i64)
    cdef i64 advance(self, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline state_t pop_next(self, cost_t end, cost_t rhs) except -3 nogil
    cdef bint is_good_enough(self, cost_t rhs) noexcept nogil
    cdef bint must_end(self) except -1 nogil
    cdef bint can_end_before(self, state_t u, i64 turns) except -1 nogil
    cdef bint try_truncate(self, state_t u) except -1 nogil
    @cython.final
    cdef inline bint is_late(self, i64 turns, i64 deadline) except -1 nogil
    @cython.final
    @cython.locals(node=Vertices, pred=Ints, cost=Longs, x=i64, i=i64, k=i64, p=i64, g_u=i64, new_rhs=i64)
    cdef inline i64 lower_g(self, Space space, Neighbours neighbours, state_t u) except -1 nogil
    @cython.locals(node=Vertices, pred=Ints, x=i64, i=i64, k=i64, count=i64, p=i64)
    cdef i64 raise_g(self, Space space, Neighbours pred_neighbours, Neighbours succ_neighbours, state_t u) except -1 nogil
