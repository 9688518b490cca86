cimport cython
from replan.core cimport i32, i64, u8
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

@cython.locals(met=u8[::1], stack=i32[::1], near=Neighbours, i=i64, k=i64, u=i64, v=i64, size=i64, turns=i64)
cdef bint can_reach(Space space, Goals goals, i64 at) except -1
