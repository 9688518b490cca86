cdef class read_lock:
    cdef tuple objects
    cdef list generators

    cdef _release(self)


cdef class CallLock:
    cdef str busy_message
    cdef bint is_busy
