// job.h -- what workers have to do: a question and its answer, a search, a flow, or baking.

#ifndef ASTAR_JOB_H
#define ASTAR_JOB_H

#include "flow/flow.h"
#include "search/baking.h"
#include "search/search_twin.h"
#include "workers/delegate.h"

typedef struct AstarJob {
    AstarDelegate *delegate;
    int replica;               // of its map, that it is about
    AstarLandmarks *landmarks; // the replica's, of the finder, retained; NULL: none
    AstarFlow *flow;           // the host's, retained; NULL: it is another kind of job
    AstarFlow *flow_twin;      // NULL: there is none yet, or no more
    AstarBakingOptions baking; // of what the host is to bake, 'bakes'
    AstarBaked *baked_twin;    // NULL: there is none yet, or no more
    bool bakes;
    AstarInquiry *inquiry; // what a search of the host's was asked; NULL: a question, as follows
    int32_t sx, sy, gx, gy;
    AstarQuestion question;
    ASTAR_ATOMIC(bool) is_cancelled;
    bool is_done;  // its answer is there
    size_t number; // of the one that is begun as the batch's n-th, this being its n-th
    AstarTwinAnswer answer;
} AstarJob;

// Works on it at a seat; false where that was broken off, because '*stops' got true.
bool astar_job_work(AstarJob *job, AstarSeat *seat, ASTAR_ATOMIC(bool) * stops);
// Lets go of what it has of the replica.
void astar_job_leave(AstarJob *job);
// Lets go of all else that it has.
void astar_job_end(AstarJob *job, const AstarAllocator *allocator);

#endif
