# The C types of the core, and the few things that its inner loops do in C. `interpreted.py` has the same names for
# the same files when they run interpreted.
# Costs are 64 bits wide: 4096 x 4096 cells times 577 ticks do not fit 32.
from libc.stdint cimport int8_t as i8, int16_t as i16, int32_t as i32, int64_t as i64, intptr_t, uint8_t as u8, uint16_t as u16, uint64_t as u64
from replan.faults cimport must_fail

ctypedef i64 state_t  # the number of a state; arrays of states keep 32 bits of it
ctypedef i64 cost_t  # a cost, g, h, f or rhs, in cost units

# What a search knows of a state; the papers' names.
cdef struct Node:  # of A*: see search/astar.py
    cost_t g
    cost_t h
    i64 stamp
    state_t parent

cdef struct Vertex:  # of D* Lite and its kin: see search/incremental.py
    cost_t g
    cost_t rhs
    i64 stamp
    state_t next

# Structs that hold the addresses of arrays with a length of their own: see `new_lines` below.
cdef struct LearnedTable:  # what one character of a crowd has learned: see search/learned.py
    i32* lines
    i32 capacity
    i32 count
    i32 wide

cdef struct Character:  # of a crowd: see crowds/characters.py. Two lines of memory; the first is what a step needs
    i32 state
    i32 goal
    i32 position
    i32 id
    i64* step_costs
    i32* path
    LearnedTable learned
    i64 known_increases
    i64 known_decreases
    i64 h_offset
    i64 rng_state
    i64 smallest_estimate
    i64 due_since
    i32 expansions_since_check
    i32 path_capacity
    i32 failed_from
    i32 detours
    i32 connected_version
    i16 random_moves_left
    i8 status
    i8 planner_flags

# Pointers for the innermost loops, where `self.array[i]` would load the array's address again and again.
ctypedef i64* Longs
ctypedef i32* Ints
ctypedef u8* Octets
ctypedef Node* Nodes
ctypedef Vertex* Vertices
ctypedef LearnedTable* LearnedTablePtr
ctypedef Character* CharacterRows

cdef inline i64* longs(i64[::1] a) noexcept nogil:
    return &a[0]

cdef inline i32* ints(i32[::1] a) noexcept nogil:
    return &a[0]

cdef inline u8* octets(u8[::1] a) noexcept nogil:
    return &a[0]

cdef inline Node* nodes(i64[::1] table) noexcept nogil:
    return <Node*>&table[0]

# The same for a search that stays near where it begins: the numbers of the state `first` stand at the beginning.
cdef inline i32* ints_from(i32[::1] a, i64 first) noexcept nogil:
    return <i32*>(<intptr_t>&a[0] - first * <i64>sizeof(i32))

cdef inline Node* nodes_from(i64[::1] table, i64 first) noexcept nogil:
    return <Node*>(<intptr_t>&table[0] - first * <i64>sizeof(Node))

cdef inline Vertex* vertices(i64[::1] table) noexcept nogil:
    return <Vertex*>&table[0]

cdef inline Character* character_rows(i64[::1] table) noexcept nogil:
    return <Character*>&table[0]

cdef inline LearnedTable* learned_table_of(Character* all, i64 c) noexcept nogil:
    return &all[c].learned

cdef extern from * nogil:
    """
    #include <stdlib.h>
    #if defined(_WIN32)
    #include <malloc.h>
    #define replan_take_lines(size) _aligned_malloc(size, 64)
    #define replan_give_lines(old) _aligned_free(old)
    #else
    static inline void *replan_take_lines(size_t size) {
        void *new = NULL;
        return posix_memalign(&new, 64, size) == 0 ? new : NULL;
    }
    #define replan_give_lines(old) free(old)
    #endif
    """
    void* allocate_bytes "replan_take_lines"(size_t size)
    void free_bytes "replan_give_lines"(void* old)

