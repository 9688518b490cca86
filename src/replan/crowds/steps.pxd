cimport cython
from replan.core cimport Characters, i32, i64, u8, u16
from replan.crowds.ground cimport Ground, is_era
from replan.crowds.worker cimport Worker
from replan.spaces.grid cimport Grid
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

cdef inline i64 expect_place(Characters person, i64 c) noexcept nogil:
    expect(&person[c])
    return 0

cdef inline i64 expect_next(Characters person, i64 c) noexcept nogil:
    if person[c].spot > 0:
        expect(&person[c].path[person[c].spot - 1])
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

cdef inline i64 expect_look(
    Characters person, i64 c, u8[::1] looked, i64 era, u16[::1] truth, u16[::1] belief, i64 row
) noexcept nogil:
    cdef i64 s, r = -row
    if person[c].spot > 0 and row > 0:
        s = person[c].path[person[c].spot - 1]
        while r <= row and not is_era(looked, s, era):
            expect(&truth[s + r])
            expect(&belief[s + r])
            r += row
    return 0

cdef inline i64 stands(i32[::1] standing, i64 s, i64 n, bint alone) noexcept nogil:
    if alone:
        standing[s] += <i32>n
    else:
        add_at_once(&standing[s], <i32>n)
    return 0

cdef i64 BLOCK, LEAD, LOOKS, STAYS, WAITING

cdef class Steps(Ground):
    cdef readonly i64 walkers, moves
    cdef i64 row, width
    cdef bint alone
    cdef Grid grid, true_grid
    cdef i32[::1] walker
    cdef i32[::1] moved
    cdef i32[::1] gone
    cdef i64[::1] numbers
    cdef i64[::1] places
    cdef u8[::1] exits
    cdef u16[::1] truth
    cdef u16[::1] belief

    @cython.final
    @cython.locals(person=Characters, ahead=i64, i=i64, c=i64, next_one=i64)
    cdef i64 step_some(self, Worker worker, i64 start, i64 stop) except -1 nogil
    @cython.final
    @cython.locals(i=i64)
    cdef i64 leave_to_others(self) noexcept nogil
    @cython.final
    @cython.locals(i=i64, j=i64, k=i64, c=i64, width=i64)
    cdef i64 step_others(self) except -1 nogil
    @cython.final
    @cython.locals(person=Characters, at=i64, spot=i64, s=i64)
    cdef inline i64 step(self, i64 c) except? -1 nogil
    @cython.final
    @cython.locals(person=Characters, s=i64)
    cdef inline i64 go(self, i64 c) noexcept nogil
    @cython.final
    @cython.locals(person=Characters)
    cdef inline i64 tell(self, i64 i, i64 c) noexcept nogil
    @cython.final
    @cython.locals(person=Characters, c=i64, i=i64)
    cdef i64 pass_time(self, World world) except -1 nogil
