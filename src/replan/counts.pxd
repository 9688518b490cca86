cimport cython
from replan.core cimport i64
from replan.initialized cimport Initialized

cdef class Counting(Initialized):
    cdef public i64 expansions, percolations, h_increase, refreshes, intakes, intake_ns

    @cython.final
    cdef start_counting(self)
    @cython.final
    cdef i64 add_counts(self, Counting other, i64 times) noexcept nogil
    @cython.final
    @cython.final
    cdef carry_counts(self, bag)

@cython.final
cdef class EpisodeCounts:
    cdef i64[::1] expansions
    cdef i64 expansions_before

    cdef i64 begin(self, Counting planner) noexcept nogil
    cdef i64 end(self, Counting planner, i64 i) except -1 nogil
    cdef i64 grow(self, i64 room) except -1
    cdef dict listed(self, i64 episodes)
