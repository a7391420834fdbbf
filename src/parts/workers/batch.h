// batch.h -- batches: requests handed to the workers together, and their progress.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "flow/flow.h"
#include "parts/workers/delegate.h"
#include "parts/workers/workers.h"
#include "search/frozen.h"

typedef struct AstarJob {
    AstarDelegate *delegate;
    int replica;               // index of the replica of its map that the job reads
    AstarLandmarks *landmarks; // the finder's landmarks for that replica, retained; NULL: none
    AstarFlow *flow;           // the caller's flow, retained; NULL: another kind of job
    AstarFlow
        *flow_twin; // the flow that the worker computes in its place; NULL: not begun, or taken
    AstarBakingOptions baking; // options of a baking, if 'bakes'
    AstarBaked *baked_twin;    // the baking that the worker runs; NULL: not begun, or taken
    bool bakes;
    AstarInquiry asked; // a query, or the query of a caller's search if 'is_search'
    bool is_search;
    ASTAR_ATOMIC(bool) is_cancelled;
    bool is_done;  // true if its answer is there
    size_t number; // number of the job that is begun as the n-th, where this one is the n-th of the
                   // batch
    AstarTwinAnswer answer;
} AstarJob;

// A map that a batch has requests for: the replica that the batch reads, and the version of that
// replica.
typedef struct AstarPin {
    AstarReplicas *replicas;
    int replica;
    uint64_t version;
    unsigned entered; // result of astar_view_enter, while the batch begins
} AstarPin;

struct AstarBatch {
    AstarWorkers *workers; // retained
    AstarBatch *next;      // next batch on the list of the workers
    AstarJob *jobs;
    size_t count, capacity;
    AstarPin *pins;
    size_t pin_count, pin_capacity;
    bool has_begun;
    bool is_pinned; // true while the batch reads its replicas
    bool is_awaited;
    size_t taken; // jobs, in their order, that are being worked on or are done
    size_t done;
};

// Returns the pin of the map of some replicas, or NULL if the batch has no request for that map.
AstarPin *astar_batch_pin(const AstarBatch *batch, const AstarReplicas *replicas);
#endif
