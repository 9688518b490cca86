cimport cython
from replan.core cimport i32, i64, state_t
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Target:
    cdef readonly object start, speed
    cdef readonly i64 _speed_numerator, _speed_denominator
    cdef i64 trip_count
    cdef object world
    cdef i64 checked_step(self, Space space, state_t state, i64 agent_state) except -1
    cdef state_t next_state(self, Space space, Neighbours neighbours, state_t state, i64 agent_state) except -1 nogil
    cdef bint is_at_rest(self) noexcept nogil
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)

cdef class Route(Target):
    cdef readonly list cells
    cdef i32[::1] states
    cdef i64 position
    cdef state_t next_state(self, Space space, Neighbours neighbours, state_t state, i64 agent_state) except -1 nogil
    cdef bint is_at_rest(self) noexcept nogil
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)

cdef class RandomTarget(Target):
    cdef readonly i64 seed
    cdef i64 rng_state, previous_state
    cdef i64 random_below(self, i64 n) noexcept nogil
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)

cdef class Flee(RandomTarget):
    @cython.locals(best=state_t, best_distance=i64, ties=i64, count=i64, i=i64, v=state_t, distance=i64)
    cdef state_t next_state(self, Space space, Neighbours neighbours, state_t state, i64 agent_state) except -1 nogil

cdef class Wander(RandomTarget):
    @cython.locals(count=i64, i=i64, choice=i64)
    cdef state_t next_state(self, Space space, Neighbours neighbours, state_t state, i64 agent_state) except -1 nogil
