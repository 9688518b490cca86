from replan.core cimport Characters, i32, i64, u8
from replan.crowds.labels cimport Labels
from replan.crowds.people cimport People
from replan.crowds.worker cimport Worker
from replan.spaces.neighbours cimport Touched
from replan.spaces.news cimport News
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cimport cython

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_get(p) __atomic_load_n(p, __ATOMIC_RELAXED)
    #define replan_set(p, x) __atomic_store_n(p, x, __ATOMIC_RELAXED)
    #else
    #define replan_get(p) (*(volatile unsigned char *)(p))
    #define replan_set(p, x) (*(volatile unsigned char *)(p) = (x))
    #endif
    """
    u8 get_at_once "replan_get"(u8* p)  # workers may come to the same state at the same time
    void set_at_once "replan_set"(u8* p, u8 x)

cdef inline bint is_era(u8[::1] looked, i64 s, i64 era) noexcept nogil:
    return get_at_once(&looked[s]) == era

cdef inline i64 set_era(u8[::1] looked, i64 s, i64 era) noexcept nogil:
    set_at_once(&looked[s], <u8>era)
    return 0

cdef i64 BLOCK, INF, LAST_ERA, PARTIAL

cdef class Ground:
    cdef readonly Space believed
    cdef People people
    cdef World world
    cdef Labels labels
    cdef Touched touched
    cdef readonly i64 rises, falls
    cdef i64 heard, era
    cdef bint cells, still, by_place
    cdef readonly bint solid
    cdef i32[::1] standing
    cdef i64[::1] risen
    cdef u8[::1] looked

    cdef bint knows(self, Worker worker, i64 before, i64 at) except -1 nogil
    @cython.locals(i=i64, k=i64, place=i64, refused=i64)
    cdef i64 look(self, World world, i64 before, i64 at) except -1 nogil
    @cython.locals(s=i64)
    cdef i64 look_again(self) noexcept nogil
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
