cimport cython
from replan.core cimport Ints, Longs, Nodes, cost_t, i32, i64, ints, ints_from, longs, state_t
from replan.search.astar cimport Search
from replan.spaces.space cimport Space

cdef i64 INF

@cython.final
cdef class PlannedPath:
    cdef i32[::1] states
    cdef cost_t[::1] step_costs
    cdef i32[::1] index
    cdef readonly i64 length, position, end
    cdef readonly bint is_valid
    cdef i64 capacity, index_size, first_indexed

    @cython.locals(states=i32[::1], step_costs=cost_t[::1], index=i32[::1])
    cdef i64 reserve(self, i64 capacity, i64 indexed) except -1
    cdef prefault(self)
    cdef i64 clear(self) noexcept nogil
    cdef i64 set_step(self, state_t state, state_t next_state, cost_t cost) noexcept nogil
    cdef i64 set_last_state(self, state_t last) noexcept nogil
    cdef i64 prepend(self, state_t s, cost_t cost) noexcept nogil
    cdef i64 set_state(self, i64 i, state_t s, cost_t cost) noexcept nogil
    @cython.locals(states=list, i=i64, cost=cost_t)
    cdef i64 set_path(self, Space space, list later_states, state_t first_state) except -1
    @cython.locals(node=Nodes, states=Ints, step_costs=Longs, index=Ints, v=state_t, g=cost_t, i=i64)
    cdef i64 extract(self, Space space, Search search, state_t best, state_t agent_state, i64 position) except -1 nogil
    @cython.locals(node=Nodes, v=state_t, u=state_t, i=i64)
    cdef i64 extract_backward(self, Space space, Search search, state_t agent_state) except -1 nogil
    cdef i64 follow(self, i64 max_steps) noexcept nogil
    cdef state_t next_state(self) noexcept nogil
    cdef cost_t next_cost(self) noexcept nogil
    cdef bint advance(self, state_t s) noexcept nogil
    cdef bint can_follow_from(self, state_t s) noexcept nogil
    @cython.locals(i=i64)
    cdef i64 position_of(self, state_t s) noexcept nogil
    @cython.locals(i=i64)
    cdef bint shorten_to(self, state_t s) noexcept nogil
    cdef state_t end_state(self) noexcept nogil
    cdef bint step_rose(self, Space space, i64 i) except -1 nogil
    @cython.locals(i=i64)
    cdef bint step_out_rose(self, Space space, state_t u) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 check_step(self, Space space, state_t u) except -1 nogil
    @cython.locals(i=i64)
    cdef i64 check_rest(self, Space space) except -1 nogil
    cdef list later_states(self)
    cdef list keys(self, Space space)
    cdef double cost(self, Space space) except -1
    cdef serialize(self, archive, i64 n)
