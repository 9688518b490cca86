cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Longs, i32, i64, ints, longs, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.breadth_first cimport BreadthFirst
from replan.search.ideal_tree cimport IdealTree, decode_pointer
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING, POINTERS_PER_EXPANSION, POINTERS_PER_CLOCK_CHECK, NOT_FOUND, UNFINISHED

cdef class FRIT(Planner):
    cdef object user_heuristic
    cdef bint restarts_on_decrease, is_searching, is_uncut, has_pending_decreases, costs_changed
    cdef state_t root
    cdef i64 cuts_at_start
    cdef readonly IdealTree ideal_tree

    cdef begin_trip(self, Space space, Goals goals)
    cdef check_goals(self, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef build_tree(self, Goals goals)
    cdef Heuristic make_heuristic(self, Goals goals)
    cdef serialize_trip(self, archive)
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    @cython.locals(x_n=i64)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef bint can_follow_tree(self, state_t agent_state) except -1 nogil
    cdef i64 start_search(self, state_t agent_state) except -1 nogil
    cdef i64 continue_search(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t search_parent(self, state_t v) noexcept nogil
    @cython.locals(u=state_t, v=state_t)
    @cython.final
    cdef bint reconnect(self, i64 x_n, state_t agent_state) except -1 nogil
    @cython.locals(states=Ints, step_costs=Longs, index=Ints, v=state_t, w=i64, i=i64, k=i64, max_steps=i64)
    @cython.final
    cdef i64 extract_path(self, state_t agent_state, i64 limit) except -1 nogil

cdef class FRITBFS(FRIT):
    cdef BreadthFirst breadth_first
    cdef Neighbours neighbours
    cdef i64 tested_count

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef i64 start_search(self, state_t agent_state) except -1 nogil
    @cython.locals(s=state_t, expanded_before=i64, iteration=i64, pointers_left=i64, x_n=i64, is_connected=i64)
    cdef i64 continue_search(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t search_parent(self, state_t v) noexcept nogil

cdef class FRITStar(FRIT):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef bint uses_heuristic

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize_trip(self, archive)
    cdef build_tree(self, Goals goals)
    cdef i64 start_search(self, state_t agent_state) except -1 nogil
    @cython.locals(expanded_before=i64, is_done=bint)
    cdef i64 continue_search(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t search_parent(self, state_t v) noexcept nogil
