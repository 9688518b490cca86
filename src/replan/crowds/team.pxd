cimport cython
from replan.clock cimport now_ns
from replan.core cimport i64
from replan.crowds.fields cimport Fields
from replan.crowds.frame cimport CrowdFrame
from replan.crowds.people cimport People
from replan.crowds.post cimport Post
from replan.crowds.worker cimport Worker
from replan.planners.realtime cimport RealTimePlanner
from replan.spaces.space cimport Space

cdef i64 FEW, INF

@cython.final
cdef class Team:
    cdef CrowdFrame frame
    cdef Worker first
    cdef list workers
    cdef dict helpers
    cdef object pool
    cdef bint working, begun

    @cython.locals(worker=Worker)
    cdef begin(self, Space space, i64 goal)
    cdef call(self, i64 count)
    cdef failure(self)
    cdef go(self)
    @cython.locals(
        frame=CrowdFrame, planner=RealTimePlanner, worker=Worker, longest=i64, dues=i64, start=i64, stop=i64, used=i64, left=i64,
        limit=i64, entered=i64, whole=bint
    )
    cdef i64 plan(self, i64 expansions, i64 until, Fields fields) except -1
    @cython.locals(worker=Worker, total=i64)
    cdef i64 used(self)
