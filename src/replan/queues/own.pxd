cimport cython
from replan.core cimport INF, i32, i64
from replan.queues.base cimport OpenList

cdef class OwnQueue(OpenList):
    cdef object kind
    cdef object queue
    cdef dict inside
    cdef i64 n

    cdef put_in(self, i64 s, i64 f, i64 g)
    cdef take_out(self, i64 s)
    cdef i64 first(self) except -2
    cdef bint comes_before(self, i64 f, i64 g) except -1
    cdef reserve(self, i64 n)
    cdef i64 fit(self, i64 n, i64 f_bound, i64 g_bound, i64 span) except -1
    cdef i64 insert(self, i64 s, i64 f, i64 g) except -1 nogil
    cdef i64 decrease(self, i64 s, i64 f, i64 g) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 take_in(self, i64 k) except -1 nogil
    @cython.locals(i=i64, s=i64)
    cdef i64 exchange(self, i64 k, i64 unless, i64 f, i64 g) except -2 nogil
    cdef i64 top(self) except -2 nogil
    cdef i64 top_f(self) except? -1 nogil
    cdef i64 before(self, i64 f, i64 g) except -1 nogil
    cdef i64 update(self, i64 s, i64 f, i64 g) except -1 nogil
    cdef i64 remove(self, i64 s) except -1 nogil
    cdef bint exact(self) noexcept nogil
    cdef i64 pop(self, i64 unless) except -2 nogil
    cdef i64 list_to(self, i32[::1] out) except -1 nogil
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef tuple made_from(self)
    cdef carry_inside(self, bag, i64 n)
