cimport cython
from replan.core cimport Characters, Ints, characters, free_lines, i64, ints_after, learned_of, longs_in, new_lines
from replan.search.learned cimport bytes_of, forget, resize

cdef i64 INF, PARTIAL, STEP, WORDS

@cython.final
cdef class People:
    cdef i64[::1] table
    cdef Characters person
    cdef i64 used, room
    cdef list spare
    cdef dict columns

    cdef make_room(self, i64 room)
    @cython.locals(person=Characters, c=i64)
    cdef i64 enter(self, i64 at, i64 goal, i64 number, i64 tie) except -1
    cdef leave(self, i64 c)
    cdef i64 free(self, i64 c) except -1 nogil
    @cython.locals(person=Characters, room=i64, lines=Ints)
    cdef i64 lay_path(self, i64 c, i64 steps) except -1 nogil
    @cython.locals(c=i64, total=i64)
    cdef column(self, str name, rows)
    cdef i64 learned(self, rows)
    @cython.locals(c=i64, steps=i64, tables=i64)
    cdef tuple taken(self, rows)
