// flow_twin.c -- a flow worked out on a copy of its map, by another thread or while edits go on.
//
// The twin has the seeds of the flow and a finder of its own; if it flees, from a twin. Once all of
// it is worked out, the flow takes what it holds, as if it had come so far itself when the map was
// that of the copy; edits made since it takes in as ever.

#include "flow/flow.h"

#include <math.h>
#include <string.h>

bool astar_flow_may_have_twin(const AstarFlow *flow)
{
    return flow->fled.source == NULL && flow->finder->original == NULL;
}

// The twin of one, which flees from none yet.
static AstarStatus new_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out)
{
    AstarFlow *twin;
    AstarStatus status = astar_flow_make(finder, flow->max_cost, &twin);
    if (status != ASTAR_OK)
        return status;
    twin->forward = flow->forward;
    twin->steps_only = flow->steps_only;
    twin->sown.seeds = astar_alloc(&finder->grid->allocator, flow->sown.count,
                                   sizeof *twin->sown.seeds);
    if (twin->sown.seeds == NULL && flow->sown.count > 0) {
        astar_flow_release(twin);
        return ASTAR_NO_MEMORY;
    }
    if (flow->sown.count > 0)
        memcpy(twin->sown.seeds, flow->sown.seeds, flow->sown.count * sizeof *twin->sown.seeds);
    twin->sown.count = twin->sown.capacity = flow->sown.count;
    twin->fled.factor = flow->fled.factor;
    *out = twin;
    return ASTAR_OK;
}

AstarStatus astar_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out)
{
    AstarFlow *twin = NULL; // at first each has for its source the one that is to flee from it
    for (; flow != NULL; flow = flow->fled.source) {
        AstarFlow *above = twin;
        AstarStatus status = new_flow_twin(flow, finder, &twin);
        if (status != ASTAR_OK) {
            astar_flow_release(above);
            return status;
        }
        twin->fled.source = above;
    }
    AstarFlow *above = twin->fled.source;
    twin->fled.source = NULL;
    while (above != NULL) {
        AstarFlow *next = above->fled.source;
        astar_flow_flee_from(above, twin);
        twin = above;
        above = next;
    }
    *out = twin;
    return ASTAR_OK;
}

// Takes all that is worked out, and leaves nothing of it to the twin.
static void take_from_twin(AstarFlow *flow, AstarFlow *twin)
{
    flow->packed = twin->packed;
    flow->pages = twin->pages;
    flow->has.nexts = twin->has.nexts;
    flow->hops = twin->hops;
    flow->open = twin->open;
    twin->packed = (AstarPackedSteps){.blocks = NULL};
    twin->pages = (AstarFlowPages){0};
    twin->hops = NULL;
    twin->open = (AstarBucketQueue){.ring = NULL};
    twin->begun = false;
    twin->turn++;
}

static double cost_to(const AstarFinder *finder, size_t terrain)
{
    return terrain < finder->costs.capacity ? finder->costs.cell[terrain] : (double)INFINITY;
}

// Whether cells cost two finders the same, whose tables are current.
static bool costs_alike(const AstarFinder *a, const AstarFinder *b)
{
    size_t count = a->costs.capacity > b->costs.capacity ? a->costs.capacity : b->costs.capacity;
    for (size_t i = 0; i < count; i++)
        if (cost_to(a, i) != cost_to(b, i))
            return false;
    return true;
}

// Makes a flow ready to take all without fail.
static AstarStatus prepare_to_adopt(AstarFlow *flow, const AstarFlow *twin)
{
    AstarFinder *finder = flow->finder;
    if (twin->finder->original != NULL && finder->original == NULL)
        return ASTAR_RUNNING;
    AstarStatus status = astar_finder_update_tables(astar_finder_original(finder));
    if (status == ASTAR_OK)
        status = astar_costs_begin(&flow->costs, finder, astar_flow_allocator(flow));
    return status;
}

static void adopt_all(AstarFlow *flow, AstarFlow *twin)
{
    const AstarAllocator *allocator = astar_flow_allocator(flow);
    const AstarFinder *finder = flow->finder;
    astar_flow_drop_distances(flow);
    astar_packed_steps_free(&flow->packed, allocator);
    astar_bucket_queue_free(&flow->open, allocator);
    flow->mend.raise.count = flow->mend.lower.count = flow->mend.expand.count = 0;
    take_from_twin(flow, twin);
    flow->begun = true;
    flow->sweeps = twin->sweeps;
    flow->beyond.limit = twin->beyond.limit;
    flow->beyond.is_cut = twin->beyond.is_cut;
    flow->sown.planted = twin->sown.planted;
    flow->reached = twin->reached;
    flow->work.done += twin->work.done;
    flow->moves = NULL; // those were the twin's finder's
    flow->of.grid = twin->of.grid;
    flow->of.field = twin->of.field;
    flow->of.finder = twin->of.finder; // what functions say from now on is of the map as it is
    // Where they are not alike it begins anew.
    flow->of.costs = costs_alike(finder, twin->finder) ? finder->costs.of_cells : UINT64_MAX;
    flow->of.unit = twin->of.unit;
    flow->turn++;
}

AstarStatus astar_flow_adopt(AstarFlow *flow, AstarFlow *twin)
{
    AstarStatus status = ASTAR_OK;
    const AstarFlow *other = twin;
    for (AstarFlow *each = flow; status == ASTAR_OK && each != NULL; each = each->fled.source) {
        status = prepare_to_adopt(each, other);
        other = other->fled.source;
    }
    for (; status == ASTAR_OK && flow != NULL; flow = flow->fled.source, twin = twin->fled.source)
        adopt_all(flow, twin);
    return status;
}
