cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport Ints, Longs, Nodes, i32, i64, ints, longs
from replan.counts cimport Counting
from replan.log cimport Log
from replan.search.astar cimport Search
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE, WAITING

cdef class Planner(Counting):
    cdef readonly Space space
    cdef readonly Goals goals
    cdef i32[::1] trail
    cdef i64[::1] toll
    cdef i32[::1] where
    cdef readonly i64 ahead, trips
    cdef bint listens, busy, torn, watched, checks_h, carried
    cdef Log log
    cdef i64 ready_for, room, shut
    cdef list parts
    cdef public i64 limit, time_ns, moves
    cdef public bint eager, cheapest, patient
    cdef bint whole_way, forward
    cdef public object spec

    cdef set_out(self, Space space, Goals goals, bint anew)
    cdef resume_trip(self, Space space, Goals goals)
    cdef tuple made_from(self)
    cdef carry(self, bag)
    cdef carry_trip(self, bag)
    cdef begin_trip(self, Space space, Goals goals)
    cdef refuse_without(self, part)
    @cython.locals(part=Planner)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef make_trail(self, i64 n)
    cdef bint let_go(self) except -1
    cdef i64 enter(self) except -1
    cdef i64 leave(self, bint whole) except -1
    @cython.locals(part=Planner)
    cdef i64 set_busy(self, bint busy) except -1
    @cython.locals(part=Planner)
    cdef i64 log_to(self, Log log, bint watched) except -1
    cdef i64 episode(self, i64 at, i64 limit, i64 deadline) except -1 nogil
    cdef i64 changed(self, i64 s, bint rise) except -1 nogil
    cdef bint in_vain(self, i64 at) noexcept nogil
    cdef i64 hear(self, i64 s, bint rise) except -1 nogil
    cdef bint met(self, i64 s) except -1 nogil
    cdef i64 spot_of(self, i64 s) noexcept nogil
    @cython.locals(i=i64)
    cdef bint dearer(self, i64 u, i64 spot, i64 stop) except -1 nogil
    cdef i64 lay_step(self, i64 at, i64 to, i64 toll) noexcept nogil
    @cython.locals(node=Nodes, trail=Ints, toll=Longs, where=Ints, v=i64, g=i64, i=i64)
    cdef i64 lay_trail(self, Search search, i64 best, i64 at, i64 spot=*) except -1 nogil
    @cython.locals(node=Nodes, v=i64, u=i64, i=i64)
    cdef i64 lay_trail_backward(self, Search search, i64 at) except -1 nogil
