from replan.core cimport i64

cdef extern from * nogil:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static long long replan_steady_ns(void) {
        LARGE_INTEGER t, f;
        QueryPerformanceCounter(&t);
        QueryPerformanceFrequency(&f);
        return (long long)(t.QuadPart / f.QuadPart * 1000000000LL + t.QuadPart % f.QuadPart * 1000000000LL / f.QuadPart);
    }
    #else
    #include <time.h>
    static long long replan_steady_ns(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
    }
    #endif
    """
    i64 replan_steady_ns()

cpdef i64 now_ns() noexcept nogil
cpdef i64 deadline_in(i64 ns) noexcept nogil
