cimport cython
from replan.clock cimport now_ns
from replan.core cimport cost_t, i32, i64, state_t
from replan.counts cimport EpisodeCounts
from replan.initialized cimport Initialized
from replan.signals cimport check_signals
from replan.simulation.agent cimport Agent
from replan.simulation.diary cimport Diary
from replan.worlds.world cimport World

cdef i64 COMPLETE, INF, NO_WAY, REACHED, START, STEP, TOO_LATE, TOO_LONG, UNREACHABLE

@cython.final
cdef class Walk(Initialized):
    cdef readonly i64 moves, informed, steps, episodes, search_ns, why
    cdef i32[::1] path
    cdef i64[::1] paid
    cdef i64[::1] nanoseconds
    cdef readonly i64 timed, max_moves, max_ns
    cdef i64 work, until, spent_ns
    cdef cost_t cost
    cdef i64 watched_ns
    cdef readonly bint watched, begun
    cdef readonly bint is_dirty
    cdef bint complete, searched
    cdef Diary diary
    cdef EpisodeCounts counts

    @cython.locals(i=i64)
    cpdef i64 take(self, Agent agent, World world) except -1
    cpdef i64 walk_on(self, Agent agent, World world, i64 most) except -1
    cpdef i64 meddle(self, Agent agent, World world, i64 cause, list places, list values) except -1
    @cython.locals(start=i64, done=bint)
    cdef i64 pass_through(self, Agent agent, World world, i64 most, i64 cause) except -1
    cdef i64 loop(self, Agent agent, World world, i64 most, i64 cause) except -1 nogil
    cdef i64 note(self, Agent agent, World world, i64 cause) except -1 nogil
    @cython.locals(status=i64)
    cdef i64 decide(self, Agent agent, World world) except -1 nogil
    @cython.locals(before=i64)
    cdef i64 go(self, Agent agent, World world, i64 most) except -1 nogil
    @cython.locals(apart=i64, start=i64, ns=i64, timed=bint)
    cdef i64 search(self, Agent agent) except -1 nogil
    @cython.locals(most=i64, k=i64, n=i64, position=i64, end=i64)
    cdef i64 stride(self, Agent agent, World world) except -1 nogil
    @cython.locals(s=state_t, stop=i64)
    cdef i64 step_by_step(self, Agent agent, World world, i64 most) except -1 nogil
    @cython.locals(k=i64)
    cdef i64 pass_time(self, Agent agent, World world) except -1 nogil
    cdef i64 let_happen(self, Agent agent, World world) except -1 nogil
    @cython.locals(i=i64, news=i64)
    cdef i64 tell(self, Agent agent, World world, i64 k) except -1 nogil
