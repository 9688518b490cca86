cimport cython
from replan.clock cimport deadline_in
from replan.core cimport i32, i64, state_t
from replan.crowds.characters cimport Characters
from replan.crowds.flow_fields cimport FlowFields
from replan.crowds.id_registry cimport IdRegistry
from replan.crowds.pool cimport WorkerPool
from replan.crowds.shared_belief cimport SharedBelief
from replan.crowds.tick cimport Tick
from replan.crowds.worker cimport Worker
from replan.initialized cimport Initialized
from replan.signals cimport check_signals
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef i64 INF, UNREACHABLE, WAITING

@cython.final
cdef class Crowd(Initialized):
    cdef readonly Space belief
    cdef World world
    cdef Characters characters
    cdef SharedBelief shared_belief
    cdef FlowFields flow_fields
    cdef list workers
    cdef Tick current_tick
    cdef WorkerPool pool
    cdef IdRegistry registry
    cdef str planner_name
    cdef dict options
    cdef i64 rng_state, trip_number
    cdef bint collisions, has_user_heuristic, is_reserved, is_busy, is_dirty
    cdef i64 search_count, deferred_search_count, waiting_count, longest_wait_ticks, tick_count, expansions
    cdef object __weakref__

    cdef _initialize(self, belief, planner, workers, bint collisions, options, bint is_new)
    cdef serialize(self, archive)
    @cython.locals(c=i64)
    cdef i64 _add_character(self, state_t state, state_t goal, i64 id) except -1
    @cython.locals(worker=Worker, belief=SharedBelief, i=i64)
    cdef _retarget(self, i32[::1] rows, i32[::1] goals)
    cdef i64 _observe(self, i64[::1] locations, i64[::1] values) except -1
    @cython.locals(tick=Tick)
    cdef _tick(self, rows, i64 expansions, i64 deadline)
    cdef _add_counts(self, Tick tick)
    cdef _move_result(self, ids, places)
    cdef _check_usable(self)
    cdef _begin_call(self)
    cdef _end_call(self)
    @cython.locals(worker=Worker, first=Worker)
    cdef _reserve(self, state_t goal)
    cdef _refuse_occupied(self, states, rows)
    cdef _set_flow_field_goals(self, goals, others)
