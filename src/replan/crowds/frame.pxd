cimport cython
from replan.clock cimport now_ns
from replan.core cimport Characters, LearnedH, i32, i64, learned_of, line_of, u8
from replan.crowds.people cimport People
from replan.crowds.post cimport Post
from replan.crowds.steps cimport Steps, expect, expect_row
from replan.crowds.worker cimport Worker
from replan.search.reach cimport can_reach
from replan.signals cimport check_signals
from replan.spaces.space cimport Space

cdef inline i64 expect_path(Characters person, i64 c, i32[::1] label, i64 version) noexcept nogil:
    if person[c].spot > 0:
        expect(&person[c].path[person[c].spot])
    if person[c].linked != version:
        expect(&label[person[c].at])
        expect(&label[person[c].goal])
    return 0

cdef inline i64 expect_turn(Characters person, i64 c, i64 row, u8[::1] exits) noexcept nogil:
    cdef i64 s = person[c].at, r = -row
    cdef LearnedH learned = learned_of(person, c)
    expect(person[c].toll)
    while r <= row and row > 0:
        expect(&exits[s + r])
        if learned.count > 0:
            expect_h(learned, s + r - 1)
            expect_h(learned, s + r + 1)
        r += row
    return 0

cdef inline i64 expect_h(LearnedH learned, i64 s) noexcept nogil:
    expect(learned.lines + 16 * line_of(s, learned.room >> 3))
    return 0

cdef i64 GATHER, PLAN, STEP, SHORT, LONG, WALKS, DUE, LATE, IDLE
cdef i64 INF, LABELLED, MOST_WORK, UNREACHABLE, WAITING

@cython.final
cdef class CrowdFrame(Steps):
    cdef readonly i64 number, dues, step_ns
    cdef i64 part, start, stop, size, limit, until, own_ns, each
    cdef bint late, endless
    cdef Post post
    cdef i32[::1] rows
    cdef i32[::1] due
    cdef u8[::1] code

    @cython.locals(failed=i64)
    cdef i64 share(self, Worker worker, i64 part, i64 start, i64 stop) except -1 nogil
    @cython.locals(turn=i64, start=i64, well=bint)
    cdef i64 take_turns(self, Worker worker) except -1 nogil
    @cython.locals(tries=i64, before=i64)
    cdef i64 help(self, Worker worker) except -1
    cdef i64 do_part(self, Worker worker, i64 start, i64 stop) except -1 nogil
    @cython.locals(i=i64, count=i64, late=i64)
    cdef i64 gather(self, i32[::1] rows, Worker worker) except -1
    @cython.locals(person=Characters, i=i64)
    cdef i64 gather_some(self, Worker worker, i64 start, i64 stop) except -1 nogil
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
    cdef i64 plan(self, Worker worker, i64 start, i64 stop, i64 limit) except -1
    @cython.locals(person=Characters, spent=i64, i=i64, c=i64)
    cdef i64 plan_some(self, Worker worker, i64 start, i64 stop) except -1 nogil
    @cython.locals(end=i64)
    cdef i64 deadline(self) noexcept nogil
    @cython.locals(person=Characters, i=i64, c=i64, count=i64)
    cdef i64 left_out(self)
    @cython.locals(start=i64)
    cdef i64 commit(self, Worker worker, i64 used, i64[::1] numbers, i64[::1] places) except -1
