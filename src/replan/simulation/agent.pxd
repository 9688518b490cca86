cimport cython
from replan.core cimport i64
from replan.planners.base cimport Planner
from replan.simulation.follower cimport Follower
from replan.spaces.goals cimport Goals
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space

cdef i64 INF, UNREACHABLE, WAITING

@cython.final
cdef class Agent(Follower):
    cdef object __weakref__

    cdef i64 check(self) except -1
