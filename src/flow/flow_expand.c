// flow_expand.c -- flow fields grown: Dijkstra's algorithm, bucket by bucket.
//
// What lies in a bucket (bucket_queue.h) that is done with is final, so a question about a cell is
// answered as soon as its bucket is, and the next question goes on from there. A link can cost less
// than a bucket is wide: then a cell of the bucket itself is brought nearer, and expanded again.

#include "flow/flow.h"

#include <math.h>

AstarStatus astar_flow_plant(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    size_t count = astar_flow_seeds_to_plant(flow);
    while (flow->sown.planted < count) {
        if (flow->work.left == 0)
            return ASTAR_RUNNING;
        if (flow->fled.source != NULL)
            flow->sown.planted = (size_t)astar_flow_next_paged(flow->fled.source,
                                                               flow->sown.planted);
        if (flow->sown.planted == count)
            break;
        uint32_t cell = flow->fled.source != NULL ? (uint32_t)flow->sown.planted
                                                  : flow->sown.seeds[flow->sown.planted].cell;
        int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
        bool enters;
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &enters);
        if (status != ASTAR_OK)
            return status;
        double value = flow->fled.source != NULL
                           ? astar_flow_seed(flow, cell)
                           : astar_finder_round(flow->finder,
                                                flow->sown.seeds[flow->sown.planted].value);
        if (enters && value > flow->beyond.limit)
            flow->beyond.is_cut = true;
        else if (enters && astar_flow_is_better(flow, cell, value, 0))
            status = astar_flow_lower(flow, cell, x, y, value, 0);
        if (status != ASTAR_OK)
            return status;
        flow->turn++;
        flow->sown.planted++;
        astar_flow_spend(flow, 1);
    }
    return ASTAR_OK;
}

// The neighbours that a step from a cell may bring nearer.
static unsigned improvable(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    double least = astar_flow_at(flow, cell) + finder->min_cost;
    const bool has_hops = flow->hops != NULL; // then ways as long may be better
    const double *rows[3];
    unsigned wanted = 0;
    bool is_inner = (unsigned)x - 1 < (unsigned)grid->width - 2;
    if (!has_hops && is_inner &&
        astar_flow_rows(&flow->pages, grid->cells, (uint32_t)grid->width, cell, rows)) {
        for (int d = 0; d < ASTAR_DIRECTIONS; d++)
            wanted |= (unsigned)(rows[1 + astar_dy[d]][astar_dx[d]] > least) << d;
        return wanted;
    }
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) &&
            (astar_flow_at(flow, next) > least ||
             (has_hops && astar_flow_is_better(flow, next, least, 0))))
            wanted |= 1u << d;
    }
    return wanted;
}

AstarStatus astar_flow_expand(AstarFlow *flow, uint32_t cell, int x, int y)
{
    unsigned wanted = improvable(flow, cell, x, y);
    AstarFlowSteps steps = {0};
    AstarStatus status = ASTAR_OK;
    if (wanted != 0)
        status = astar_flow_steps(flow, cell, x, y, flow->forward, wanted, &steps);
    for (unsigned rest = steps.moves; status == ASTAR_OK && rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = astar_flow_at(flow, cell) + steps.costs[d];
        uint32_t hops = astar_flow_hops_by(flow, cell, way);
        if (!astar_flow_is_better(flow, next, way, hops) || !astar_flow_covers(flow, next))
            continue;
        if (way > flow->beyond.limit)
            flow->beyond.is_cut = true;
        else
            status = astar_flow_lower(flow, next, x + astar_dx[d], y + astar_dy[d], way, hops);
    }
    return status == ASTAR_OK ? astar_flow_expand_links(flow, cell) : status;
}

static AstarStatus empty_bucket(AstarFlow *flow)
{
    AstarBucketQueue *open = &flow->open;
    AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    size_t width = (size_t)flow->finder->grid->width;
    for (; open->position < bucket->count && flow->work.left > 0; open->position++) {
        uint64_t entry = bucket->entries[open->position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = (uint32_t)((size_t)y * width + (size_t)x);
        double distance = astar_flow_at(flow, cell);
        if (distance > 1e300 || astar_bucket_of(open, distance) != open->current)
            continue;
        AstarStatus status = astar_flow_expand(flow, cell, x, y);
        if (status != ASTAR_OK)
            return status;
        flow->turn++; // a question that a callback asks may be broken off after any cell
        flow->work.done++;
        astar_flow_spend(flow, 1);
    }
    return ASTAR_OK;
}

static double turn_in_flow(const void *flow, int x, int y)
{
    const AstarFlow *of = flow;
    uint32_t cell = astar_cell(of->finder->grid, x, y);
    return astar_flow_turn_of(of, cell, astar_flow_at(of, cell));
}

AstarStatus astar_flow_settle_bucket(AstarFlow *flow)
{
    const AstarBucketQueue *open = &flow->open;
    AstarStatus status = flow->sweeps ? astar_flow_sweep(flow) : empty_bucket(flow);
    if (status != ASTAR_OK)
        return status;
    if (open->position < open->ring[(size_t)open->current & (open->size - 1)].count)
        return ASTAR_RUNNING;
    status = astar_bucket_queue_advance(&flow->open, astar_flow_allocator(flow), turn_in_flow,
                                        flow);
    bool is_complete = astar_bucket_queue_are_empty(&flow->open);
    // Where the last runs ended, no cell was left to open.
    int64_t reached = flow->open.current + (is_complete ? ASTAR_FLOW_LONGEST_RUN + 3 : 0);
    if (reached > flow->reached)
        flow->reached = reached;
    if (is_complete)
        astar_bucket_queue_trim(&flow->open, astar_flow_allocator(flow));
    flow->turn++;
    return status;
}
