// batch.h -- questions handed to the workers together, and how far they are.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "flow/flow.h"
#include "workers/delegate.h"
#include "workers/workers.h"

// A question and, once done, its answer; or a flow to be worked out, and its twin.
typedef struct AstarJob {
    AstarDelegate *delegate;
    int replica;           // of its map, that it is about
    AstarFlow *flow;       // the host's, retained; NULL: it is a question
    AstarFlow *twin;       // NULL: there is none yet, or no more
    uint64_t cost_changes; // of the host's finder, with the map that the replica is of
    int32_t sx, sy, gx, gy;
    AstarQuestion question;
    ASTAR_ATOMIC(bool) is_cancelled;
    bool is_done;  // its answer is there
    size_t number; // of the one that is begun as the batch's n-th, this being its n-th
    AstarStatus status;
    AstarPath path;
} AstarJob;

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

// The next question nobody works on; NULL where there is none. The workers' mutex is held.
AstarJob *astar_batch_take_job(AstarBatch *batch);
// Answers a question at a seat; false where it was broken off, because '*stops' got true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Notes what has become of a question that was taken; whether who waits for the batch is to be
// woken. The workers' mutex is held.
bool astar_batch_note(AstarBatch *batch, AstarJob *job, bool is_done);

#endif
