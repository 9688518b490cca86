cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cpdef int check_signals() except -1 nogil
