# The C types of the core, and the operations of its inner loops that need C. `interpreted.py` defines the same names
# for the same modules when they run interpreted.
# Costs have 64 bits: 4096 x 4096 cells times 577 cost units do not fit 32 bits.
from libc.stdint cimport int8_t as i8, int16_t as i16, int32_t as i32, int64_t as i64, intptr_t, uint8_t as u8, uint16_t as u16, uint64_t as u64
from replan.faults cimport must_fail

ctypedef i64 state_t  # number of a state; arrays of states have 32 bits for each
ctypedef i64 cost_t  # a cost, g, h, f or rhs, in cost units

# The values of a state in a search, with the names of the papers.
cdef struct Node:  # A*: see search/astar.py
    cost_t g
    cost_t h
    i64 stamp
    state_t parent

cdef struct Vertex:  # D* Lite and related algorithms: see search/incremental.py
    cost_t g
    cost_t rhs
    i64 stamp
    state_t next

# Structs with the addresses of arrays: see `allocate_lines` below.
cdef struct LearnedTable:  # h-values that one character of a crowd has learned: see search/learned_table.py
    i32* lines
    i32 capacity
    i32 count
    i32 wide

cdef struct Character:  # see crowds/characters.py. Two cache lines; the first has all that a step needs
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

# Pointers for the innermost loops, where `self.array[i]` would load the address of the array each time.
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

# For a search in a small part of the map: the array begins with the numbers of the state `first`.
cdef inline i32* ints_from(i32[::1] a, i64 first) noexcept nogil:
    return <i32*>(<intptr_t>&a[0] - first * <i64>sizeof(i32))

cdef inline Node* nodes_from(i64[::1] table, i64 first) noexcept nogil:
    return <Node*>(<intptr_t>&table[0] - first * <i64>sizeof(Node))

cdef inline Vertex* vertices(i64[::1] table) noexcept nogil:
    return <Vertex*>&table[0]

cdef inline Character* character_rows(i64[::1] table) noexcept nogil:
    return <Character*>&table[0]

cdef inline LearnedTable* learned_table_of(Character* characters, i64 c) noexcept nogil:
    return &characters[c].learned

cdef extern from * nogil:
    """
    #include <stdlib.h>
    #if defined(_WIN32)
    #include <malloc.h>
    #define replan_allocate_bytes(size) _aligned_malloc(size, 64)
    #define replan_free_bytes(memory) _aligned_free(memory)
    #else
    static inline void *replan_allocate_bytes(size_t size) {
        void *memory = NULL;
        return posix_memalign(&memory, 64, size) == 0 ? memory : NULL;
    }
    #define replan_free_bytes(memory) free(memory)
    #endif
    """
    void* allocate_bytes "replan_allocate_bytes"(size_t size)
    void free_bytes "replan_free_bytes"(void* memory)

cdef inline i32* allocate_lines(i64 n) except? NULL nogil:
    # Allocate memory for n numbers at the beginning of a cache line; `free_lines` frees it.
    cdef void* memory = NULL
    if n > 0:
        memory = NULL if must_fail() else allocate_bytes(n * sizeof(i32))
        if memory == NULL:
            with gil:
                raise MemoryError(f"there is no memory for {n * sizeof(i32):,} bytes more")
    return <i32*>memory

cdef inline i64* longs_in(i32* lines) noexcept nogil:
    return <i64*>lines

cdef inline i32* ints_after(i64* longs, i64 n) noexcept nogil:
    return <i32*>(longs + n)

cdef inline i64 home_line(i64 s, i64 lines) noexcept nogil:
    # Return the line of a state in a hash table: multiplicative hashing; four consecutive states share a line.
    return (((s >> 2) * 1640531527) & 0x7FFFFFFF) * lines >> 31

cdef inline i64 read_value(i32* lines, i64 i, i64 k, bint wide) noexcept nogil:
    # Return the value of slot k in the line that begins at lines[i]: see search/learned_table.py.
    return (<i64*>(lines + i + SLOTS_PER_LINE))[k] if wide else (lines + i + SLOTS_PER_LINE)[k]

cdef inline i64 write_value(i32* lines, i64 i, i64 k, bint wide, i64 value) noexcept nogil:
    if wide:
        (<i64*>(lines + i + SLOTS_PER_LINE))[k] = value
    else:
        (lines + i + SLOTS_PER_LINE)[k] = <i32>value
    return 0

cdef inline i64 free_lines(i32* lines) noexcept nogil:
    free_bytes(lines)
    return 0

cdef inline i64 select_branchless(bint condition, i64 a, i64 b) noexcept nogil:
    # Return a if condition else b, without a branch: an unpredictable branch costs more than computing both.
    return b ^ ((a ^ b) & <i64>(-<int>condition))  # GCC compiles this form to a conditional move

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_prefetch_node(a, i) __builtin_prefetch((const char *)(a) + 32 * (i), 1)
    #define replan_prefetch_i64(a, i) __builtin_prefetch((const char *)(a) + 8 * (i), 1)
    #else
    #define replan_prefetch_node(a, i) ((void)0)
    #define replan_prefetch_i64(a, i) ((void)0)
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
    static inline unsigned long long replan_gather_bits(const unsigned char *a, long long i, int bit, long long n) {
        unsigned long long x = 0, one = 1;
        long long k;
        if (n == 8 && *(const unsigned char *)&one == 1) {  /* little-endian */
            memcpy(&x, a + i, 8);
            return (((x >> bit) & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56;
        }
        for (k = 0; k < n; k++) x |= (unsigned long long)((a[i + k] >> bit) & 1) << k;
        return x;
    }
    static inline long long replan_count_bits(unsigned long long x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (long long)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
    }
    """
    void prefetch_node "replan_prefetch_node"(void* node, i64 i)  # prefetch nodes[i], which will soon be written
    void prefetch_i64 "replan_prefetch_i64"(i64* numbers, i64 i)  # prefetch numbers[i]
    i64 lowest_bit "replan_lowest_bit"(u64 x)  # position of the lowest bit of a number that is not 0
    u64 gather_bits "replan_gather_bits"(u8* a, i64 i, int bit, i64 n)  # one bit of each of n <= 8 bytes from a[i] on
    i64 count_bits "replan_count_bits"(u64 x)

# Constants of `limits.py` and `queues/base.py` for inner loops, known to the C compiler.
cdef extern from * nogil:
    i64 INF "0x4000000000000000LL"
    i64 QUEUED "1LL"
    i64 ON_PATH "2LL"
    i64 BATCH "16LL"
    i64 EMPTY "-1LL"
    i64 GOAL "-2LL"
    i64 SLOTS_PER_LINE "8LL"  # states in a line of a LearnedTable
    i64 NARROW_LINE_WORDS "16LL"  # 32-bit numbers in a line with values of 32 bits
    i64 WIDE_LINE_WORDS "24LL"  # 32-bit numbers in a line with values of 64 bits
