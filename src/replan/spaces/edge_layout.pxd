cimport cython
from replan.initialized cimport Initialized

@cython.final
cdef class EdgeLayout(Initialized):
    cdef list nodes
    cdef dict state_of_node, arc_of_pair
    cdef object n, is_directed, resolution, is_scaled, degree, units_per_length
    cdef object tail, head, reverse_arc, free_value, first, in_arc, in_first, position

    cdef EdgeLayout set_names(self, list nodes, dict index)

cpdef EdgeLayout build_edge_layout(n, edges, is_directed, resolution, is_scaled, position)
