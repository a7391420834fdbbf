// batch.h -- questions handed to the workers together, and how far they are.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "flow/flow.h"
#include "parts/workers/workers.h"
#include "search/frozen.h"

typedef struct AstarJob {
    AstarDelegate *delegate;
    int replica;               // of its map, that it is about
    AstarLandmarks *landmarks; // the replica's, of the finder, retained; NULL: none
    AstarFlow *flow;           // the host's, retained; NULL: it is another kind of job
    AstarFlow *flow_twin;      // NULL: there is none yet, or no more
    AstarBakingOptions baking; // of what the host is to bake, 'bakes'
    AstarBaked *baked_twin;    // NULL: there is none yet, or no more
    bool bakes;
    AstarInquiry asked; // a question, or what a search of the host's was asked, 'is_search'
    bool is_search;
    ASTAR_ATOMIC(bool) is_cancelled;
    bool is_done;  // its answer is there
    size_t number; // of the one that is begun as the batch's n-th, this being its n-th
    AstarTwinAnswer answer;
} AstarJob;

// Answers a question of a path by the host's own finder, on its map as it is now; of another kind
// of job, notes that the host does it itself.
void astar_job_leave_to_host(AstarJob *job, AstarWorkspace *workspace);
// Works on it at a seat; false where that was broken off, because '*stops' got true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Lets go of what it has of the replica.
void astar_job_leave(AstarJob *job);
// Lets go of all else that it has.
void astar_job_end(AstarJob *job, const AstarAllocator *allocator);

// Of a map that a batch asks about: which replica it reads, and which version that is.
typedef struct AstarPin {
    AstarReplicas *replicas;
    int replica;
    uint64_t version;
    unsigned entered; // the map, while the batch begins
} AstarPin;

struct AstarBatch {
    AstarWorkers *workers; // retained
    AstarBatch *next;      // on the list of the workers
    AstarJob *jobs;
    size_t count, capacity;
    AstarPin *pins;
    size_t pin_count, pin_capacity;
    bool has_begun;
    bool is_pinned; // reads the replicas
    bool is_awaited;
    size_t taken; // so many of the first are being worked on, or done
    size_t done;
};

// Of the map that some replicas are of; NULL where the batch asks nothing about it.
AstarPin *astar_batch_pin(const AstarBatch *batch, const AstarReplicas *replicas);

// The next question nobody works on; NULL where there is none. The workers' mutex is held.
AstarJob *astar_batch_take_job(AstarBatch *batch);
// Notes what has become of a question that was taken; whether who waits for the batch is to be
// woken. The workers' mutex is held.
bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done);

#endif
