cimport cython
from replan.core cimport cost_t, i64, state_t
from replan.search.lookahead cimport Lookahead
from replan.search.rule cimport Rule

cdef i64 INF

cdef class ChoosingRule(Rule):
    cdef state_t choose_state(self, Lookahead lookahead) except? -1 nogil

cdef class BestF(ChoosingRule):
    cdef state_t choose_state(self, Lookahead lookahead) except? -1 nogil

cdef class PopBestF(ChoosingRule):
    cdef state_t choose_state(self, Lookahead lookahead) except? -1 nogil

cdef class AvoidRaised(ChoosingRule):
    @cython.locals(s=state_t)
    cdef state_t choose_state(self, Lookahead lookahead) except? -1 nogil

cdef class LeastRaised(ChoosingRule):
    @cython.locals(s_b=state_t, s=state_t, delta_min=cost_t, delta=cost_t)
    cdef state_t choose_state(self, Lookahead lookahead) except? -1 nogil
