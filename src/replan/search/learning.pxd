cimport cython
from replan.core cimport Ints, Longs, i32, i64, ints, longs
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.lookahead cimport Lookahead
from replan.spaces.space cimport Space

cdef i64 INF, BATCH

cdef class LearningRule:
    cdef readonly bint skips_border
    cdef i64 learn(self, Lookahead look) except? -1 nogil

@cython.final
cdef class OnePass(LearningRule):
    @cython.locals(i=i64, s=i64, f=i64, rise=i64, increase=i64)
    cpdef i64 learn(self, Lookahead look) except? -1 nogil

@cython.final
cdef class CurrentOnly(LearningRule):
    @cython.locals(increase=i64)
    cpdef i64 learn(self, Lookahead look) except? -1 nogil

@cython.final
cdef class FromBorder(LearningRule):
    cdef OpenList queue
    cdef i64 fitted, increase, states
    cpdef i64 learn(self, Lookahead look) except? -1 nogil
    cdef i64 fit(self, Lookahead look) except -1
    @cython.locals(i=i64, s=i64, k=i64, fresh=i64, node=Longs, closed=Ints, border=Ints, new=Ints, new_f=Longs)
    cdef i64 start(self, Lookahead look, OpenList queue, Search search) except -1 nogil
    @cython.locals(i=i64, k=i64, u=i64, p=i64, hu=i64, hp=i64, old=i64, left=i64, x=i64, fresh=i64,
                   node=Longs, succ=Ints, cost=Longs, new=Ints, new_f=Longs)
    cdef i64 spread(self, Space space, OpenList queue, Search search) except -1 nogil
    @cython.locals(i=i64, s=i64)
    cdef i64 finish(self, Search search) except -1 nogil
