# The C types of the core, and the few things that its inner loops do in C. `interpreted.py` has the same names for
# the same files when they run interpreted.
# Costs are 64 bits wide: 4096 x 4096 cells times 577 ticks do not fit 32.
from libc.stdint cimport int32_t as i32, int64_t as i64, uint8_t as u8, uint16_t as u16, uint64_t as u64

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

# Pointers for the innermost loops, where `self.array[i]` would load the array's address again and again.
ctypedef i64* Longs
ctypedef i32* Ints
ctypedef u8* Octets
ctypedef Node* Nodes
ctypedef Vertex* Vertices

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
    """
    void fetch "replan_fetch"(void* node, i64 i)  # ask for the memory of a state that will soon be written
    i64 lowest_bit "replan_lowest_bit"(u64 x)  # the position of the lowest bit of a number that is not 0

# Constants that inner loops compare with: of `limits.py` and `queues/base.py`, but known when C is compiled.
cdef extern from * nogil:
    i64 INF "0x4000000000000000LL"
    i64 QUEUED "1LL"
    i64 ON_TRAIL "2LL"
    i64 BATCH "16LL"
