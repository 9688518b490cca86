cimport cython
from replan.core cimport i64
from replan.initialized cimport Initialized

cdef class HasCounts(Initialized):
    cdef public i64 expansions, percolations, h_increase, key_updates, changed_state_count, apply_changes_ns

    @cython.final
    cdef start_counting(self)
    @cython.final
    cdef i64 add_counts(self, HasCounts other, i64 factor) noexcept nogil
    @cython.final
    cdef serialize_counts(self, archive)

@cython.final
cdef class EpisodeCounts:
    cdef i64[::1] expansions
    cdef i64 expansions_before

    cdef i64 begin(self, HasCounts planner) noexcept nogil
    cdef i64 end(self, HasCounts planner, i64 i) except -1 nogil
    cdef i64 grow(self, i64 capacity) except -1
    cdef dict as_arrays(self, i64 episodes)
