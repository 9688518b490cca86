cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport Ints, i64, ints, state_t
from replan.counts cimport Counting
from replan.log cimport Log
from replan.search.path cimport PlannedPath
from replan.search.reachability cimport Reachability
from replan.search.state_table cimport StateTable
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE, WAITING

cdef class Planner(Counting):
    cdef readonly Space space
    cdef readonly PlannedPath planned_path
    cdef readonly Goals goals
    cdef readonly i64 trips
    cdef bint listens, busy, torn, watched, checks_h, carried
    cdef Log log
    cdef i64 ready_for
    cdef readonly Reachability reachability
    cdef public bint notice
    cdef list parts, tables
    cdef readonly StateTable state_table
    cdef public i64 limit, time_ns, moves
    cdef public bint eager, cheapest, patient
    cdef bint whole_way, forward, sliced
    cdef public object spec

    cdef set_out(self, Space space, Goals goals, bint anew)
    cdef reserve_path(self, i64 n)
    cdef resume_trip(self, Space space, Goals goals)
    cdef tuple made_from(self)
    cdef carry(self, bag)
    cdef carry_trip(self, bag)
    @cython.locals(table=StateTable)
    cdef carry_tables(self, bag)
    cdef keep(self, table)
    @cython.locals(table=StateTable)
    cdef reserve_tables(self, i64 n)
    @cython.locals(table=StateTable, part=Planner)
    cdef prefault(self)
    cdef begin_trip(self, Space space, Goals goals)
    @cython.locals(part=Planner)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef bint let_go(self) except -1
    cdef i64 enter(self) except -1
    cdef i64 leave(self, bint whole) except -1
    @cython.locals(part=Planner)
    cdef i64 mark_dirty(self) except -1
    @cython.locals(part=Planner)
    cdef i64 set_busy(self, bint busy) except -1
    @cython.locals(part=Planner)
    cdef list with_parts(self)
    @cython.locals(part=Planner)
    cdef i64 log_to(self, Log log, bint watched) except -1
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef i64 note_changes(self, Ints states, i64 k, bint rise) except -1 nogil
    @cython.final
    cdef bint finds_no_way(self, state_t at, i64 expanded) except -1 nogil
    cdef bint met(self, state_t s) except -1 nogil
