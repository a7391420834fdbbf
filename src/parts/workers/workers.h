// workers.h -- a pool of threads, the seats where they work, and the functions of their jobs.

#ifndef ASTAR_WORKERS_H
#define ASTAR_WORKERS_H

#include "base/thread.h"
#include "finder/finder.h"
#include "layers/landmarks.h"
#include "map/clone.h"

struct AstarDelegate;
struct AstarReplicas;
typedef struct AstarJob AstarJob; // defined in batch.h

// A place where jobs are done. Each thread has one; the last seat belongs to the caller's thread.
typedef struct AstarSeat {
    AstarWorkers *workers;
    int number;
    AstarWorkspace *workspace;
    AstarThread thread;
    size_t
        bytes; // bytes of the workspace when the thread last finished a job; protected by the mutex
} AstarSeat;

struct AstarWorkers {
    AstarAllocator allocator;
    uint32_t references; // one of the caller, one of each batch
    AstarSeat *seats;
    int seat_count; // stays the same when threads end
    int threads;
    uint64_t process;                // number of the process that started the threads
    struct AstarDelegate *delegates; // sorted, the delegate used last first
    struct AstarReplicas *replicas;  // replicas of all maps
    struct AstarJob *spare_jobs;     // memory for the jobs of the next batch
    size_t spare_capacity;

    AstarMutex mutex; // protects all fields below and the progress of batches
    AstarCondition is_asked, is_answered;
    ASTAR_ATOMIC(bool) is_closing;
    AstarBatch *first, *last; // batches that have begun and may have jobs to take
};

// Returns true if the threads belong to another process, which forked this one. Whatever they were
// working on stays unfinished. Mutexes may be locked for ever, and memory that threads write,
// including the replicas, must not be read. It stays allocated.
bool astar_workers_are_lost(const AstarWorkers *workers);
// Returns the workspace of the caller's own seat.
static inline AstarWorkspace *astar_workers_own_workspace(const AstarWorkers *workers)
{
    return workers->seats[workers->seat_count - 1].workspace;
}

// Appends a batch that has begun to the list, and wakes a worker.
void astar_workers_put(AstarWorkers *workers, AstarBatch *batch);
// Removes a batch from the list if it is still there. The mutex must be held.
void astar_workers_unlink(AstarWorkers *workers, AstarBatch *batch);

// Jobs.

// Answers a query by the caller's own finder, on its current map. For another kind of job, records
// that the caller does it itself.
void astar_job_leave_to_host(AstarJob *job, AstarWorkspace *workspace);
// Works on a job at a seat. Returns false if it was interrupted because '*stops' became true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Releases what a job holds of its replica.
void astar_job_leave(AstarJob *job);
// Releases everything else that a job holds.
void astar_job_end(AstarJob *job, const AstarAllocator *allocator);
// Returns the next job of a batch that no thread works on, or NULL. The workers' mutex must be
// held.
AstarJob *astar_batch_take_job(AstarBatch *batch);
// Records the result of a job that was taken. Returns true if the thread that waits for the batch
// must be woken. The workers' mutex must be held.
bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done);

#endif
