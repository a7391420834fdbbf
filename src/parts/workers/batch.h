// batch.h -- batches, which are sets of requests handed to the workers together, and their
// progress.

#ifndef ASTAR_BATCH_H
#define ASTAR_BATCH_H

#include "flow/flow.h"
#include "parts/workers/worker_finders.h"
#include "parts/workers/workers.h"
#include "search/search_life.h"

typedef struct AstarJob {
    AstarWorkerFinders *finders;
    int snapshot; // index of the snapshot of the map that the job reads
    // Landmarks of the finder, copied for that snapshot, retained; NULL: none.
    AstarLandmarks *landmarks;
    AstarFlow *flow; // the caller's flow, retained; NULL: the job computes no flow
    AstarFlow
        // The flow that the worker computes in place of 'flow'; NULL: not started, or taken by the
        // caller.
        *flow_twin;
    AstarBakingOptions baking; // options of the baking, if 'bakes' is true
    // The baking that the worker runs; NULL: not started, or taken by the caller.
    AstarBaked *baked_twin;
    bool bakes;
    AstarStoredQuery asked; // a query or, if 'is_search' is true, the query of a caller's search
    bool is_search;
    ASTAR_ATOMIC(bool) is_cancelled;
    bool is_done; // true if the job has its answer
    // Part of the order in which the jobs of the batch are worked on. The job with the index n
    // stores here the index of the job that is the n-th in this order.
    size_t number;
    AstarTwinAnswer answer;
} AstarJob;

// The snapshot that a batch reads for one map, and the version of that snapshot.
typedef struct AstarPin {
    AstarWorkerMap *map;
    int snapshot;
    uint64_t version;
    unsigned entered; // result of astar_view_enter, valid while the batch is handed over
} AstarPin;

struct AstarBatch {
    AstarWorkers *workers; // the pool of workers that serves the batch, retained
    AstarBatch *next;      // next batch in the list of the workers
    AstarJob *jobs;
    size_t count, capacity;
    AstarPin *pins;
    size_t pin_count, pin_capacity;
    bool has_begun;
    bool is_pinned; // true while the batch holds its snapshots
    bool is_awaited;
    // Number of jobs that were taken, in the order of the batch: threads work on them or have
    // finished them.
    size_t taken;
    size_t done;
};

// Returns the pin of a batch for a map, or NULL if the batch has no request for that map.
AstarPin *astar_batch_pin(const AstarBatch *batch, const AstarWorkerMap *map);
#endif
