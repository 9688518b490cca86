cimport cython
from replan.core cimport (
    Characters, Ints, Longs, characters, free_ints, free_longs, i64, learned_of, new_ints, new_longs
)
from replan.search.learned cimport forget, resize

cdef i64 INF, PARTIAL, WORDS

@cython.final
cdef class People:
    cdef i64[::1] table
    cdef Characters person
    cdef i64 used, room
    cdef list spare

    cdef make_room(self, i64 room)
    @cython.locals(person=Characters, c=i64)
    cdef i64 enter(self, i64 at, i64 goal, i64 number, i64 tie) except -1
    cdef leave(self, i64 c)
    cdef i64 free(self, i64 c) except -1 nogil
    @cython.locals(person=Characters, room=i64, path=Ints, toll=Longs)
    cdef i64 lay_path(self, i64 c, i64 steps) except -1 nogil
    @cython.locals(c=i64, total=i64)
    cdef column(self, str name, rows)
    cdef i64 learned(self, rows)
    @cython.locals(c=i64, steps=i64, places=i64)
    cdef tuple taken(self, rows)
