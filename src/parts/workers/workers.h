// workers.h -- a pool of worker threads, the seats where they work, and the functions that do their
// jobs.

#ifndef ASTAR_WORKERS_H
#define ASTAR_WORKERS_H

#include "base/thread.h"
#include "finder/finder.h"
#include "layers/landmarks.h"
#include "map/snapshot.h"

struct AstarWorkerFinders;
struct AstarWorkerMap;
typedef struct AstarJob AstarJob; // the struct is defined in batch.h

// A seat: a workspace and the thread that works there. Each worker thread has one seat. The last
// seat belongs to the caller's thread.
typedef struct AstarSeat {
    AstarWorkers *workers;
    int number;
    AstarWorkspace *workspace;
    AstarThread thread;
    size_t
        // Number of bytes of the workspace when the thread last finished a job. Protected by the
        // mutex.
        bytes;
} AstarSeat;

struct AstarWorkers {
    AstarAllocator allocator;
    uint32_t references; // one reference of the caller, and one of each batch
    AstarSeat *seats;
    int seat_count; // number of seats, which does not change when threads end
    int threads;
    uint64_t process; // process number of the process that started the threads
    // List of the finders that workers use in place of the caller's finders, those used last first.
    struct AstarWorkerFinders *finders;
    struct AstarWorkerMap *maps; // list of the maps of which workers read snapshots
    struct AstarJob *spare_jobs; // memory for the jobs of the next batch; NULL: none
    size_t spare_capacity;

    AstarMutex mutex; // protects all fields below, and the progress of all batches
    AstarCondition is_asked, is_answered;
    ASTAR_ATOMIC(bool) is_closing;
    // List of the batches that have begun and may have jobs that no thread has taken.
    AstarBatch *first, *last;
};

// Returns true if the worker threads belong to another process, which forked this one. In this case
// the jobs that the threads were working on stay unfinished. Mutexes may stay locked. Memory that
// the threads write, including the snapshots, must not be read, and stays allocated.
bool astar_workers_are_lost(const AstarWorkers *workers);
// Returns the workspace of the seat that belongs to the caller's thread.
static inline AstarWorkspace *astar_workers_own_workspace(const AstarWorkers *workers)
{
    return workers->seats[workers->seat_count - 1].workspace;
}

// Appends a batch that has begun to the list of batches, and wakes a worker.
void astar_workers_put(AstarWorkers *workers, AstarBatch *batch);
// Removes a batch from the list of batches if it is still in the list. The caller must hold the
// mutex.
void astar_workers_unlink(AstarWorkers *workers, AstarBatch *batch);

// The functions below do jobs and free them.

// Answers a query in the caller's thread, with the caller's own finder and on its current map. For
// a job of another kind, records that the caller must do the work itself.
void astar_job_leave_to_host(AstarJob *job, AstarWorkspace *workspace);
// Does a job at a seat. Returns false if the job was interrupted because '*stops' became true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Releases the data of a snapshot that a job holds.
void astar_job_leave(AstarJob *job);
// Releases all data that a job holds, except the data of its snapshot (see astar_job_leave).
void astar_job_end(AstarJob *job, const AstarAllocator *allocator);
// Returns the next job of a batch that no thread works on, or NULL if there is none. The caller
// must hold the workers' mutex.
AstarJob *astar_batch_take_job(AstarBatch *batch);
// Records that a job that was taken is done, or that it was interrupted if 'is_done' is false.
// Returns true if the thread that waits for the batch must be woken. The caller must hold the
// workers' mutex.
bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done);

#endif
