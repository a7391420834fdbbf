// batch.h -- questions handed to the workers together, and how far they are.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "workers/job.h"
#include "workers/workers.h"

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
