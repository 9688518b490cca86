cdef class Rule:
    cdef tuple constructor_args(self)
