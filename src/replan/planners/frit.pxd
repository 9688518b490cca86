cimport cython
from replan.clock cimport now_ns
from replan.core cimport Ints, Longs, i32, i64, ints, longs, state_t
from replan.planners.base cimport Planner
from replan.queues.base cimport OpenList
from replan.search.astar cimport Search
from replan.search.breadth_first cimport BreadthFirst
from replan.search.ideal_tree cimport IdealTree, points_to
from replan.spaces.goals cimport Goals
from replan.spaces.cell_distance cimport Heuristic
from replan.spaces.neighbours cimport Neighbours
from replan.spaces.space cimport Space

cdef i64 COMPLETE, INF, PARTIAL, UNREACHABLE, WAITING, PER_EXPANSION, STRIDE, NOBODY, NOT_YET

cdef class FRIT(Planner):
    cdef object given
    cdef bint restart_on_fall, searching, sure, fallen, news
    cdef state_t root
    cdef i64 cuts
    cdef readonly IdealTree tree

    cdef begin_trip(self, Space space, Goals goals)
    cdef refuse_goals(self, Goals goals)
    cdef new_goals(self, Goals goals)
    cdef plant(self, Goals goals)
    cdef Heuristic first_h(self, Goals goals)
    cdef carry_trip(self, bag)
    @cython.locals(i=i64)
    cdef i64 changed(self, Ints told, i64 k, bint rise) except -1 nogil
    @cython.locals(found=i64)
    cdef i64 episode(self, state_t at, i64 limit, i64 deadline) except -1 nogil
    @cython.final
    cdef bint leads(self, state_t at) except -1 nogil
    cdef i64 start(self, state_t at) except -1 nogil
    cdef i64 look_for(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t came_from(self, state_t v) noexcept nogil
    @cython.locals(u=state_t, v=state_t)
    @cython.final
    cdef bint connect(self, i64 found, state_t at) except -1 nogil
    @cython.locals(states=Ints, step_costs=Longs, index=Ints, v=state_t, w=i64, i=i64, k=i64, most=i64)
    @cython.final
    cdef i64 follow(self, state_t at, i64 limit) except -1 nogil

cdef class FRITFlood(FRIT):
    cdef BreadthFirst flood
    cdef Neighbours near
    cdef i64 tested

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef i64 start(self, state_t at) except -1 nogil
    @cython.locals(s=state_t, before=i64, turn=i64, left=i64, found=i64, hangs=i64)
    cdef i64 look_for(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t came_from(self, state_t v) noexcept nogil

cdef class FRITStar(FRIT):
    cdef readonly OpenList open
    cdef readonly Search search
    cdef bint informed

    cdef begin_trip(self, Space space, Goals goals)
    cdef tuple made_from(self)
    cdef carry_trip(self, bag)
    cdef plant(self, Goals goals)
    cdef i64 start(self, state_t at) except -1 nogil
    @cython.locals(before=i64, done=bint)
    cdef i64 look_for(self, i64 limit, i64 deadline) except? -3 nogil
    cdef state_t came_from(self, state_t v) noexcept nogil
