cimport cython
from replan.spaces.edge_layout cimport EdgeLayout
from replan.spaces.graph cimport Graph

cpdef graph_arrays(Graph graph)
@cython.locals(graph=Graph)
cpdef graph_from(list nodes, dict arrays, dict facts)
