cimport cython
from replan.initialized cimport Initialized

@cython.final
cdef class EdgeLayout(Initialized):
    cdef list nodes
    cdef dict index, arcs
    cdef object n, directed, resolution, scaled, degree, ticks_per_length
    cdef object tail, head, twin, free_value, first, in_arc, in_first, position

    cdef EdgeLayout name(self, list nodes, dict index)

cpdef EdgeLayout lay_out(n, edges, directed, resolution, scaled, position)
