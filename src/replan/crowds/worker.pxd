cimport cython
from replan.core cimport CharacterRows, Ints, Longs, i32, i64, ints, learned_table_of, longs, state_t
from replan.crowds.characters cimport Characters
from replan.planners.realtime cimport RealTimePlanner
from replan.search.astar cimport Search
from replan.search.learned_table cimport LearnedHStore, free_table
from replan.search.lookahead cimport Lookahead
from replan.spaces.cell_distance cimport CellDistance
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport FunctionHeuristic
from replan.spaces.space cimport Space
from replan.worlds.observers cimport Observer

cdef i64 BLOCK_BITS, COMPLETE, INF, KEEP, H_WAS_KEPT, PARTIAL, UNREACHABLE, WAITING, MAX_DETOUR_EXPANSIONS, MAX_DOUBLINGS, DETOURS_PER_RANDOM_PHASE

@cython.final
cdef class Worker:
    cdef RealTimePlanner planner
    cdef Characters characters
    cdef Goals goals
    cdef CellDistance cell_distance
    cdef FunctionHeuristic function_heuristic
    cdef Observer observer
    cdef i64 expansions, search_count, margin
    cdef i64[::1] last_increase

    cdef warm_up(self, Space space, state_t goal)
    @cython.locals(steps=i64, margin=i64)
    cdef i64 state_margin(self, Space space)
    @cython.locals(search=Search)
    cdef i64 attach_heuristic(self) except -1
    cdef i64 rng_state(self)
    cdef bint has_user_heuristic(self)
    @cython.locals(is_dirty=bint, entered=bint)
    cdef begin_planning(self)
    cdef end_planning(self, bint is_complete)
    @cython.locals(character=CharacterRows, goal=state_t)
    cdef i64 begin_character(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows, stamp_before=i64, expansions_before=i64)
    cdef i64 plan(self, i64 c, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(character=CharacterRows, expansions=i64)
    cdef i64 plan_with_detour(self, i64 c, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(character=CharacterRows, i=i64)
    cdef bint next_is_occupied(self, i64 c) noexcept nogil
    @cython.locals(character=CharacterRows, state=state_t, goal=state_t, has_frontier=i64, expansions=i64, best=state_t, seed=i64, goal_is_occupied=bint, is_random=bint)
    cdef i64 detour(self, i64 c, Space space, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(character=CharacterRows)
    cdef bint takes_random_move(self, i64 c, i64 distance) noexcept nogil
    @cython.locals(count=i64, random_number=i64)
    cdef i64 random_frontier_state(self, Lookahead lookahead_search, i64 seed) except -1 nogil
    cdef i64 clear_learned(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows, planned_states=Ints, planned_costs=Longs, path=Ints, step_costs=Longs, steps=i64, end=i64, i=i64)
    cdef i64 store_path(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows)
    cdef i64 apply_changes(self, i64 c, i64 increase_count, i64 decrease_count) except -1 nogil
    @cython.locals(character=CharacterRows, path=Ints, step_costs=Longs, last_increase=Longs, known=i64, i=i64)
    cdef bint path_is_valid(self, i64 c, Space space) except -1 nogil
    @cython.locals(character=CharacterRows)
    cdef i64 retarget(self, i64 c, state_t goal) except -1 nogil
