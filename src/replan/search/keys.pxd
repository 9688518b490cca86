cimport cython
from replan.core cimport INF, i64
from replan.queues.base cimport OpenList
from replan.spaces.heuristics cimport CellDistance, cells_apart
from replan.spaces.space cimport Space

@cython.final
cdef class Keys:
    cdef readonly Space space
    cdef readonly i64 target, km, weight
    cdef readonly bint forward, anytime, sharp
    cdef bint smaller_g, flat, blind, asked, roams
    cdef object given
    cdef CellDistance distance
    cdef i64 fitted, most_km

    cdef begin(self, Space space, i64 target)
    cdef weigh(self, i64 weight)
    cdef i64 ask(self, i64 a, i64 b) except -1
    cdef i64 between(self, i64 a, i64 b) except -1 nogil
    cdef i64 estimate(self, i64 s) except -1 nogil
    @cython.locals(h=i64)
    cdef i64 move_target(self, i64 s) except -1 nogil
    cdef bint outgrown(self) noexcept nogil
    @cython.locals(farthest=i64, scale=i64, most=i64, apart=i64)
    cdef i64 fit(self, OpenList open, i64 bound) except -1
    cdef carry(self, bag, OpenList open)

cdef inline i64 h_of(Keys keys, i64 s) except -1 nogil:
    return cells_apart(keys.distance, s) if keys.flat else keys.estimate(s)

cdef inline i64 key_of(Keys keys, i64 g, i64 rhs, i64 h) noexcept nogil:
    cdef i64 m = g if g < rhs else rhs
    cdef i64 over = g >= rhs
    if keys.anytime:
        return 2 * (10 * m + (keys.weight if over else 10) * h + keys.km) + over
    return m + h + keys.km if keys.sharp else 2 * (m + h + keys.km) + over

cdef inline i64 end_key(Keys keys, i64 g, i64 rhs, i64 h) noexcept nogil:
    return INF if rhs > g or rhs >= INF else key_of(keys, g, rhs, h)
