cimport cython
from replan.clock cimport now_ns
from replan.core cimport CharacterRows, LearnedTablePtr, i32, i64, learned_table_of, home_line, state_t, u16, u8
from replan.crowds.characters cimport Characters
from replan.crowds.flow_fields cimport FlowFields
from replan.crowds.pool cimport Job, WorkerPool
from replan.crowds.shared_belief cimport SharedBelief, is_seen
from replan.crowds.worker cimport Worker
from replan.planners.realtime cimport RealTimePlanner
from replan.search.reachability cimport can_reach
from replan.signals cimport check_signals
from replan.spaces.grid cimport Grid
from replan.spaces.space cimport Space
from replan.worlds.world cimport World

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_prefetch(p) __builtin_prefetch((const void *)(p))
    #define replan_add_occupants(p, n) __atomic_fetch_add(p, n, __ATOMIC_RELAXED)
    #else
    #include <intrin.h>
    #define replan_prefetch(p) ((void)0)
    #define replan_add_occupants(p, n) _InterlockedExchangeAdd((volatile long *)(p), n)
    #endif
    """
    void prefetch "replan_prefetch"(void* p)
    void add_atomic "replan_add_occupants"(i32* p, i32 n)  # safe from several threads

cdef inline i64 add_occupants(i32[::1] occupancy, state_t s, i64 n, bint is_alone) noexcept nogil:
    if is_alone:
        occupancy[s] += <i32>n
    else:
        add_atomic(&occupancy[s], <i32>n)
    return 0

# Memory that is needed a few characters later is asked for now.

cdef inline i64 prefetch_character(CharacterRows character, i64 c) noexcept nogil:
    prefetch(&character[c])
    prefetch(<char*>&character[c] + 64)
    return 0

cdef inline i64 prefetch_first_line(CharacterRows character, i64 c) noexcept nogil:
    prefetch(&character[c])
    return 0

cdef inline i64 prefetch_path(CharacterRows character, i64 c, i32[::1] label, i64 version) noexcept nogil:
    if character[c].position > 0:
        prefetch(&character[c].path[character[c].position])
    if character[c].connected_version != version:
        prefetch(&label[character[c].state])
        prefetch(&label[character[c].goal])
    return 0

cdef inline i64 prefetch_search(CharacterRows character, i64 c, i64 width, u8[::1] exits) noexcept nogil:
    cdef i64 s = character[c].state, r = -width
    cdef LearnedTablePtr learned = learned_table_of(character, c)
    prefetch(character[c].step_costs)
    while r <= width and width > 0:
        prefetch(&exits[s + r])
        if learned.count > 0:
            prefetch_h(learned, s + r - 1)
            prefetch_h(learned, s + r + 1)
        r += width
    return 0

cdef inline i64 prefetch_h(LearnedTablePtr learned, state_t s) noexcept nogil:
    prefetch(learned.lines + 16 * home_line(s, learned.capacity >> 3))
    return 0

cdef inline i64 prefetch_next(CharacterRows character, i64 c) noexcept nogil:
    if character[c].position > 0:
        prefetch(&character[c].path[character[c].position - 1])
    return 0

cdef inline i64 prefetch_step(CharacterRows character, i64 c, i32[::1] occupancy, u8[::1] seen) noexcept nogil:
    cdef state_t s
    if character[c].position > 0:
        s = character[c].path[character[c].position - 1]
        prefetch(&occupancy[character[c].state])
        prefetch(&occupancy[s])
        if s < seen.shape[0]:
            prefetch(&seen[s])
    return 0

cdef inline i64 prefetch_view(
    CharacterRows character, i64 c, u8[::1] seen, i64 era, u16[::1] truth, u16[::1] believed, i64 width
) noexcept nogil:
    cdef state_t s, r = -width
    if character[c].position > 0 and width > 0:
        s = character[c].path[character[c].position - 1]
        while r <= width and not is_seen(seen, s, era):
            prefetch(&truth[s + r])
            prefetch(&believed[s + r])
            r += width
    return 0

cdef i64 BLOCK_BITS, INF, UNREACHABLE, WAITING
cdef i64 GATHER, PLAN, MOVE, PLAN_CHUNK_SIZE, CHUNK_SIZE, SINGLE_WORKER_LIMIT, MAY_MOVE, DUE, DUE_BEFORE, STAYED, UNDECIDED, PREFETCH_DISTANCE, EXPANSIONS_PER_LABEL, MAX_EXPANSIONS_COUNTED

@cython.final
cdef class Tick:
    cdef SharedBelief belief
    cdef Characters characters
    cdef FlowFields fields
    cdef list workers
    cdef Worker first_worker
    cdef WorkerPool pool
    cdef bint collisions, any_due_before, is_unbounded
    cdef i64 tick_number, phase, due_count, mover_count, moved_count, expansions, waiting_count, longest_wait_ticks
    cdef i64 episode_limit, deadline, episode_ns, clock_interval, step_ns_x16, move_ns
    cdef i64 location_size, width
    cdef i32[::1] rows
    cdef i32[::1] due
    cdef i32[::1] mover
    cdef i32[::1] moved
    cdef i32[::1] moved_to
    cdef u8[::1] codes
    cdef i64[::1] ids
    cdef i64[::1] locations
    cdef u8[::1] exits
    cdef u16[::1] truth
    cdef u16[::1] believed

    @cython.locals(grid=Grid, true_grid=Grid)
    cdef set_grid(self, space)
    cdef start_pool(self, i64 count, WorkerPool pool)
    cdef stop_pool(self)
    cdef i64 run_phase(self, i64 phase, i64 start, i64 end) except -1 nogil
    cdef i64 run_chunk(self, Worker worker, i64 start, i64 end) except -1 nogil
    @cython.locals(i=i64, count=i64, due_before=i64)
    cdef i64 gather(self, i32[::1] rows) except -1
    @cython.locals(character=CharacterRows, i=i64)
    cdef i64 gather_chunk(self, Worker worker, i64 start, i64 end) except -1 nogil
    @cython.locals(character=CharacterRows)
    cdef i64 gather_character(self, i64 c, Worker worker) except -1 nogil
    @cython.locals(character=CharacterRows, goal=state_t)
    cdef bint must_wait_beside_goal(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows)
    cdef bint is_unreachable(self, i64 c) except -1 nogil
    @cython.locals(character=CharacterRows, space=Space)
    cdef bint search_finds_no_path(self, i64 c) except -1
    @cython.locals(
        planner=RealTimePlanner, worker=Worker, max_episode_expansions=i64, start=i64, end=i64, expansions_left=i64, entered=i64, is_complete=bint
    )
    cdef i64 plan(self, i64 expansions, i64 deadline) except -1
    cdef sort_by_wait(self)
    cdef set_clock(self, i64 deadline, i64 episode_ns, i64 max_episode_expansions)
    @cython.locals(character=CharacterRows, is_clock_read=bint, spent=i64, i=i64, c=i64)
    cdef i64 plan_chunk(self, Worker worker, i64 start, i64 end) except -1 nogil
    @cython.locals(end=i64)
    cdef i64 episode_deadline(self) noexcept nogil
    @cython.locals(worker=Worker, total=i64)
    cdef i64 expansions_used(self)
    @cython.locals(i=i64, start=i64)
    cdef i64 move(self, i64[::1] ids, i64[::1] locations) except -1
    @cython.locals(character=CharacterRows, i=i64, c=i64)
    cdef i64 mark_waiting(self) noexcept nogil
    @cython.locals(character=CharacterRows, ahead=i64, i=i64, c=i64, s=state_t)
    cdef i64 move_chunk(self, Worker worker, i64 start, i64 end) except -1 nogil
    cdef inline void prefetch_next_view(self, SharedBelief belief, i64 c) noexcept nogil
    @cython.locals(i=i64, j=i64, k=i64, c=i64, location_size=i64)
    cdef i64 move_in_order(self) except -1 nogil
    @cython.locals(character=CharacterRows, state=state_t, position=i64, known_increases=i64, s=state_t)
    cdef i64 try_step(self, i64 c) except? -1 nogil
    @cython.locals(character=CharacterRows, is_alone=bint, s=state_t)
    cdef inline i64 step(self, i64 c) noexcept nogil
    @cython.locals(character=CharacterRows)
    cdef inline i64 write_move(self, i64 i, i64 c) noexcept nogil
    @cython.locals(start=i64)
    cdef i64 advance_and_sense(self) except -1
    @cython.locals(character=CharacterRows, c=i64, i=i64)
    cdef i64 advance_world(self, World world) except -1 nogil

cdef class TickJob(Job):
    cdef Tick tick
    cdef Worker worker
    cdef i64 run(self, i64 start, i64 end) except -1 nogil
