cdef long long remaining

cpdef bint fails() noexcept nogil
