cimport cython
from replan.core cimport INF, Ints, Longs, i32, i64, ints, longs, lowest_bit, u64
from replan.queues.base cimport OpenList

cdef class Buckets(OpenList):
    cdef i32[::1] head
    cdef i32[::1] link
    cdef u64[::1] used
    cdef u64[::1] some
    cdef i64 ring, high

    @cython.locals(head=i32[::1], used=u64[::1], some=u64[::1])
    @cython.final
    cdef lay_out(self, i64 ring)
    cdef reserve(self, i64 n)
    cdef i64 fit(self, i64 n, i64 f_bound, i64 g_bound, i64 span) except -1
    cdef i64 insert(self, i64 s, i64 f, i64 g) except -1 nogil
    @cython.locals(i=i64, s=i64, f=i64, new=Ints, new_f=Longs)
    cdef i64 take_in(self, i64 k) except -1 nogil
    @cython.locals(i=i64, s=i64, e=i64, held=i64, held_f=i64, new=Ints, new_f=Longs)
    cdef i64 exchange(self, i64 k, i64 unless, i64 f, i64 g) except -2 nogil
    @cython.locals(bit=u64, slot=i64, first=i64)
    @cython.final
    cdef inline i64 put(self, i64 s, i64 f) except -1 nogil
    cdef i64 decrease(self, i64 s, i64 f, i64 g) except -1 nogil
    @cython.locals(after=i64, before=i64)
    @cython.final
    cdef inline i64 unlink(self, i64 s) noexcept nogil
    @cython.locals(slot=i64, word=u64, one=u64)
    @cython.final
    cdef inline i64 first(self) noexcept nogil
    cdef i64 top(self) except -2 nogil
    @cython.locals(one=u64, group=i64, w=i64, bits=u64)
    @cython.final
    cdef i64 leave_word(self, i64 slot, u64 word) noexcept nogil
    cdef i64 top_f(self) except? -1 nogil
    cdef i64 before(self, i64 f, i64 g) except -1 nogil
    cdef i64 update(self, i64 s, i64 f, i64 g) except -1 nogil
    cdef i64 remove(self, i64 s) except -1 nogil
    cdef bint exact(self) noexcept nogil
    @cython.locals(s=i64)
    cdef i64 pop(self, i64 unless) except -2 nogil
    @cython.locals(slot=i64, after=i64)
    @cython.final
    cdef inline i64 pop_top(self, i64 s) noexcept nogil
    @cython.locals(w=i64, word=u64, words=u64)
    @cython.final
    cdef inline i64 next_used(self, i64 slot) noexcept nogil
    @cython.locals(k=i64, slot=i64, s=i64)
    cdef i64 list_to(self, i32[::1] out) except -1 nogil
    @cython.locals(slot=i64)
    cdef i64 clear(self) except -1 nogil
    cdef i64 reseed(self) except -1 nogil
    cdef tuple made_from(self)
    @cython.locals(i=i64)
    cdef carry_inside(self, bag, i64 n)
    @cython.locals(s=i64)
    cdef tuple listed(self)
    @cython.final
    cdef i64 widen(self, i64 f) except -1 nogil
    @cython.locals(found=i64[::1], k=i64, low=i64, high=i64, slot=i64, value=i64, ring=i64, size=i64, one=u64, i=i64, first=i64)
    @cython.final
    cdef i64 spread(self, i64 f) except -1
