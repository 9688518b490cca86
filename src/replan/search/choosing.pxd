cimport cython
from replan.core cimport i64
from replan.search.lookahead cimport Lookahead
from replan.search.rule cimport Rule

cdef i64 INF

cdef class ChoosingRule(Rule):
    cdef i64 choose_from(self, Lookahead look) except? -1 nogil

cdef class BestF(ChoosingRule):
    cdef i64 choose_from(self, Lookahead look) except? -1 nogil

cdef class TakenF(ChoosingRule):
    cdef i64 choose_from(self, Lookahead look) except? -1 nogil

cdef class AvoidRaised(ChoosingRule):
    @cython.locals(s=i64)
    cdef i64 choose_from(self, Lookahead look) except? -1 nogil

cdef class LeastRaised(ChoosingRule):
    @cython.locals(s=i64, best=i64, least=i64, raised=i64)
    cdef i64 choose_from(self, Lookahead look) except? -1 nogil
