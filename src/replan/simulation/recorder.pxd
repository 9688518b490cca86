cimport cython
from replan.core cimport cost_t, i32, i64, state_t, u8
from replan.initialized cimport Initialized
from replan.log cimport EventLog
from replan.simulation.agent cimport Agent
from replan.worlds.observers cimport Observer
from replan.worlds.world cimport World

cdef i64 STEP_SIZE, SEARCH_SIZE

@cython.final
cdef class Recorder(Initialized):
    cdef i64[::1] step_rows
    cdef i64[::1] search_rows
    cdef readonly i64 step_count, search_count, trial
    cdef i64 max_items, path_position, first_expansions, first_key_updates, first_h
    cdef readonly EventLog expansion_log, truth_log, belief_log, seen_log, path_log
    cdef readonly bint is_fully_known
    cdef u8[::1] seen_mask
    cdef i32[::1] paired_location

    cpdef clear(self)
    cpdef begin_trial(self, i64 trial, Agent agent)
    cpdef i64 item_count(self) except -1
    cdef i64 unchecked_item_count(self) except -1 nogil
    cdef bint is_full(self) except -1 nogil
    cpdef i64 n_locations(self) except -1
    @cython.locals(i=i64, count=i64, location=i64)
    cdef i64 record_visible(self, World world, state_t state) except -1 nogil
    cdef i64 mark_seen(self, i64 location) except -1 nogil
    @cython.locals(i=i64, row=i64[::1])
    cdef i64 record_search(self, Agent agent, i64 expansions, i64 ns) except -1 nogil
    cdef i64 _grow(self) except -1
    @cython.locals(i=i64, k=i64, length=i64, position=i64, end=i64, row=i64[::1])
    cdef i64 record_step(self, Agent agent, World world, i64 cause, i64 why, i64 step, i64 moves, i64 episodes, cost_t cost,
                  i64 search_ns, bint searched) except -1 nogil
