cimport cython
from replan.clock cimport now_ns
from replan.core cimport cost_t, i32, i64, state_t
from replan.counts cimport EpisodeCounts
from replan.initialized cimport Initialized
from replan.signals cimport check_signals
from replan.simulation.agent cimport Agent
from replan.simulation.recorder cimport Recorder
from replan.worlds.world cimport World

cdef i64 COMPLETE, INF, END_UNREACHABLE, END_REACHED, CAUSE_START, CAUSE_STEP, END_MAX_SECONDS, END_MAX_MOVES, UNREACHABLE

@cython.final
cdef class TripRunner(Initialized):
    cdef readonly i64 moves, informed_moves, steps, episodes, search_ns, why
    cdef i32[::1] path
    cdef i64[::1] step_costs
    cdef i64[::1] episode_ns
    cdef readonly i64 is_timed, max_moves, max_ns
    cdef i64 moves_since_signal_check, deadline_ns, elapsed_ns
    cdef cost_t cost
    cdef i64 recorded_search_ns
    cdef readonly bint is_watched, has_begun
    cdef readonly bint is_dirty
    cdef bint path_is_complete, has_searched
    cdef Recorder recorder
    cdef EpisodeCounts episode_counts

    @cython.locals(i=i64)
    cpdef i64 run(self, Agent agent, World world) except -1
    cpdef i64 run_steps(self, Agent agent, World world, i64 max_steps) except -1
    cpdef i64 edit_world(self, Agent agent, World world, i64 cause, list locations, list values) except -1
    @cython.locals(start=i64, done=bint)
    cdef i64 run_held(self, Agent agent, World world, i64 max_steps, i64 cause) except -1
    cdef i64 loop(self, Agent agent, World world, i64 max_steps, i64 cause) except -1 nogil
    cdef i64 record_step(self, Agent agent, World world, i64 cause) except -1 nogil
    @cython.locals(status=i64)
    cdef i64 plan_unless_ended(self, Agent agent, World world) except -1 nogil
    @cython.locals(moves_before=i64)
    cdef i64 step(self, Agent agent, World world, i64 max_steps) except -1 nogil
    @cython.locals(apply_changes_ns=i64, start=i64, ns=i64, measures_time=bint)
    cdef i64 search(self, Agent agent) except -1 nogil
    @cython.locals(max_steps=i64, changed_count=i64, moves=i64, position=i64, end=i64)
    cdef i64 advance_many(self, Agent agent, World world) except -1 nogil
    @cython.locals(s=state_t, end_step=i64)
    cdef i64 advance_one_by_one(self, Agent agent, World world, i64 max_steps) except -1 nogil
    @cython.locals(changed_count=i64)
    cdef i64 advance_time(self, Agent agent, World world) except -1 nogil
    cdef i64 advance_world(self, Agent agent, World world) except -1 nogil
    @cython.locals(i=i64, is_new=i64, location=i64)
    cdef i64 notify_agent(self, Agent agent, World world, i64 changed_count) except -1 nogil
