cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport Ints, i64, ints, state_t
from replan.counts cimport HasCounts
from replan.log cimport EventLog
from replan.search.path cimport PlannedPath
from replan.search.reachability cimport Reachability
from replan.search.state_table cimport StateTable
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 INF, COMPLETE, PARTIAL, UNREACHABLE, WAITING

cdef class Planner(HasCounts):
    cdef readonly Space space
    cdef readonly PlannedPath planned_path
    cdef readonly Goals goals
    cdef readonly i64 trip_number
    cdef bint overrides_notify, is_busy, is_dirty, is_logging, checks_h, was_displaced
    cdef EventLog log
    cdef i64 prefaulted_n
    cdef readonly Reachability _reachability
    cdef public bint detects_unreachable
    cdef list parts, tables
    cdef readonly StateTable state_table
    cdef public i64 expansion_limit, time_limit_ns, move_limit
    cdef public bint replans_on_every_change, is_optimal, waits_for_changes
    cdef bint runs_to_completion, needs_entered_states, is_time_sliced
    cdef public object spec

    cdef prepare_trip(self, Space space, Goals goals, bint is_new)
    cdef reserve_path(self, i64 n)
    cdef restore_trip(self, Space space, Goals goals)
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)
    cdef serialize_trip(self, archive)
    @cython.locals(table=StateTable)
    cdef serialize_tables(self, archive)
    cdef add_table(self, table)
    @cython.locals(table=StateTable)
    cdef reset_tables(self, i64 n)
    @cython.locals(table=StateTable, part=Planner)
    cdef prefault(self)
    cdef begin_trip(self, Space space, Goals goals)
    @cython.locals(part=Planner)
    cdef check_goals(self, Goals goals)
    cdef change_goals(self, Goals goals)
    cdef bint release_space(self) except -1
    cdef i64 begin_search(self) except -1
    cdef i64 end_search(self, bint is_complete) except -1
    @cython.locals(part=Planner)
    cdef i64 mark_dirty(self) except -1
    @cython.locals(part=Planner)
    cdef i64 set_busy(self, bint busy) except -1
    @cython.locals(part=Planner)
    cdef list self_and_parts(self)
    @cython.locals(part=Planner)
    cdef i64 log_to(self, EventLog log, bint is_logging) except -1
    cdef i64 run_episode(self, state_t agent_state, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 on_cost_changes(self, Ints changed_states, i64 count, bint costs_increased) except -1 nogil
    @cython.locals(i=i64)
    @cython.final
    cdef i64 update_reachability(self, Ints states, i64 count, bint costs_increased) except -1 nogil
    @cython.final
    cdef bint proves_unreachable(self, state_t agent_state, i64 expanded) except -1 nogil
    cdef bint is_generated(self, state_t s) except -1 nogil
