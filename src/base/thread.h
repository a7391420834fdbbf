// thread.h -- a mutex, and values that several threads read while one of them may write.
//
// What is published with astar_put, all that was written before included, is seen whole by who
// reads it with astar_get: on most processors both are plain moves. With ASTAR_NO_THREADS there is
// neither lock nor atomic.

#ifndef ASTAR_THREAD_H
#define ASTAR_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef ASTAR_NO_THREADS

#define ASTAR_ATOMIC(type) type
#define astar_get(place) (*(place))
#define astar_put(place, value) ((void)(*(place) = (value)))
#define astar_count_up(count) ((void)++*(count))
#define astar_count_down(count) (--*(count) == 0)

typedef struct AstarMutex {
    char none;
} AstarMutex;

#define ASTAR_MUTEX_INIT                                                                           \
    {                                                                                              \
        0                                                                                          \
    }

#define astar_mutex_init(mutex) ((void)(mutex))
#define astar_mutex_destroy(mutex) ((void)(mutex))
#define astar_mutex_lock(mutex) ((void)(mutex))
#define astar_mutex_unlock(mutex) ((void)(mutex))

#else

#include <stdatomic.h>

#define ASTAR_ATOMIC(type) _Atomic(type)
#define astar_get(place) atomic_load_explicit((place), memory_order_acquire)
#define astar_put(place, value) atomic_store_explicit((place), (value), memory_order_release)
// References: the last to count down, for whom it is true, sees what all others did before.
#define astar_count_up(count) ((void)atomic_fetch_add_explicit((count), 1, memory_order_relaxed))
#define astar_count_down(count) (atomic_fetch_sub_explicit((count), 1, memory_order_acq_rel) == 1)

// One order of all of these that every thread sees: who marks a place and then looks, and who
// changes what is looked at and then counts marks, cannot both miss the other.
#define astar_get_in_order(place) atomic_load_explicit((place), memory_order_seq_cst)
#define astar_put_in_order(place, value)                                                           \
    atomic_store_explicit((place), (value), memory_order_seq_cst)
#define astar_mark(count) ((void)atomic_fetch_add_explicit((count), 1, memory_order_seq_cst))
#define astar_unmark(count) ((void)atomic_fetch_sub_explicit((count), 1, memory_order_release))
// Counts up, and returns what it was.
#define astar_draw(count) atomic_fetch_add_explicit((count), 1, memory_order_relaxed)

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef near // words of 16-bit pointers, and ours
#undef far
#undef NEAR
#undef FAR

typedef SRWLOCK AstarMutex;

#define ASTAR_MUTEX_INIT SRWLOCK_INIT

#define astar_mutex_init(mutex) InitializeSRWLock(mutex)
#define astar_mutex_destroy(mutex) ((void)(mutex))
#define astar_mutex_lock(mutex) AcquireSRWLockExclusive(mutex)
#define astar_mutex_unlock(mutex) ReleaseSRWLockExclusive(mutex)

#else

#include <pthread.h>

typedef pthread_mutex_t AstarMutex;

#define ASTAR_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

// These fail for want of nothing that a plain mutex needs.
#define astar_mutex_init(mutex) ((void)pthread_mutex_init((mutex), NULL))
#define astar_mutex_destroy(mutex) ((void)pthread_mutex_destroy(mutex))
#define astar_mutex_lock(mutex) ((void)pthread_mutex_lock(mutex))
#define astar_mutex_unlock(mutex) ((void)pthread_mutex_unlock(mutex))

#endif
#endif
#endif
