cimport cython
from replan.core cimport i32, i64, state_t, u8
from replan.search.components cimport Components
from replan.spaces.neighbours cimport ChangedStates
from replan.spaces.change_log cimport ChangeLog
from replan.spaces.space cimport Space
from replan.worlds.observers cimport Observer
from replan.worlds.world cimport World

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_get(p) __atomic_load_n(p, __ATOMIC_RELAXED)
    #define replan_set(p, x) __atomic_store_n(p, x, __ATOMIC_RELAXED)
    #else
    #define replan_get(p) (*(volatile unsigned char *)(p))
    #define replan_set(p, x) (*(volatile unsigned char *)(p) = (x))
    #endif
    """
    u8 load_relaxed "replan_get"(u8* p)  # workers may come to the same state at the same time
    void store_relaxed "replan_set"(u8* p, u8 x)

cdef inline bint is_seen(u8[::1] seen, state_t s, i64 era) noexcept nogil:
    return load_relaxed(&seen[s]) == era

cdef inline i64 mark_seen(u8[::1] seen, state_t s, i64 era) noexcept nogil:
    store_relaxed(&seen[s], <u8>era)
    return 0

cdef i64 BLOCK_BITS, INF, MAX_EPOCH

@cython.final
cdef class SharedBelief:
    cdef Space space
    cdef World world
    cdef Components components
    cdef ChangedStates changed
    cdef i64 increase_count, decrease_count, log_position, epoch
    cdef bint is_static, records_seen, occupied_may_be_blocked
    cdef i32[::1] occupancy
    cdef i64[::1] last_increase
    cdef u8[::1] seen_epoch

    cdef bint shows_nothing_new(self, Observer observer, i64 previous_state, state_t state) except -1 nogil
    @cython.locals(i=i64, count=i64, location=i64, rejected_count=i64)
    cdef i64 sense(self, World world, i64 previous_state, state_t state) except -1 nogil
    cdef i64 sense_location(self, World world, i64 location) except -1 nogil
    @cython.locals(s=state_t)
    cdef i64 begin_epoch(self) noexcept nogil
    @cython.locals(old_value=i64, costs_increased=bint, must_log=bint, count=i64, i=i64)
    cdef i64 accept(self, i64 location, i64 value) except -1 nogil
    cdef i64 count_change(self, state_t s, bint costs_increased) except -1 nogil
    @cython.locals(i=i64, new_count=i64)
    cdef i64 observe(self, i64[::1] locations, i64[::1] values) except -1
    cdef serialize(self, archive)
    cdef i64 on_arrival(self, state_t state) except -1
    cdef subscribe(self, crowd)
    cdef bint is_synced(self) noexcept
    cdef i64 sync(self) except -1
    @cython.locals(change_log=ChangeLog)
    cdef i64 begin_change(self) except -1
    cdef i64 end_change(self) except -1
    cdef i64 unblock_occupied(self) except -1
    @cython.locals(i=i64)
    cdef i64 read_changes(self, ChangeLog change_log) except -1 nogil
