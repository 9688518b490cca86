cdef long long remaining

cpdef bint must_fail() noexcept nogil
