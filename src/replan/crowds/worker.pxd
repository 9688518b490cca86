cimport cython
from replan.core cimport Characters, Ints, Longs, i32, i64, ints, learned_of, longs
from replan.crowds.people cimport People
from replan.planners.realtime cimport RealTimePlanner
from replan.search.astar cimport Search
from replan.search.learned cimport Memory, forget
from replan.search.lookahead cimport Lookahead
from replan.spaces.goals cimport Goals
from replan.spaces.heuristics cimport Asked, CellDistance
from replan.spaces.space cimport Space
from replan.worlds.eyes cimport Eye

cdef i64 BLOCK, COMPLETE, INF, KEEP, KEPT, PARTIAL, UNREACHABLE, WAITING, LONGEST_DODGE, MOST_DOUBLED, PATIENCE

@cython.final
cdef class Worker:
    cdef RealTimePlanner planner
    cdef People people
    cdef Goals goals
    cdef CellDistance cells
    cdef Asked asked
    cdef Eye eye
    cdef bint ready
    cdef i64 used, planned, margin, place
    cdef i32[::1] bodies
    cdef i64[::1] risen

    cdef begin(self, Space space, i64 goal)
    @cython.locals(steps=i64, margin=i64)
    cdef i64 find_margin(self, Space space)
    @cython.locals(search=Search)
    cdef i64 settle(self) except -1
    cdef i64 luck(self)
    cdef bint has_own_estimates(self)
    @cython.locals(torn=bint)
    cdef enter(self)
    cdef leave(self, bint whole)
    @cython.locals(person=Characters, goal=i64)
    cdef i64 turn_to(self, i64 c) except -1 nogil
    @cython.locals(person=Characters, base=i64, before=i64)
    cdef i64 plan(self, i64 c, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(person=Characters, used=i64)
    cdef i64 plan_around(self, i64 c, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(person=Characters, at=i64, goal=i64, found=i64, used=i64, best=i64, seed=i64, taken=bint, wanders=bint)
    cdef i64 dodge(self, i64 c, Space space, i64 limit, i64 deadline) except -1 nogil
    @cython.locals(person=Characters)
    cdef bint lose_patience(self, i64 c, i64 distance) noexcept nogil
    @cython.locals(k=i64, chance=i64)
    cdef i64 any_open(self, Lookahead look, i64 seed) except -1 nogil
    cdef i64 unlearn(self, i64 c) except -1 nogil
    @cython.locals(person=Characters, trail=Ints, toll=Longs, path=Ints, paid=Longs, steps=i64, stop=i64, i=i64)
    cdef i64 keep_path(self, i64 c) except -1 nogil
    @cython.locals(person=Characters)
    cdef i64 hear(self, i64 c, i64 rises, i64 falls) except -1 nogil
    @cython.locals(person=Characters, path=Ints, toll=Longs, risen=Longs, heard=i64, i=i64)
    cdef bint still_good(self, i64 c, Space space) except -1 nogil
    @cython.locals(person=Characters)
    cdef i64 retarget(self, i64 c, i64 goal) except -1 nogil
