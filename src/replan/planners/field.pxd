cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport i32, i64, ints, state_t, u8
from replan.initialized cimport Initialized
from replan.planners.dstar_lite cimport IncrementalPlanner
from replan.spaces.news cimport News
from replan.spaces.neighbours cimport Touched
from replan.spaces.space cimport Space

cdef i64 INF

cdef class FieldSearch(IncrementalPlanner):
    cdef reserve_path(self, i64 n)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    @cython.locals(i=i64, found=i64, left=i64, before=i64, done=i64)
    @cython.final
    cdef i64 reach(self, i32[::1] states, u8[::1] known, i64 limit, i64 deadline) except -1 nogil
    cdef states_from(self, state_t s, i64 most)

@cython.final
cdef class Field(Initialized):
    cdef readonly Space space
    cdef readonly FieldSearch search
    cdef Touched touched
    cdef i64 heard
    cdef object __weakref__

    @cython.locals(old=FieldSearch, search=FieldSearch)
    cdef _change_queue(self)
    @cython.locals(i=i64, news=i64)
    cdef i64 take_in(self, i64[::1] places, i64[::1] values) except -1
    @cython.locals(old=i64, k=i64)
    cdef i64 accept(self, i64 place, i64 value) except -1
    @cython.locals(i=i64, end=i64)
    cdef i64 read(self, News news) except -1 nogil
    @cython.locals(found=i64, whole=bint)
    cdef i64 reach(self, i32[::1] states, u8[::1] known, i64 limit, i64 time_ns) except -1
    cdef i64 search_for(self, i32[::1] states, u8[::1] known, i64 limit, i64 time_ns) except -1
