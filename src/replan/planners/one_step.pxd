cimport cython
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, longs, state_t
from replan.planners.realtime cimport RealTimePlanner
from replan.queues.base cimport OpenList
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE

cdef class OneStep(RealTimePlanner):
    cdef i64 degree, episode_expansions, chosen_state
    cdef state_t best_value, second_best_value
    cdef bint learns_best
    cdef i32[::1] succ
    cdef cost_t[::1] cost
    cdef i64[::1] values
    cdef Neighbours neighbours

    cdef begin_trip(self, Space space, Goals goals)
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    cdef i64 evaluate_neighbours(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef inline i64 generate_agent_state(self, state_t agent_state) except -1 nogil
    @cython.locals(succ=Ints, cost=Longs, values=Longs, cap=cost_t, j=i64, i=i64, v=state_t, value=i64, best=state_t, next_best=state_t)
    @cython.final
    cdef inline i64 choose_neighbour(self, OpenList open, i64 first, i64 count) except -2 nogil
    @cython.locals(node=Nodes, learned=i64, h_is_admissible=bint)
    @cython.final
    cdef inline i64 learn_and_move(self, state_t agent_state) except -1 nogil
