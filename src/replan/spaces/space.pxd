cimport cython
from replan.core cimport cost_t, i32, i64, state_t
from replan.initialized cimport Initialized
from replan.spaces.neighbours cimport Neighbours, Touched
from replan.spaces.news cimport News

cdef i64 INF

cdef class Space(Initialized):
    cdef readonly i64 n, places, unit, span, degree
    cdef readonly cost_t bound
    cdef readonly i64 row  # how far apart, as numbers, neighbours are that do not stand side by side; 0: not known
    cdef readonly bint unit_costs, cells, both_ways, built_in
    cdef readonly i64 searches  # how many are going on now
    cdef bint changing  # somebody is in the middle of changing it
    cdef dict finders  # planners of find_path that wait for the next call
    cdef News news

    cdef i64 refuse_numbers(self) except -1
    cdef Neighbours neighbours(self, Neighbours old=*)
    cdef Touched touched(self)
    cdef i64 hold(self) except -1
    @cython.final
    @cython.locals(touched=Touched, k=i64, old=i64)
    cdef _change_held(self, i64 place, i64 value)
    cdef i64 release(self) except -1
    cdef i64 expand(self, Neighbours near, state_t s) except -1 nogil
    cdef i64 onward(self, Neighbours near, state_t s, i64 back) except -1 nogil
    cdef i64 reverse(self, Neighbours near, state_t s) except -1 nogil
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read(self, i64 place) except -1 nogil
    cdef i64 write(self, Touched touched, i64 place, i64 value) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 bill(self, i32[::1] path, i64[::1] paid, i64 moves) except -1 nogil
    cdef double cost_back(self, i32[::1] states, cost_t[::1] toll, i64 stop, i64 start) except -1
    cdef object called(self, state_t s)
    cdef list keys_back(self, i32[::1] states, i64 stop, i64 start)
    cdef object distance_to(self, state_t state)
    cdef i64 state_reach(self, i64 steps) except -1
    cdef bint is_reversible(self) except -1
    cdef object plain_sights(self)
    cdef object straight_grid(self)
    cdef tuple made_from(self)
    cdef carry(self, bag)
    @cython.final
    cdef carry_changes(self, bag)
    cdef tuple kept_together(self)

@cython.locals(value=i64)
cpdef list values_if_free(Space space, list places)
@cython.locals(place=i64, values=i64[::1])
cpdef all_values(Space space)
@cython.locals(given=Space)
cpdef refuse_unmade(space)
