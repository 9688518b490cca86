cimport cython
from replan.core cimport Ints, i32, i64, ints, state_t
from replan.search.state_table cimport StateTable
from replan.signals cimport check_signals
from replan.spaces.goals cimport Goals
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 LARGEST_SEARCH_NUMBER

cdef class BreadthFirst(StateTable):
    cdef i32[::1] queue
    cdef i32[::1] stamp
    cdef i32[::1] parent
    cdef i64 x, expanded_count, generated_count

    cdef reset(self)
    @cython.locals(s=state_t)
    cdef void begin(self, state_t start) noexcept nogil
    cdef bint is_generated(self, state_t s) noexcept nogil
    cdef i64 expand_next(self, Space space, Neighbours neighbours) except -1 nogil
    @cython.locals(queue=Ints, stamp=Ints, parent=Ints, state=Ints, x=i64, expanded_count=i64, generated_count=i64,
                   last=i64, goal=i64, target=state_t, u=state_t, v=state_t, i=i64, k=i64)
    cdef i64 advance(self, Space space, Neighbours neighbours, Goals goals, i64 limit) except -2 nogil
