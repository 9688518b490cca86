cimport cython
from replan.core cimport INF, cost_t, i64, state_t
from replan.queues.base cimport OpenList
from replan.spaces.cell_distance cimport CellDistance
from replan.spaces.space cimport Space

@cython.final
cdef class Keys:
    cdef readonly Space space
    cdef readonly state_t target
    cdef readonly cost_t km
    cdef readonly i64 weight
    cdef readonly bint forward, anytime, sharp
    cdef bint smaller_g, flat, blind, asked, roams
    cdef object given
    cdef CellDistance distance
    cdef i64 fitted, most_km

    cdef refuse_array(self)
    cdef begin(self, Space space, state_t target)
    cdef weigh(self, i64 weight)
    cdef i64 ask(self, i64 a, i64 b) except -1
    cdef i64 between(self, i64 a, i64 b) except -1 nogil
    cdef cost_t estimate(self, state_t s) except -1 nogil
    @cython.locals(h=cost_t)
    cdef i64 move_target(self, state_t s) except -1 nogil
    cdef bint outgrown(self) noexcept nogil
    @cython.locals(farthest=i64, scale=i64, most=i64, apart=i64)
    cdef i64 fit(self, OpenList open, cost_t bound) except -1
    cdef carry(self, bag, OpenList open)