cdef inline i32* allocate_lines(i64 n) except? NULL nogil:
    # room for n numbers, from the beginning of a line of memory on, which nobody but `free_lines` takes back
    cdef void* new = NULL
    if n > 0:
        new = NULL if must_fail() else allocate_bytes(n * sizeof(i32))
        if new == NULL:
            with gil:
                raise MemoryError(f"there is no memory for {n * sizeof(i32):,} bytes more")
    return <i32*>new

cdef inline i64* longs_in(i32* lines) noexcept nogil:
    return <i64*>lines

cdef inline i32* ints_after(i64* longs, i64 n) noexcept nogil:
    return <i32*>(longs + n)

cdef inline i64 home_line(i64 s, i64 lines) noexcept nogil:
    # the line that a state falls on, by the golden ratio; the same for four that lie side by side
    return (((s >> 2) * 1640531527) & 0x7FFFFFFF) * lines >> 31

cdef inline i64 read_value(i32* lines, i64 i, i64 k, bint wide) noexcept nogil:
    # of the state at place k of the line that begins at lines[i]: see search/learned.py
    return (<i64*>(lines + i + SLOTS_PER_LINE))[k] if wide else (lines + i + SLOTS_PER_LINE)[k]

cdef inline i64 write_value(i32* lines, i64 i, i64 k, bint wide, i64 kept) noexcept nogil:
    if wide:
        (<i64*>(lines + i + SLOTS_PER_LINE))[k] = kept
    else:
        (lines + i + SLOTS_PER_LINE)[k] = <i32>kept
    return 0

cdef inline i64 free_lines(i32* old) noexcept nogil:
    free_bytes(old)
    return 0

cdef inline i64 select_branchless(bint yes, i64 a, i64 b) noexcept nogil:
    # a if yes, else b, without a branch: where nobody can foretell `yes`, a branch costs more than both
    return b ^ ((a ^ b) & <i64>(-<int>yes))  # in this form GCC makes a conditional move of it

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_fetch(a, i) __builtin_prefetch((const char *)(a) + 32 * (i), 1)
    #define replan_expect_long(a, i) __builtin_prefetch((const char *)(a) + 8 * (i), 1)
    #else
    #define replan_fetch(a, i) ((void)0)
    #define replan_expect_long(a, i) ((void)0)
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    static long long replan_lowest_bit(unsigned long long x) {
        unsigned long i; _BitScanForward64(&i, x); return (long long)i;
    }
    #else
    #define replan_lowest_bit(x) ((long long)__builtin_ctzll(x))
    #endif
    #include <string.h>
    static inline unsigned long long replan_gather(const unsigned char *a, long long i, int bit, long long room) {
        unsigned long long x = 0, one = 1;
        long long k;
        if (room == 8 && *(const unsigned char *)&one == 1) {
            memcpy(&x, a + i, 8);
            return (((x >> bit) & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56;
        }
        for (k = 0; k < room; k++) x |= (unsigned long long)((a[i + k] >> bit) & 1) << k;
        return x;
    }
    static inline long long replan_count_bits(unsigned long long x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (long long)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
    }
    """
    void prefetch_node "replan_fetch"(void* node, i64 i)  # ask for the memory of a state that will soon be written
    void prefetch_i64 "replan_expect_long"(i64* numbers, i64 i)  # the same for one of many numbers
    i64 lowest_bit "replan_lowest_bit"(u64 x)  # the position of the lowest bit of a number that is not 0
    u64 gather_bits "replan_gather"(u8* a, i64 i, int bit, i64 room)  # one bit of each of `room` bytes from a[i] on, at most 8
    i64 count_bits "replan_count_bits"(u64 x)

# Constants that inner loops compare with: of `limits.py` and `queues/base.py`, but known when C is compiled.
cdef extern from * nogil:
    i64 INF "0x4000000000000000LL"
    i64 QUEUED "1LL"
    i64 ON_PATH "2LL"
    i64 BATCH "16LL"
    i64 EMPTY "-1LL"
    i64 GOAL "-2LL"
    i64 SLOTS_PER_LINE "8LL"  # states in a line of what a character has learned, and the numbers of 32 bits that it takes
    i64 NARROW_LINE_WORDS "16LL"
    i64 WIDE_LINE_WORDS "24LL"
