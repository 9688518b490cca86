cimport cython
from replan.clock cimport now_ns
from replan.core cimport CharacterRows, Ints, Longs, Vertices, i32, i64, state_t, u8
from replan.crowds.characters cimport Characters
from replan.crowds.worker cimport Worker
from replan.planners.flow_field cimport FlowField
from replan.spaces.space cimport Space

cdef i64 COPIED_STEPS, COMPLETE, INF, PARTIAL, UNREACHABLE

@cython.final
cdef class FlowFields:
    cdef Space space
    cdef Characters characters
    cdef object memory_limit
    cdef bint collisions
    cdef dict by_goal

    cdef serialize(self, archive)
    cdef set_goals(self, goals)
    cdef FlowField field_for(self, state_t goal)
    @cython.locals(expansions_used=i64, expansions_left=i64, time_ns=i64, c=i64)
    cdef i64 plan(self, due, Worker worker, i64 expansions, i64 deadline) except -1
    @cython.locals(character=CharacterRows)
    cdef i64 finish_planning(self, Worker worker, i64 c) except -1
    @cython.locals(expansions_used=i64, expansions_before=i64, states=i32[::1], is_planned=u8[::1], i=i64, c=i64)
    cdef i64 plan_group(self, Worker worker, rows, FlowField field, i64 expansion_limit, i64 time_ns) except -1
    @cython.locals(character=CharacterRows, vertex=Vertices, state=state_t, goal=state_t, steps=i64, s=state_t, path=Ints, step_costs=Longs)
    cdef i64 store_path(self, i64 c, FlowField field) except -1
