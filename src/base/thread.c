// thread.c -- Starting threads and waiting for their end. The threads of C11 are not used, because
// mingw and older systems lack them.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for pthread_sigmask
#endif

#include "base/thread.h"

#if defined(ASTAR_NO_THREADS)

bool astar_thread_start(AstarThread *thread, void (*run)(void *context), void *context)
{
    (void)thread;
    (void)run;
    (void)context;
    return false;
}

void astar_thread_join(AstarThread *thread)
{
    (void)thread;
}

uint64_t astar_process_number(void)
{
    return 0;
}

#elif defined(_WIN32)

#include <process.h>

static unsigned __stdcall run_thread(void *argument)
{
    AstarThread *thread = argument;
    thread->run(thread->context);
    return 0;
}

bool astar_thread_start(AstarThread *thread, void (*run)(void *context), void *context)
{
    thread->run = run;
    thread->context = context;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, run_thread, thread, 0, NULL);
    return thread->handle != NULL;
}

void astar_thread_join(AstarThread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

uint64_t astar_process_number(void)
{
    return 0;
}

#else

#include <signal.h>
#include <unistd.h>

// Size in bytes of the stack of a thread. On some systems the default stack is smaller than a
// search needs.
enum { STACK_BYTES = 1 << 20 };

static void *run_thread(void *argument)
{
    AstarThread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

static bool start_with_stack(AstarThread *thread)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    // If the call fails, the system's default size of stacks is used.
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    bool has_started = pthread_create(&thread->handle, &attributes, run_thread, thread) == 0;
    (void)pthread_attr_destroy(&attributes);
    return has_started;
}

// Starts a thread. Signals are blocked in the threads of the library, so that the host's threads
// receive them.
bool astar_thread_start(AstarThread *thread, void (*run)(void *context), void *context)
{
    thread->run = run;
    thread->context = context;
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool has_started = start_with_stack(thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_started;
}

void astar_thread_join(AstarThread *thread)
{
    (void)pthread_join(thread->handle, NULL);
}

uint64_t astar_process_number(void)
{
    return (uint64_t)getpid();
}

#endif
