cdef class held:
    cdef tuple things
    cdef list taken

    cdef _give_back(self)


cdef class OneAtATime:
    cdef str says
    cdef bint busy
