cimport cython
from replan.clock cimport now_ns
from replan.core cimport Characters, LearnedH, i32, i64, learned_of, line_of, u8, u16
from replan.crowds.ground cimport Ground
from replan.crowds.people cimport People
from replan.crowds.post cimport Post
from replan.crowds.worker cimport Worker
from replan.search.reach cimport can_reach
from replan.signals cimport check_signals
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_expect(p) __builtin_prefetch((const void *)(p))
    #define replan_stands(p, n) __atomic_fetch_add(p, n, __ATOMIC_RELAXED)
    #else
    #include <intrin.h>
    #define replan_expect(p) ((void)0)
    #define replan_stands(p, n) _InterlockedExchangeAdd((volatile long *)(p), n)
    #endif
    """
    void expect "replan_expect"(void* p)  # ask for memory that will soon be read
    void add_at_once "replan_stands"(i32* p, i32 n)  # so that nobody sees anything between

cdef inline i64 expect_row(Characters person, i64 c) noexcept nogil:
    expect(&person[c])
    expect(<char*>&person[c] + 64)
    return 0

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

cdef inline i64 expect_step(Characters person, i64 c, i32[::1] standing, u8[::1] looked) noexcept nogil:
    cdef i64 s
    if person[c].spot > 0:
        s = person[c].path[person[c].spot - 1]
        expect(&standing[person[c].at])
        expect(&standing[s])
        if s < looked.shape[0]:
            expect(&looked[s])
    return 0

cdef inline i64 expect_look(Characters person, i64 c, u16[::1] truth, u16[::1] belief, u8[::1] exits, i64 row) noexcept nogil:
    cdef i64 s, r = -row
    if person[c].spot > 0:
        s = person[c].path[person[c].spot - 1]
        while r <= row and row > 0:
            expect(&truth[s + r])
            expect(&belief[s + r])
            expect(&exits[s + r])
            r += row
    return 0

cdef inline i64 stands(i32[::1] standing, i64 s, i64 n, bint alone) noexcept nogil:
    if alone:
        standing[s] += <i32>n
    else:
        add_at_once(&standing[s], <i32>n)
    return 0

cdef i64 GATHER, PLAN, STEP, SHORT, LONG, WALKS, DUE, LATE, STAYS, LOOKS, IDLE
cdef i64 BLOCK, INF, LABELLED, MOST_WORK, UNREACHABLE, WAITING

@cython.final
cdef class CrowdFrame(Ground):
    cdef readonly i64 number, dues, walkers, moves, step_ns
    cdef i64 part, start, stop, size, limit, until, own_ns, each, row
    cdef bint late, endless, alone
    cdef Post post
    cdef Grid grid, true_grid
    cdef i32[::1] rows
    cdef i32[::1] due
    cdef i32[::1] walker
    cdef i32[::1] moved
    cdef i32[::1] gone
    cdef u8[::1] code
    cdef u8[::1] exits
    cdef u16[::1] truth
    cdef u16[::1] belief

    @cython.locals(failed=i64)
    cdef i64 share(self, Worker worker, i64 part, i64 start, i64 stop) except -1 nogil
    @cython.locals(turn=i64, start=i64, well=bint)
    cdef i64 take_turns(self, Worker worker) except -1 nogil
    @cython.locals(tries=i64, before=i64)
    cdef i64 help(self, Worker worker) except -1
    cdef i64 do_part(self, Worker worker, i64 start, i64 stop) except -1 nogil
    @cython.locals(i=i64, count=i64, late=i64)
    cdef i64 gather(self, i32[::1] rows, Worker worker) except -1
    @cython.locals(person=Characters, i=i64, count=i64)
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
    @cython.locals(i=i64, start=i64)
    cdef i64 commit(self, Worker worker, i64 used) except -1
    @cython.locals(person=Characters, i=i64, c=i64)
    cdef i64 step_some(self, i64 start, i64 stop) except -1 nogil
    @cython.locals(person=Characters, i=i64)
    cdef i64 step_and_look(self) except -1 nogil
    @cython.locals(person=Characters, at=i64, spot=i64, s=i64)
    cdef i64 step(self, i64 c) except? -1 nogil
    @cython.locals(person=Characters, s=i64)
    cdef i64 go(self, i64 c) noexcept nogil
    @cython.locals(i=i64)
    cdef i64 list_moved(self) noexcept nogil
    @cython.locals(person=Characters, i=i64, c=i64)
    cdef tell_moved(self, i64[::1] numbers, i64[::1] cells)
    @cython.locals(person=Characters, c=i64, i=i64)
    cdef i64 pass_time(self, World world) except -1 nogil
