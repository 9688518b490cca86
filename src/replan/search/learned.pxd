cimport cython
from replan.core cimport Ints, LearnedH, Longs, NARROW, Nodes, PLACES, WIDE, cost_t, free_lines, i32, i64, ints, line_of, longs, lowest_bit, new_lines, read_kept, state_t, write_kept
from replan.spaces.cell_distance cimport Heuristic

cdef i64 SMALLEST, MOST_NARROW

@cython.locals(found=i64)
cdef i64 place_of(Ints lines, i64 i, i32 s) noexcept nogil
@cython.locals(lines=Ints, width=i64, end=i64, i=i64, k=i64, kept=i64)
cdef i64 recall(LearnedH learned, state_t s) noexcept nogil
@cython.locals(lines=Ints, width=i64, end=i64, i=i64, k=i64)
cdef i64 retain(LearnedH learned, state_t s, i64 kept) noexcept nogil
cdef bint full(LearnedH learned) noexcept nogil
@cython.locals(width=i64, i=i64, k=i64)
cdef i64 resize(LearnedH learned, i64 lines, bint wide) except -1 nogil
cdef i64 forget(LearnedH learned) except -1 nogil
@cython.locals(width=i64, k=i64, i=i64, s=state_t)
cdef i64 list_learned(LearnedH learned, i32[::1] states, i64[::1] kept) noexcept
@cython.locals(i=i64)
cdef i64 load_learned(LearnedH learned, i64 lines, bint wide, i32[::1] states, i64[::1] kept) except -1
@cython.locals(size=i64)
cdef i64 bytes_of(LearnedH learned) noexcept nogil

@cython.final
cdef class Memory:
    cdef LearnedH learned
    cdef Heuristic heuristic
    cdef cost_t drop
    cdef i64 noted
    cdef i32[::1] state
    cdef cost_t[::1] h

    cdef i64 serve(self, LearnedH learned, cost_t drop) noexcept nogil
    @cython.locals(kept=i64)
    cdef cost_t worth(self, state_t s, i64 first) noexcept nogil
    @cython.locals(i=i64, state=Ints, h=Longs, listed=Ints)
    cdef i64 note(self, Nodes node, i32[::1] closed, i64 count) except -1 nogil
    @cython.locals(i=i64, s=state_t, state=Ints, h=Longs)
    cdef i64 keep(self, Nodes node) except -1 nogil
    cdef i64 keep_one(self, state_t s, cost_t h) except -1 nogil
    @cython.locals(learned=LearnedH, lines=Ints, width=i64, room=i64, was_wide=bint, alive=i64, i=i64, s=state_t, kept=i64)
    cdef cost_t renew(self, bint wide) except -1 nogil
    cdef bint lives(self, state_t s, i64 kept) except -1 nogil
