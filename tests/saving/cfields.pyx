# cython: language_level=3
"""Classes as users write them in Cython: Python sees nothing of their C fields. `test_c_fields.py` compiles this."""

from replan.planners.base cimport Planner
from replan.search.choosing cimport ChoosingRule
from replan.search.learning cimport LearningRule
from replan.spaces.space cimport Space
from replan.worlds.targets cimport Target


cdef class Walker(Planner):
    cdef public int k

    def plan(self, state, budget):
        self.k += 1
        return [state + 1]


cdef class Told(Walker):
    def __getstate__(self):
        return self.k

    def __setstate__(self, state):
        self.k = state


cdef class Bare(Planner):
    def plan(self, state, budget):
        return [state + 1]


cdef class Learning(LearningRule):
    cdef public double k


cdef class Choosing(ChoosingRule):
    cdef public object k


cdef class Line(Space):
    cdef public bint k


cdef class Fly(Target):
    cdef public long k
