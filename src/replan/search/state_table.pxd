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
    cdef bint packed, covers_map

    cdef reserve(self, i64 n)
    @cython.final
    cdef allocate(self, i64 n)
    cdef bind_arrays(self, i64 n)
    cdef clear(self)
    cdef prefault(self)
    cdef i64 first_valid_stamp(self, lifetime)
    cdef i64 last_stamp(self)
    cdef values(self, str name)
    cdef write_column(self, str name, states, values)
    @cython.final
    cdef valid_mask(self, lifetime, states=*)
    @cython.final
    cdef tuple names(self)
    @cython.final
    cdef i64 first_used_stamp(self)
    cdef used_states(self)
    cdef serialize(self, archive)
    cpdef as_arrays(self, states=*)
    cpdef bint is_shareable(self)
