cdef class Rule:
    cdef tuple made_from(self)
