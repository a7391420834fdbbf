// workers.h -- a pool of threads, the seats they work at, and what they have to do.

#ifndef ASTAR_WORKERS_H
#define ASTAR_WORKERS_H

#include "base/alloc.h"
#include "base/thread.h"

struct AstarDelegate;
struct AstarReplicas;

// Where questions are answered: one of each thread, and one, the last, of the host's.
typedef struct AstarSeat {
    AstarWorkers *workers;
    int number;
    AstarWorkspace *workspace;
    AstarThread thread;
    size_t bytes; // of the workspace, when its thread last noted an answer, with the mutex held
} AstarSeat;

struct AstarWorkers {
    AstarAllocator allocator;
    uint32_t references; // the host's, and one of each batch
    AstarSeat *seats;
    int seat_count; // as many, however many of the threads are still there
    int threads;
    struct AstarDelegate *delegates; // of finders, the one asked by last first
    struct AstarReplicas *replicas;  // of maps
    struct AstarJob *spare_jobs;     // memory for those of the next batch
    size_t spare_capacity;

    AstarMutex mutex; // of all below, and of how far batches are
    AstarCondition is_asked, is_answered;
    ASTAR_ATOMIC(bool) is_closing;
    AstarBatch *first, *last; // begun, and perhaps not all taken
};

// Puts a batch, that has begun, after those that wait, and wakes the workers.
void astar_workers_put(AstarWorkers *workers, AstarBatch *batch);
// Takes it out, if it is still there, while the mutex is held.
void astar_workers_unlink(AstarWorkers *workers, AstarBatch *batch);

#endif
