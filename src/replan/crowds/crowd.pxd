cimport cython
from replan.clock cimport deadline_in
from replan.core cimport i64
from replan.crowds.fields cimport Fields
from replan.crowds.frame cimport CrowdFrame
from replan.crowds.people cimport People
from replan.crowds.roll cimport Roll
from replan.crowds.team cimport Team
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef i64 INF, UNREACHABLE, WAITING

@cython.final
cdef class Crowd:
    cdef readonly Space believed
    cdef World world
    cdef People people
    cdef CrowdFrame frame
    cdef Team team
    cdef Fields fields
    cdef Roll roll
    cdef i64 tie, trips
    cdef readonly bint made
    cdef bint busy, fixed
    cdef i64 planned, waited, waiting, longest, frames, used
    cdef object __weakref__

    @cython.locals(frame=CrowdFrame, team=Team, used=i64)
    cdef _frame(self, rows, i64 expansions, i64 until)
    cdef _moved(self, numbers, places)
    cdef _check(self)
    cdef _enter(self)
    cdef _leave(self)
    cdef _begin(self, i64 goal)
    cdef _refuse_taken(self, states, rows)
    cdef _allow_goals(self, goals, others)
