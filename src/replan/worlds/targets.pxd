cimport cython
from replan.core cimport i32, i64, state_t
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class Target:
    cdef readonly object start, speed
    cdef readonly i64 moves, per
    cdef prepare(self, Space space)
    cdef state_t next_state(self, Space space, state_t at, i64 agent) except -1 nogil
    cdef bint at_rest(self) noexcept nogil
    cdef tuple made_from(self)
    cdef carry(self, bag)

cdef class Route(Target):
    cdef readonly list cells
    cdef i32[::1] states
    cdef i64 spot
    cdef state_t next_state(self, Space space, state_t at, i64 agent) except -1 nogil
    cdef bint at_rest(self) noexcept nogil
    cdef tuple made_from(self)
    cdef carry(self, bag)

cdef class Roaming(Target):
    cdef readonly i64 seed
    cdef i64 drawn, last
    cdef Neighbours near
    cdef prepare(self, Space space)
    cdef i64 draw(self, i64 n) noexcept nogil
    cdef tuple made_from(self)
    cdef carry(self, bag)

cdef class Flee(Roaming):
    @cython.locals(best=state_t, far=i64, equal=i64, k=i64, i=i64, v=state_t, d=i64)
    cdef state_t next_state(self, Space space, state_t at, i64 agent) except -1 nogil

cdef class Wander(Roaming):
    @cython.locals(k=i64, i=i64, choice=i64)
    cdef state_t next_state(self, Space space, state_t at, i64 agent) except -1 nogil
