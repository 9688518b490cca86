cimport cython
from replan.core cimport Ints, i64, state_t
from replan.search.flood cimport Flood, flood_of
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 QUIET, PORTION, LONG_EPISODE, SHORT, LONG, FALLS

@cython.final
cdef class Reachability:
    cdef readonly bint on, no_way, joined
    cdef readonly state_t failed_from
    cdef readonly Flood ahead, behind
    cdef bint begun, stale, one_way, one_sided
    cdef i64 n, rate, owed, rest, quiet, starved, age, falls, allowance

    cdef begin(self, Space space, bint on)
    cdef carry(self, bag, Space space)
    cdef touch(self)
    cdef aim(self, Goals goals)
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints states, i64 k, bint rise) except -1 nogil
    cdef bint is_cut_off(self, Goals goals, state_t at) except -1 nogil
    cdef bint due(self, i64 expanded) noexcept nogil
    @cython.locals(spent=i64)
    cdef bint work(self, Goals goals, state_t at, bint carried) except -1 nogil
    @cython.locals(steadfast=bint)
    cdef bint may_go_on(self, state_t at, i64 spent) except -1 nogil
    cdef i64 begin_round(self, state_t at) except -1 nogil
    cdef i64 follow(self, state_t at, bint carried) except -1 nogil
    @cython.locals(step=i64)
    cdef i64 grow(self, Goals goals, state_t at, i64 turns) except -1 nogil
    cdef i64 meet(self, state_t at) except -1 nogil
    @cython.locals(i=i64)
    cdef bint is_proved(self, Goals goals, state_t at) noexcept nogil
    cdef bint decide(self, Goals goals, state_t at) except -1 nogil

@cython.locals(reach=Reachability)
cdef bint can_reach(Space space, Goals goals, state_t at) except -1
