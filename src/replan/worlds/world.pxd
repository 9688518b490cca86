cimport cython
from replan.core cimport i32, i64, state_t
from replan.initialized cimport Initialized
from replan.log cimport Log
from replan.spaces.space cimport Space
from replan.spaces.neighbours cimport Touched
from replan.worlds.eyes cimport Everywhere, Eye
from replan.worlds.targets cimport Target

@cython.final
cdef class World(Initialized):
    cdef readonly Space space
    cdef readonly object sensor
    cdef readonly object known
    cdef readonly list changes
    cdef readonly Target target
    cdef Target usual_target
    cdef readonly object reaction
    cdef readonly list happened
    cdef list meddled, scripted
    cdef readonly Space truth
    cdef readonly Space belief
    cdef Space known_free
    cdef readonly i64 time, trips
    cdef readonly state_t target_at
    cdef readonly bint still
    cdef Eye eye
    cdef Everywhere everywhere
    cdef i64 due, late, credit
    cdef bint cells, busy, watched, apart, crowded
    cdef Log log
    cdef Touched touched
    cdef i64[::1] when
    cdef i32[::1] what
    cdef i64[::1] value
    cdef i32[::1] postponed
    cdef i32[::1] occupancy

    @cython.locals(eye=Eye)
    cdef Eye new_eye(self)
    @cython.locals(k=i64, i=i64, kept=i64)
    cdef i64 tick(self, state_t at) except -1 nogil
    cdef i64 let_due(self, state_t at) except -1 nogil
    @cython.locals(k=i64, kept=i64)
    cdef i64 overtake(self, i64 place) noexcept nogil
    cdef i64 react(self, state_t at) except -1
    cdef i64 move_target(self, Target target, state_t at) except -1 nogil
    cdef bint put(self, i64 place, i64 value, state_t at) except -1 nogil
    cdef bint happen(self, i64 i, state_t at) except -1 nogil
    cdef i64 log_to(self, Log log, bint watched) except -1
    cdef bint more_to_come(self) noexcept nogil
    cdef carry(self, bag)
