// thread.h -- Threads, mutexes, conditions, and values that several threads read while one of them
// may write.
//
// astar_put publishes a value together with everything that the thread has written before. A thread
// that reads the value by astar_get sees all these writes. On most processors both operations are
// plain moves. With ASTAR_NO_THREADS there are neither locks nor atomics, and no thread can be
// started.

#ifndef ASTAR_THREAD_H
#define ASTAR_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef ASTAR_NO_THREADS

#define ASTAR_HAS_THREADS false
#define ASTAR_ATOMIC(type) type
#define astar_get(place) (*(place))
#define astar_put(place, value) ((void)(*(place) = (value)))
#define astar_count_up(count) ((void)++*(count))
#define astar_count_down(count) (--*(count) == 0)
#define astar_get_in_order(place) astar_get(place)
#define astar_put_in_order(place, value) astar_put((place), (value))
#define astar_mark(count) astar_count_up(count)
#define astar_unmark(count) ((void)--*(count))
#define astar_draw(count) ((*(count))++)

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

typedef struct AstarCondition {
    char none;
} AstarCondition;

#define astar_condition_init(condition) ((void)(condition))
#define astar_condition_destroy(condition) ((void)(condition))
#define astar_condition_wait(condition, mutex) ((void)(condition), (void)(mutex))
#define astar_condition_wake(condition) ((void)(condition))
#define astar_condition_wake_all(condition) ((void)(condition))

typedef char AstarThreadHandle;

#else

#include <stdatomic.h>

#define ASTAR_HAS_THREADS true
#define ASTAR_ATOMIC(type) _Atomic(type)
#define astar_get(place) atomic_load_explicit((place), memory_order_acquire)
#define astar_put(place, value) atomic_store_explicit((place), (value), memory_order_release)

// Reference counts. astar_count_down returns true to the thread that decrements the count to 0.
// This thread sees all writes that other threads made before they decremented the count.
#define astar_count_up(count) ((void)atomic_fetch_add_explicit((count), 1, memory_order_relaxed))
#define astar_count_down(count) (atomic_fetch_sub_explicit((count), 1, memory_order_acq_rel) == 1)

// Operations on atomic variables that all threads see in the same order. Suppose that one thread
// sets a mark and then reads a value, while another thread changes the value and then counts the
// marks. In this case at least one of the two threads sees the other thread's change.
#define astar_get_in_order(place) atomic_load_explicit((place), memory_order_seq_cst)
#define astar_put_in_order(place, value)                                                           \
    atomic_store_explicit((place), (value), memory_order_seq_cst)
#define astar_mark(count) ((void)atomic_fetch_add_explicit((count), 1, memory_order_seq_cst))
#define astar_unmark(count) ((void)atomic_fetch_sub_explicit((count), 1, memory_order_release))
// Increments a counter and returns the value that the counter had before.
#define astar_draw(count) atomic_fetch_add_explicit((count), 1, memory_order_relaxed)

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef near // windows.h defines 'near' and 'far' as macros
#undef far
#undef NEAR
#undef FAR

typedef SRWLOCK AstarMutex;

#define ASTAR_MUTEX_INIT SRWLOCK_INIT

#define astar_mutex_init(mutex) InitializeSRWLock(mutex)
#define astar_mutex_destroy(mutex) ((void)(mutex))
#define astar_mutex_lock(mutex) AcquireSRWLockExclusive(mutex)
#define astar_mutex_unlock(mutex) ReleaseSRWLockExclusive(mutex)

typedef CONDITION_VARIABLE AstarCondition;

#define astar_condition_init(condition) InitializeConditionVariable(condition)
#define astar_condition_destroy(condition) ((void)(condition))
#define astar_condition_wait(condition, mutex)                                                     \
    ((void)SleepConditionVariableSRW((condition), (mutex), INFINITE, 0))
#define astar_condition_wake(condition) WakeConditionVariable(condition)
#define astar_condition_wake_all(condition) WakeAllConditionVariable(condition)

typedef HANDLE AstarThreadHandle;

#else

#include <pthread.h>

typedef pthread_mutex_t AstarMutex;

#define ASTAR_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

// Initialising, destroying, locking or unlocking a plain mutex cannot fail, so the result is
// ignored.
#define astar_mutex_init(mutex) ((void)pthread_mutex_init((mutex), NULL))
#define astar_mutex_destroy(mutex) ((void)pthread_mutex_destroy(mutex))
#define astar_mutex_lock(mutex) ((void)pthread_mutex_lock(mutex))
#define astar_mutex_unlock(mutex) ((void)pthread_mutex_unlock(mutex))

typedef pthread_cond_t AstarCondition;

// A thread must hold the mutex when it waits for a condition, and holds the mutex again afterwards.
// After waiting, the thread must check again whether the condition is fulfilled.
#define astar_condition_init(condition) ((void)pthread_cond_init((condition), NULL))
#define astar_condition_destroy(condition) ((void)pthread_cond_destroy(condition))
#define astar_condition_wait(condition, mutex) ((void)pthread_cond_wait((condition), (mutex)))
#define astar_condition_wake(condition) ((void)pthread_cond_signal(condition))
#define astar_condition_wake_all(condition) ((void)pthread_cond_broadcast(condition))

typedef pthread_t AstarThreadHandle;

#endif
#endif

// A thread of the library. The struct must not move until astar_thread_join returns.
typedef struct AstarThread {
    AstarThreadHandle handle;
    void (*run)(void *context);
    void *context;
} AstarThread;

// Starts a thread that calls 'run' with 'context'. Returns false if the system cannot start a
// thread.
bool astar_thread_start(AstarThread *thread, void (*run)(void *context), void *context);
// Waits until a thread ends.
void astar_thread_join(AstarThread *thread);
// Returns the number of this process, or 0 on systems without fork. A forked process has the memory
// of its parent, but only the thread that forked.
uint64_t astar_process_number(void);

#endif
