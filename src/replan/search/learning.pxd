cimport cython
from replan.core cimport BATCH, INF, Ints, Longs, Nodes, cost_t, i64, ints, longs, state_t
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.lookahead cimport Lookahead
from replan.search.rule cimport Rule
from replan.signals cimport check_signals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef class LearningRule(Rule):
    cdef i64 update_h(self, Lookahead lookahead) except? -1 nogil

cdef class OnePass(LearningRule):
    @cython.locals(node=Nodes, i=i64, s=state_t, f_best=cost_t, gain=cost_t, increase=cost_t)
    cdef i64 update_h(self, Lookahead lookahead) except? -1 nogil

cdef class CurrentOnly(LearningRule):
    @cython.locals(node=Nodes, increase=cost_t)
    cdef i64 update_h(self, Lookahead lookahead) except? -1 nogil

cdef class FromFrontier(LearningRule):
    cdef OpenList queue
    cdef readonly i64 update_weight
    cdef tuple constructor_args(self)
    cdef i64 queue_h_cap, fitted_states, state_count
    cdef cost_t increase
    cdef i64 update_h(self, Lookahead lookahead) except? -1 nogil
    @cython.final
    cdef i64 set_bounds(self, Lookahead lookahead) except -1
    @cython.locals(i=i64, s=state_t, k=i64, node=Nodes, closed=Ints)
    @cython.final
    cdef i64 set_h_infinite(self, Search search) noexcept nogil
    @cython.locals(i=i64, j=i64, k=i64, s=state_t, v=state_t, batch_count=i64, new_h=cost_t, open_stamp=i64, weight=i64,
                   node=Nodes, closed=Ints, succ=Ints, cost=Longs, batch_states=Ints, batch_f=Longs)
    @cython.final
    cdef i64 queue_border(self, Space space, Neighbours neighbours, OpenList queue, Search search) except -1 nogil
    @cython.locals(i=i64, k=i64, u=state_t, p=i64, h_u=cost_t, h_p=i64, old_h=i64, remaining=i64, closed_stamp=i64,
                   batch_count=i64, weight=i64, node=Nodes, pred=Ints, cost=Longs, batch_states=Ints, batch_f=Longs)
    @cython.final
    cdef i64 propagate(self, Space space, Neighbours neighbours, OpenList queue, Search search) except -1 nogil
    @cython.locals(node=Nodes, i=i64, s=state_t)
    @cython.final
    cdef i64 sum_increase(self, Search search) except -1 nogil
