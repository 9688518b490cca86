# The C types of the core, and the few things that its inner loops do in C. `interpreted.py` has the same names for
# the same files when they run interpreted.
# Costs are 64 bits wide: 4096 x 4096 cells times 577 ticks do not fit 32.
from libc.stdint cimport int32_t as i32, int64_t as i64, uint8_t as u8, uint16_t as u16, uint64_t as u64
from libc.stdlib cimport free, malloc

# What a search knows of a state; the papers' names.
cdef struct Node:  # of A*: see search/astar.py
    i64 g
    i64 h
    i64 stamp
    i64 parent

cdef struct Vertex:  # of D* Lite and its kin: see search/incremental.py
    i64 g
    i64 rhs
    i64 stamp
    i64 next

# Structs that hold the addresses of arrays with a length of their own: see `new_ints` below.
cdef struct Learned:  # what one character of a crowd has learned: see search/learned.py
    i32* key
    i64* value
    i64 room
    i64 count

cdef struct Character:  # of a crowd: see crowds/people.py
    i64 at
    i64 goal
    i64 answer
    i64 spot
    i64 drop
    i64 rises
    i64 falls
    i64 due
    i64 shut
    i64 mood
    i64 tie
    i64 work
    i64 number
    i64 held
    i64 wander
    i64 nearest
    i64 room
    i32* path
    i64* toll
    Learned learned

# Pointers for the innermost loops, where `self.array[i]` would load the array's address again and again.
ctypedef i64* Longs
ctypedef i32* Ints
ctypedef u8* Octets
ctypedef Node* Nodes
ctypedef Vertex* Vertices
ctypedef Learned* LearnedH
ctypedef Character* Characters

cdef inline i64* longs(i64[::1] a) noexcept nogil:
    return &a[0]

cdef inline i32* ints(i32[::1] a) noexcept nogil:
    return &a[0]

cdef inline u8* octets(u8[::1] a) noexcept nogil:
    return &a[0]

cdef inline Node* nodes(i64[::1] table) noexcept nogil:
    return <Node*>&table[0]

cdef inline Vertex* vertices(i64[::1] table) noexcept nogil:
    return <Vertex*>&table[0]

cdef inline Character* characters(i64[::1] table) noexcept nogil:
    return <Character*>&table[0]

cdef inline Learned* learned_of(Character* all, i64 c) noexcept nogil:
    return &all[c].learned

cdef inline void* _some(size_t size) except? NULL nogil:
    cdef void* new
    if size == 0:
        return NULL
    new = malloc(size)
    if new == NULL:
        with gil:
            raise MemoryError(f"there is no memory for {size:,} bytes more")
    return new

cdef inline i32* new_ints(i64 n) except? NULL nogil:
    # room for n numbers, which nobody but `free_ints` takes back
    return <i32*>_some(n * sizeof(i32))

cdef inline i64* new_longs(i64 n) except? NULL nogil:
    return <i64*>_some(n * sizeof(i64))

cdef inline i64 free_ints(i32* old) noexcept nogil:
    free(old)
    return 0

cdef inline i64 free_longs(i64* old) noexcept nogil:
    free(old)
    return 0

cdef inline i64 choose(bint yes, i64 a, i64 b) noexcept nogil:
    # a if yes, else b, without a branch: where nobody can foretell `yes`, a branch costs more than both
    return b ^ ((a ^ b) & -<i64>yes)

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define replan_fetch(a, i) __builtin_prefetch((const char *)(a) + 32 * (i), 1)
    #else
    #define replan_fetch(a, i) ((void)0)
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    static long long replan_lowest_bit(unsigned long long x) {
        unsigned long i; _BitScanForward64(&i, x); return (long long)i;
    }
    #else
    #define replan_lowest_bit(x) ((long long)__builtin_ctzll(x))
    #endif
    #if defined(_MSC_VER)
    #define replan_draw(a) ((long long)_InterlockedExchangeAdd64((volatile __int64 *)(a), 1))
    #else
    #define replan_draw(a) ((long long)__atomic_fetch_add((long long *)(a), 1, __ATOMIC_RELAXED))
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
    void fetch "replan_fetch"(void* node, i64 i)  # ask for the memory of a state that will soon be written
    i64 lowest_bit "replan_lowest_bit"(u64 x)  # the position of the lowest bit of a number that is not 0
    u64 gather "replan_gather"(u8* a, i64 i, int bit, i64 room)  # one bit of each of `room` bytes from a[i] on, at most 8
    i64 count_bits "replan_count_bits"(u64 x)
    i64 draw "replan_draw"(i64* a)  # a[0], which is one more from now on: no two threads draw the same number

# Constants that inner loops compare with: of `limits.py` and `queues/base.py`, but known when C is compiled.
cdef extern from * nogil:
    i64 INF "0x4000000000000000LL"
    i64 QUEUED "1LL"
    i64 ON_TRAIL "2LL"
    i64 BATCH "16LL"
