// workers.h -- a pool of threads, the seats they work at, and what they have to do.

#ifndef ASTAR_WORKERS_H
#define ASTAR_WORKERS_H

#include "base/thread.h"
#include "finder/finder.h"
#include "layers/landmarks.h"
#include "map/clone.h"

struct AstarDelegate;
struct AstarReplicas;
typedef struct AstarJob AstarJob; // see batch.h

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
    uint64_t process;                // that started them
    struct AstarDelegate *delegates; // of finders, the one asked by last first
    struct AstarReplicas *replicas;  // of maps
    struct AstarJob *spare_jobs;     // memory for those of the next batch
    size_t spare_capacity;

    AstarMutex mutex; // of all below, and of how far batches are
    AstarCondition is_asked, is_answered;
    ASTAR_ATOMIC(bool) is_closing;
    AstarBatch *first, *last; // begun, and perhaps not all taken
};

// Returns true if the threads were left in another process, which forked this one. Whatever they
// had in hand then is unfinished for ever: mutexes may be locked, and what threads write, the
// replicas included, must not be read. It stays allocated.
bool astar_workers_are_lost(const AstarWorkers *workers);
// The workspace of the host's own seat.
static inline AstarWorkspace *astar_workers_own_workspace(const AstarWorkers *workers)
{
    return workers->seats[workers->seat_count - 1].workspace;
}

// Puts a batch, that has begun, after those that wait, and wakes the workers.
void astar_workers_put(AstarWorkers *workers, AstarBatch *batch);
// Takes it out, if it is still there, while the mutex is held.
void astar_workers_unlink(AstarWorkers *workers, AstarBatch *batch);

// ---- jobs ----

// Answers a question of a path by the host's own finder, on its map as it is now; of another kind
// of job, notes that the host does it itself.
void astar_job_leave_to_host(AstarJob *job, AstarWorkspace *workspace);
// Works on it at a seat; false where that was broken off, because '*stops' got true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Lets go of what it has of the replica.
void astar_job_leave(AstarJob *job);
// Lets go of all else that it has.
void astar_job_end(AstarJob *job, const AstarAllocator *allocator);
// The next question nobody works on; NULL where there is none. The workers' mutex is held.
AstarJob *astar_batch_take_job(AstarBatch *batch);
// Notes what has become of a question that was taken; whether who waits for the batch is to be
// woken. The workers' mutex is held.
bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done);

#endif
