cimport cython
from replan.core cimport INF, Vertices, i32, i64
from replan.search.incremental cimport Incremental

cdef class Truncating(Incremental):
    cdef readonly i64 bound, count, truncations
    cdef i64 used, walked, joined, look
    cdef bint found, whole
    cdef i32[::1] who
    cdef i32[::1] place
    cdef i32[::1] ways
    cdef i32[::1] onward
    cdef i64[::1] rest

    @cython.final
    cdef i64 drop(self) noexcept nogil
    @cython.final
    @cython.locals(i=i64, k=i64)
    cdef i64 restore(self) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline i64 kept(self, i64 s) noexcept nogil
    @cython.final
    @cython.locals(node=Vertices, cost=i64, k=i64, v=i64, w=i64, place=i64, mark=i64, anew=i64)
    cdef i64 walk(self, i64 s, i64 most) noexcept nogil
    @cython.final
    @cython.locals(node=Vertices, rest=i64, v=i64, w=i64, _=i64)
    cdef i64 keep(self, i64 u, i64 cost) except -1 nogil
    @cython.final
    @cython.locals(k=i64)
    cdef inline i64 note_way(self, i64 s, i64 rest, i64 onward) noexcept nogil
    @cython.final
    @cython.locals(more=i64)
    cdef i64 widen(self) except -1
    cdef bint is_good_enough(self, i64 rhs) noexcept nogil
    @cython.final
    cdef bint keeps_bound(self, i64 low) noexcept nogil
    cdef i64 advance(self, i64 limit, i64 deadline) except -1 nogil
    cdef bint is_repaired(self) except -1 nogil
    @cython.locals(g=i64, rhs=i64, h=i64)
    cdef bint ends_before(self, i64 u, i64 turns) except -1 nogil
    @cython.locals(g=i64, h=i64, cost=i64)
    cdef bint truncate(self, i64 u) except -1 nogil
