cimport cython
from replan.core cimport i64, longs

cdef extern from * nogil:
    """
    #if defined(_WIN32)
    #include <windows.h>
    #include <intrin.h>
    static inline long long replan_read_(volatile long long *p) { long long x = *p; _ReadWriteBarrier(); return x; }
    static inline void replan_add_(volatile long long *p, long long n) { _InterlockedExchangeAdd64(p, n); }
    static inline int replan_swap_(volatile long long *p, long long old, long long new_) {
        return _InterlockedCompareExchange64(p, new_, old) == old;
    }
    static inline void replan_back_off(long long tries) {
        if (tries < 500) YieldProcessor(); else if (tries < 900) SwitchToThread(); else Sleep(1);
    }
    #else
    #include <sched.h>
    #include <time.h>
    static inline long long replan_read_(long long *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
    static inline void replan_add_(long long *p, long long n) { __atomic_fetch_add(p, n, __ATOMIC_ACQ_REL); }
    static inline int replan_swap_(long long *p, long long old, long long new_) {
        return __atomic_compare_exchange_n(p, &old, new_, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    static inline void replan_back_off(long long tries) {
        if (tries < 500) {
    #if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
    #endif
        } else if (tries < 900) {
            sched_yield();
        } else {
            struct timespec t = {0, 50000};
            nanosleep(&t, NULL);
        }
    }
    #endif
    static inline long long replan_take_(long long *ticket, long long *limit) {
        for (;;) {
            long long t = replan_read_(ticket);
            if (t >= replan_read_(limit)) return -1;
            if (replan_swap_(ticket, t, t + 1)) return t;
        }
    }
    #define replan_at(numbers, i) ((long long *)(numbers).data + (i))
    #define replan_add(numbers, i, n) replan_add_(replan_at(numbers, i), n)
    #define replan_read(numbers, i) replan_read_(replan_at(numbers, i))
    #define replan_claim(numbers, i, j) replan_take_(replan_at(numbers, i), replan_at(numbers, j))
    """
    void replan_add(i64[::1] numbers, i64 which, i64 n)
    i64 replan_read(i64[::1] numbers, i64 which)
    i64 replan_claim(i64[::1] numbers, i64 ticket, i64 limit)
    void replan_back_off(i64 tries)

cdef i64 DONE_LINE, FIRST_SHARE_LINE, NEXT_CHUNK, CHUNK_END, CHUNK_OFFSET, LINE_WORDS, MAX_IDLE_TRIES

@cython.final
cdef class WorkQueue:
    cdef i64[::1] counters
    cdef i64 workers, added_count
    cdef object lock

    @cython.locals(begin=i64, end=i64, worker=i64, share=i64)
    cdef i64 add_chunks(self, i64 chunks) noexcept nogil
    @cython.locals(i=i64, share=i64, chunk=i64)
    cdef i64 claim(self, i64 worker) noexcept nogil
    @cython.locals(chunk=i64)
    cdef i64 claim_from(self, i64 share) noexcept nogil
    cdef i64 mark_done(self) noexcept nogil
    @cython.locals(tries=i64)
    cdef i64 wait(self) noexcept nogil
    cdef i64 add_atomic(self, i64 i, i64 n) noexcept nogil
    cdef i64 read_atomic(self, i64 i) noexcept nogil
    cdef i64 back_off(self, i64 tries) noexcept nogil

cdef class Job:
    cdef i64 run(self, i64 start, i64 end) except -1 nogil

@cython.final
cdef class WorkerPool:
    cdef list jobs, job_locks
    cdef WorkQueue queue
    cdef object error
    cdef i64 start, end, chunk_size

    cdef start_threads(self)
    cdef i64 run(self, i64 start, i64 stop, i64 size) except -1
    @cython.locals(job=Job)
    cdef i64 run_job(self, i64 worker, i64 tries) except -1
    @cython.locals(tried=i64, chunk=i64, start=i64)
    cdef i64 run_chunks(self, Job job, i64 worker, i64 tries) except -1 nogil
