cimport cython
from replan.clock cimport now_ns
from replan.core cimport (
    BATCH, GOAL, INF, Ints, Longs, Nodes, cost_t, prefetch_node, i32, i64, ints, longs, nodes, nodes_from, state_t
)
from replan.log cimport EventLog
from replan.queues.base cimport OpenList
from replan.search.learned_table cimport LearnedHStore
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.cell_distance cimport CellDistance, Heuristic, grid_distance
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Search

cdef class Terminator(StateTable):
    cdef bint can_end_at(self, Search search, Space space, state_t s) except -1 nogil

cdef class Search(StateTable):
    cdef OpenList open
    cdef Space space
    cdef bint is_in_progress
    cdef Nodes node
    cdef readonly object g, h, stamp, parent
    cdef i32[::1] closed
    cdef Neighbours neighbours
    cdef readonly i64 x, known_h_stamp, current_h_stamp, goal_move_count, expanded, inflation
    cdef readonly cost_t h_offset
    cdef i64[::1] goal_move_stamps
    cdef cost_t[::1] goal_move_h_offsets
    cdef cost_t[::1] remembered_f
    cdef i64 last_move_stamp, remembered_count, stop_state
    cdef cost_t h_increase
    cdef Terminator terminator
    cdef LearnedHStore learned_h
    cdef i32[::1] occupancy
    cdef bint avoids_occupied
    cdef i64 queue_bound, followup_time
    cdef bint pathmax, reopens_closed, is_watched
    cdef EventLog log
    cdef readonly cost_t h_cap
    cdef readonly i64 max_path_cost
    cdef i64 expansions_since_signal_check, pending_start_count, max_h_factor
    cdef cost_t unweighted_h_limit, first_h_cap
    cdef readonly Heuristic heuristic
    cdef readonly Goals goals
    cdef CellDistance cell_distance
    cdef state_t target
    cdef bint is_backward, has_consistent_first_h, uses_cell_distance

    cdef attach(self, Space space)
    cdef set_heuristic(self, Heuristic heuristic)
    cdef set_goals(self, Goals goals, Heuristic heuristic, state_t target=*)
    @cython.locals(d=i64, i=i64)
    cdef retarget(self, Goals goals, Heuristic heuristic)
    cdef set_bounds(self, Space space, OpenList open, cost_t bound)
    cdef serialize_numbers(self, archive)
    cdef i64 begin(self, Space space, OpenList open) except -1 nogil
    @cython.locals(h=cost_t)
    cdef cost_t first_h(self, state_t s) except -1 nogil
    cdef cost_t initial_h(self, state_t s) except -1 nogil
    cdef i64 begin_character(self, i64 first_state) noexcept nogil
    @cython.locals(search_number=i64)
    cdef i64 record_f(self, cost_t f) except -1 nogil
    @cython.locals(node=Nodes, low=i64, high=i64, middle=i64, h=cost_t, search_number=i64, increase=cost_t)
    cdef cost_t computed_h(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes, h=cost_t)
    cdef cost_t current_h(self, state_t s) except -1 nogil
    cdef bint is_generated(self, state_t s) noexcept nogil
    @cython.locals(node=Nodes)
    cdef bint refresh_h(self, state_t s) except -1 nogil
    @cython.locals(node=Nodes)
    cpdef set_h(self, state_t s, cost_t h)
    cdef bint has_expanded(self, state_t s) except -1
    cpdef cost_t read_h(self, state_t s) except? -1
    @cython.locals(node=Nodes, i=i64)
    cdef i64 add_start(self, OpenList open, state_t s) except -1 nogil
    @cython.locals(k=i64)
    cdef i64 insert_starts(self, OpenList open) except -1 nogil
    @cython.locals(check_interval=i64, stop=i64, is_over=i64, last_check=i64, now=i64)
    cdef i64 advance(self, Space space, OpenList open, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(node=Nodes, closed=Ints, succ=Ints, c=Longs, batch_states=Ints, batch_f=Longs, batch_g=Longs, n=i64,
                   x=i64, h_stamp=i64, row_stride=i64, goal=state_t, has_plain_steps=bint, has_hooks=bint,
                   last_reopenable_stamp=i64, batch_count=i64, entry=i64, f=cost_t, parent_f=cost_t, s=state_t,
                   v=state_t, g_s=cost_t, g_v=cost_t, old_stamp=i64, i=i64, k=i64)
    cdef i64 loop(self, Space space, Neighbours neighbours, OpenList open, i64 limit) except -1 nogil
    @cython.locals(s=state_t)
    cdef inline state_t pop_next(self, OpenList open, i64 batch_count, state_t goal) except -3 nogil
    cdef inline bint can_skip_queue(self, OpenList open, i64 batch_count, i64 entry, cost_t f, state_t goal) noexcept nogil
    cdef inline i64 flush_if_full(self, OpenList open, i64 batch_count) except -1 nogil
    @cython.locals(h=cost_t)
    cdef inline cost_t h_of(self, state_t v, i64 old_stamp) except -1 nogil
    cdef inline void prefetch_neighbours(self, Nodes node, state_t v, i64 row_stride) noexcept nogil
    @cython.locals(k=i64)
    @cython.final
    cdef i64 list_neighbours(self, Space space, Neighbours neighbours, state_t s) except -1 nogil
