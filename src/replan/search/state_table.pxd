cimport cython
from replan.core cimport i64
from replan.initialized cimport Initialized

cdef class StateTable(Initialized):
    cdef readonly i64 n
    cdef readonly str name
    cdef readonly tuple columns
    cdef i64[::1] rows
    cdef dict arrays
    cdef str stamped_by
    cdef bint packed, all_over

    cdef reserve(self, i64 n)
    @cython.final
    cdef allocate(self, i64 n)
    cdef attach(self, i64 n)
    cdef clear(self)
    cdef prefault(self)
    cdef i64 since(self, lifetime)
    cdef i64 latest(self)
    cdef values(self, str name)
    cdef put(self, str name, states, values)
    @cython.final
    cdef holds(self, lifetime, states=*)
    @cython.final
    cdef tuple names(self)
    @cython.final
    cdef i64 lowest(self)
    cdef in_use(self)
    cdef carry(self, bag)
    cpdef shown(self, states=*)
    cpdef bint serves_many(self)
