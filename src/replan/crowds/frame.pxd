cimport cython
from replan.clock cimport now_ns
from replan.core cimport Characters, LearnedH, Longs, Nodes, draw, i32, i64, learned_of, line_of, longs, u16
from replan.crowds.labels cimport Labels
from replan.crowds.people cimport People
from replan.crowds.worker cimport Worker
from replan.search.reach cimport can_reach
from replan.signals cimport check_signals
from replan.spaces.grid cimport Grid
from replan.spaces.neighbours cimport Touched
from replan.spaces.news cimport News
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_expect(p) __builtin_prefetch((const void *)(p))
    #else
    #define replan_expect(p) ((void)0)
    #endif
    """
    void expect "replan_expect"(void* p)  # ask for memory that will soon be read

cdef inline i64 expect_row(Characters person, i64 c) noexcept nogil:
    expect(&person[c])
    expect(<char*>&person[c] + 64)
    return 0

cdef inline i64 expect_label(Characters person, i64 c, i32[::1] label) noexcept nogil:
    expect(&label[person[c].at])
    expect(&label[person[c].goal])
    return 0

cdef inline i64 expect_turn(Characters person, i64 c, Nodes node, i64 row) noexcept nogil:
    cdef i64 s = person[c].at, r = -row
    cdef LearnedH learned = learned_of(person, c)
    expect(person[c].toll)
    while r <= row and row > 0:
        expect(&node[s + r - 1])
        expect(&node[s + r + 1])
        if learned.count > 0:
            expect_h(learned, s + r - 1)
            expect_h(learned, s + r + 1)
        r += row
    return 0

cdef inline i64 expect_h(LearnedH learned, i64 s) noexcept nogil:
    expect(learned.lines + 16 * line_of(s, learned.room >> 3))
    return 0

cdef inline i64 expect_step(Characters person, i64 c, i32[::1] standing, u16[::1] truth, u16[::1] belief, i64 row) noexcept nogil:
    cdef i64 s, r = -row
    if person[c].spot == 0:
        return 0
    s = person[c].path[person[c].spot - 1]
    expect(&standing[s])
    while r <= row and row > 0:
        expect(&truth[s + r])
        expect(&belief[s + r])
        r += row
    return 0

cdef i64 INF, LABELLED, MOST_WORK, PARTIAL, UNREACHABLE, WAITING

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
    cdef u16[::1] true_value
    cdef u16[::1] believed_value
    cdef i64 row
    cdef Grid true_grid, believed_grid

    @cython.locals(i=i64, count=i64, person=Characters)
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
    @cython.locals(person=Characters, ticket=Longs, used=i64, spent=i64, episodes=i64, i=i64, c=i64, node=Nodes)
    cdef i64 plan_on(self, Worker worker, bint first) except -1 nogil
    @cython.locals(end=i64)
    cdef i64 deadline(self) noexcept nogil
    @cython.locals(person=Characters, i=i64, c=i64, count=i64)
    cdef i64 left_out(self)
    @cython.locals(i=i64, start=i64, person=Characters)
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
    cdef bint is_up_to_date(self) noexcept
    @cython.locals(i=i64)
    cdef i64 read(self, News news) except -1 nogil
    @cython.locals(person=Characters, taken=i64, i=i64)
    cdef i64 first_taken(self, i32[::1] states, i32[::1] rows)
    @cython.locals(c=i64)
    cdef i64 enter(self, i64 at, i64 goal, i64 number, i64 tie) except -1
    cdef i64 arrive(self, i64 at) except -1
    @cython.locals(i=i64)
    cdef leave(self, i32[::1] rows)
    @cython.locals(i=i64)
    cdef retarget(self, i32[::1] rows, i32[::1] goals, Worker worker)
    @cython.locals(person=Characters, i=i64, c=i64)
    cdef put(self, i32[::1] rows, i32[::1] states)
