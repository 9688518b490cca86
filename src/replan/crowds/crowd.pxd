cimport cython
from replan.clock cimport deadline_in, now_ns
from replan.core cimport i64
from replan.crowds.fields cimport Fields
from replan.crowds.frame cimport Frame
from replan.crowds.people cimport People
from replan.crowds.worker cimport Worker
from replan.planners.realtime cimport RealTimePlanner
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef i64 INF, UNREACHABLE, WAITING

@cython.final
cdef class Crowd:
    cdef readonly Space believed
    cdef World world
    cdef People people
    cdef Frame frame
    cdef list workers
    cdef Worker first
    cdef Fields fields
    cdef object living, row_of, numbers, pool
    cdef i64 tie, trips
    cdef readonly bint made
    cdef bint busy, ticking, begun, fixed
    cdef i64 planned, waited, waiting, longest, frames, used
    cdef object __weakref__

    @cython.locals(frame=Frame, used=i64)
    cdef _frame(self, rows, i64 expansions, i64 until)
    @cython.locals(planner=RealTimePlanner, worker=Worker, longest=i64, dues=i64, start=i64, stop=i64, used=i64, left=i64, limit=i64)
    cdef i64 _plan(self, i64 expansions, i64 until) except -1
    @cython.locals(used=i64, helpers=i64)
    cdef i64 _round(self, i64 start, i64 stop, i64 limit) except -1
    cdef _check(self)
    cdef _enter(self)
    cdef _leave(self)
    @cython.locals(worker=Worker)
    cdef _begin(self, i64 goal)
    cdef _refuse_taken(self, states, rows)
    cdef _allow_goals(self, goals, others)
    cdef _rows(self, numbers)
    cdef _who(self, who)
