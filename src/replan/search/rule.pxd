cdef class Rule:
    cdef readonly bint skips_frontier
    cdef tuple made_from(self)
    cdef carry(self, bag)
