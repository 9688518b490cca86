cimport cython

cdef class Initialized:
    cdef bint is_initialized

    @cython.final
    cdef check_initialized(self)
    @cython.final
    cdef check_not_initialized(self)
