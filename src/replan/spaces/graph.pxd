cimport cython
from libc.math cimport sqrt as c_sqrt
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.edge_layout cimport EdgeLayout, lay_out
from replan.spaces.neighbours cimport Neighbours, Touched
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Graph(Space):
    cdef i32[::1] first
    cdef i32[::1] head
    cdef i32[::1] tail
    cdef i32[::1] twin
    cdef i32[::1] in_first
    cdef i32[::1] in_arc
    cdef i64[::1] value
    cdef i64[::1] free_value
    cdef i64[::1] last
    cdef double[::1] position
    cdef readonly double ticks_per_length
    cdef readonly bint placed, scaled
    cdef readonly i64 top_value, common, odd
    cdef readonly bint directed
    cdef readonly double resolution
    cdef readonly list nodes
    cdef readonly dict index
    cdef readonly dict arcs
    cdef EdgeLayout layout

    cdef i64 refuse_numbers(self) except -1
    cdef Neighbours neighbours(self, Neighbours old=*)
    cdef Touched touched(self)
    @cython.locals(k=i64, a=i64)
    cdef i64 expand(self, Neighbours near, state_t s) except -1 nogil
    @cython.locals(k=i64, i=i64, a=i64)
    cdef i64 reverse(self, Neighbours near, state_t s) except -1 nogil
    @cython.locals(best=state_t, a=i64)
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    @cython.locals(x=double, y=double, square=double, length=double, ticks=i64)
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read(self, i64 place) except -1 nogil
    @cython.locals(old=i64, k=i64)
    cdef i64 write(self, Touched touched, i64 place, i64 value) except -1 nogil
    cdef object called(self, state_t s)
    cdef bint is_reversible(self) except -1
    cdef tuple made_from(self)
    cdef carry(self, bag)
    cdef tuple kept_together(self)
    @cython.final
    cdef use(self, EdgeLayout layout)
    @cython.final
    cdef open(self, costs)
    @cython.final
    cdef share(self, Graph other)
    @cython.final
    cdef become(self, Graph other)

@cython.locals(twin=Graph)
cdef Graph twin_of(Graph graph, bint all_open=*)
@cython.locals(graph=Graph)
cdef Graph graph_of(EdgeLayout layout, list nodes, dict index, value)
