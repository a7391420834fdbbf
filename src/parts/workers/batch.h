// batch.h -- questions handed to the workers together, and how far they are.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "flow/flow.h"
#include "parts/workers/delegate.h"
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
#endif
