cimport cython
from libc.math cimport sqrt as c_sqrt
from replan.core cimport cost_t, i32, i64, state_t
from replan.signals cimport check_signals
from replan.spaces.edge_layout cimport EdgeLayout, build_edge_layout
from replan.spaces.neighbours cimport Neighbours, ChangedStates
from replan.spaces.space cimport Space

cdef i64 INF

cdef class Graph(Space):
    cdef i32[::1] first
    cdef i32[::1] head
    cdef i32[::1] tail
    cdef i32[::1] reverse_arc
    cdef i32[::1] in_first
    cdef i32[::1] in_arc
    cdef i64[::1] value
    cdef i64[::1] free_value
    cdef i64[::1] last_value
    cdef double[::1] position
    cdef readonly double units_per_length
    cdef readonly bint has_positions, is_scaled
    cdef readonly i64 max_value, common_value, uncommon_count
    cdef readonly bint is_directed
    cdef readonly double resolution
    cdef readonly list nodes
    cdef readonly dict _state_of_node
    cdef readonly dict _arc_of_pair
    cdef EdgeLayout layout

    cdef i64 check_init_call(self) except -1
    cdef Neighbours make_neighbours(self, Neighbours reuse=*)
    cdef ChangedStates make_changed_states(self)
    @cython.locals(k=i64, a=i64)
    cdef i64 expand(self, Neighbours neighbours, state_t s) except -1 nogil
    @cython.locals(k=i64, i=i64, a=i64)
    cdef i64 expand_reverse(self, Neighbours neighbours, state_t s) except -1 nogil
    @cython.locals(best=state_t, a=i64)
    cdef cost_t step_cost(self, state_t u, state_t v) except -1 nogil
    @cython.locals(x=double, y=double, square=double, length=double, units=i64)
    cdef cost_t estimate(self, state_t u, state_t v) except -1 nogil
    cdef i64 read_value(self, i64 location) except -1 nogil
    @cython.locals(old=i64, k=i64)
    cdef i64 write_value(self, ChangedStates changed, i64 location, i64 value) except -1 nogil
    cdef object unchecked_key(self, state_t s)
    cdef bint is_reversible(self) except -1
    cdef tuple constructor_args(self)
    cdef serialize(self, archive)
    cdef tuple shared_parts(self)
    @cython.final
    cdef attach_layout(self, EdgeLayout layout)
    @cython.final
    cdef set_costs(self, costs)
    @cython.final
    cdef share_layout(self, Graph other)
    @cython.final
    cdef copy_from(self, Graph other)

@cython.locals(duplicate=Graph)
cdef Graph copy_graph(Graph graph, bint all_free=*)
@cython.locals(graph=Graph)
cdef Graph graph_from_layout(EdgeLayout layout, list nodes, dict index, value)
