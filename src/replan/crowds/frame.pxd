cimport cython
from replan.clock cimport now_ns
from replan.core cimport Characters, Longs, draw, i32, i64, longs
from replan.crowds.labels cimport Labels
from replan.crowds.people cimport People
from replan.crowds.worker cimport Worker
from replan.search.reach cimport can_reach
from replan.signals cimport check_signals
from replan.spaces.neighbours cimport Touched
from replan.spaces.news cimport News
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef i64 INF, LABELLED, PARTIAL, UNREACHABLE, WAITING

@cython.final
cdef class Frame:
    cdef readonly Space believed
    cdef People people
    cdef World world
    cdef Labels labels
    cdef Touched touched
    cdef readonly i64 number, rises, falls, dues, walkers, moves, step_ns
    cdef i64 heard, stop, limit, until, own_ns, each
    cdef bint cells, late, endless
    cdef readonly bint solid
    cdef i32[::1] standing
    cdef i32[::1] due
    cdef i32[::1] walker
    cdef i32[::1] moved
    cdef i64[::1] ticket

    @cython.locals(i=i64, count=i64)
    cdef i64 gather(self, i32[::1] rows, Worker worker) except -1
    @cython.locals(person=Characters)
    cdef i64 look_after(self, i64 c, Worker worker) except -1 nogil
    @cython.locals(person=Characters, goal=i64)
    cdef bint waits_beside(self, i64 c) except -1 nogil
    @cython.locals(person=Characters)
    cdef bint no_way(self, i64 c) except -1 nogil
    @cython.locals(person=Characters)
    cdef bint find_no_way(self, i64 c) except -1
    cdef sort_by_wait(self)
    cdef i64 longest_wait(self)
    cdef set_clock(self, i64 until, i64 own_ns, i64 longest)
    cdef open_round(self, i64 start, i64 stop, i64 limit)
    cdef i64 run(self, Worker worker, bint first) except -1
    @cython.locals(person=Characters, ticket=Longs, used=i64, spent=i64, episodes=i64, i=i64, c=i64)
    cdef i64 plan_on(self, Worker worker, bint first) except -1 nogil
    @cython.locals(end=i64)
    cdef i64 deadline(self) noexcept nogil
    @cython.locals(person=Characters, i=i64, c=i64, count=i64)
    cdef i64 left_out(self)
    @cython.locals(i=i64, start=i64)
    cdef i64 commit(self, i64 used) except -1
    @cython.locals(person=Characters, at=i64, spot=i64, s=i64)
    cdef i64 step(self, i64 c) except -1 nogil
    @cython.locals(i=i64, k=i64)
    cdef i64 look(self, World world, i64 before, i64 at) except -1 nogil
    @cython.locals(person=Characters, c=i64, i=i64)
    cdef i64 pass_time(self, World world) except -1 nogil
    cdef i64 check(self, World world, i64 place) except -1 nogil
    @cython.locals(old=i64, rise=bint, k=i64, i=i64)
    cdef i64 accept(self, i64 place, i64 value) except -1 nogil
    cdef i64 notice(self, i64 s, bint rise) except -1 nogil
    @cython.locals(i=i64, news=i64)
    cdef i64 take_in(self, i64[::1] places, i64[::1] values) except -1
    cdef watch(self, crowd)
    cdef i64 catch_up(self) except -1
    @cython.locals(i=i64)
    cdef i64 read(self, News news) except -1 nogil
    @cython.locals(person=Characters, taken=i64, i=i64)
    cdef i64 free_for(self, i32[::1] states, i32[::1] rows)
    @cython.locals(c=i64)
    cdef i64 enter(self, i64 at, i64 goal, i64 number, i64 tie) except -1
    cdef i64 arrive(self, i64 at) except -1
    @cython.locals(i=i64)
    cdef leave(self, i32[::1] rows)
    @cython.locals(i=i64)
    cdef retarget(self, i32[::1] rows, i32[::1] goals, Worker worker)
    @cython.locals(person=Characters, i=i64, c=i64)
    cdef put(self, i32[::1] rows, i32[::1] states)
