cimport cython
from replan.core cimport i64
from replan.log cimport EventLog
from replan.spaces.neighbours cimport ChangedStates

@cython.final
cdef class ChangeLog:
    cdef object subscribers_by_id
    cdef EventLog log
    cdef i64 subscriber_count, first_number, capacity

    cdef i64 subscribe(self, object subscriber) except -1
    cdef i64 count_subscribers(self) except -1
    cdef list subscribers(self)
    cdef inline i64 end_number(self) noexcept nogil
    cdef i64 reserve(self, ChangedStates changed) except -1
    @cython.locals(i=i64)
    cdef i64 add(self, ChangedStates changed, i64 k, bint costs_increased) except -1
    cdef i64 flush(self) except -1
    cdef sync_planner(self, planner)
    @cython.locals(i=i64)
    cdef list entered_since(self, i64 number)
