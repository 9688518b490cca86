cimport cython
from replan.core cimport cost_t, i32, i64, state_t, u8
from replan.initialized cimport Initialized
from replan.log cimport Log
from replan.simulation.agent cimport Agent
from replan.worlds.eyes cimport Eye
from replan.worlds.world cimport World

cdef i64 MOMENT_SIZE, SEARCH_SIZE

@cython.final
cdef class Diary(Initialized):
    cdef i64[::1] moments
    cdef i64[::1] searches
    cdef readonly i64 count, searched, trial
    cdef i64 limit, stored, first_expansions, first_refreshes, first_h
    cdef readonly Log expanded, changed, believed, seen, paths
    cdef readonly bint all_seen
    cdef u8[::1] mask
    cdef i32[::1] twin

    cpdef clear(self)
    cpdef begin_trial(self, i64 trial, Agent agent)
    cpdef i64 items(self) except -1
    cdef i64 length(self) except -1 nogil
    cdef bint is_full(self) except -1 nogil
    cpdef i64 places(self) except -1
    @cython.locals(i=i64, k=i64, place=i64)
    cdef i64 look(self, World world, state_t at) except -1 nogil
    cdef i64 see(self, i64 place) except -1 nogil
    @cython.locals(i=i64, row=i64[::1])
    cdef i64 note_search(self, Agent agent, i64 expansions, i64 ns) except -1 nogil
    cdef i64 grow(self) except -1
    @cython.locals(i=i64, k=i64, length=i64, position=i64, end=i64, row=i64[::1])
    cdef i64 note(self, Agent agent, World world, i64 cause, i64 why, i64 step, i64 moves, i64 episodes, cost_t cost,
                  i64 search_ns, bint searched) except -1 nogil
