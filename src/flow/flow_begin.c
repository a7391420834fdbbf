// flow_begin.c -- how flow fields begin, and begin anew.

#include "flow/flow.h"

#include "search/search.h"

#include <math.h>

void astar_flow_drop_distances(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarAllocator *allocator = &grid->allocator;
    astar_flow_pages_free(&flow->pages, allocator);
    astar_release(allocator, flow->hops, grid->cells, sizeof *flow->hops);
    flow->hops = NULL;
    flow->has.nexts = false;
}

// Bounds of what those cells begin with that a flow flees from: all that its source has reached.
static void find_span_of_source(const AstarFlow *flow, double *least, double *most)
{
    const AstarBucketQueue *open = &flow->fled.source->open;
    *least = flow->fled.factor *
             (open->least + (double)flow->fled.source->reached / open->per_width);
    *most = flow->fled.factor * open->least;
}

// Bounds of the values that seeds have.
static void find_span(const AstarFlow *flow, double *least, double *most)
{
    *least = *most = flow->sown.count > 0 ? flow->sown.seeds[0].value : 0;
    if (flow->fled.source != NULL)
        find_span_of_source(flow, least, most);
    for (size_t i = 1; i < flow->sown.count; i++) {
        *least = fmin(*least, flow->sown.seeds[i].value);
        *most = fmax(*most, flow->sown.seeds[i].value);
    }
}

static AstarStatus begin_open(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double least, most;
    find_span(flow, &least, &most);
    least = astar_finder_round(finder, least) - finder->min_cost;
    double span = (astar_flow_dearest_step(finder) + most - least) / finder->min_cost;
    if (!flow->sweeps)
        span = span < 64 ? 64 : span; // what callbacks and the like add is not known
    span += ASTAR_FLOW_LONGEST_RUN;
    return astar_bucket_queue_begin(&flow->open, astar_flow_allocator(flow), least,
                                    finder->min_cost, span);
}

bool astar_flow_stands_among_blocks(const AstarFlow *flow)
{
    int x, y;
    if (!flow->forward || flow->finder->original != NULL)
        return flow->forward;
    astar_cell_xy(flow->finder->grid, flow->sown.seeds[0].cell, &x, &y);
    return astar_covers_block(flow->finder, x, y, false);
}

// Blocks under the unit, where its reach begins, are the unit itself: its reach is
// worked out by a copy of the finder without them. Once made, the copy stays, for callbacks that
// edit the grid and ask the flow again return to functions at work with it.
AstarStatus astar_flow_stand(AstarFlow *flow)
{
    AstarFinder *plain = astar_finder_original(flow->finder);
    AstarFinder *copy = flow->finder != plain ? flow->finder : NULL;
    int x, y;
    if (!astar_flow_stands_among_blocks(flow))
        return ASTAR_OK;
    astar_cell_xy(plain->grid, flow->sown.seeds[0].cell, &x, &y);
    AstarStatus status = astar_finder_lift(plain, x, y, &copy);
    if (status == ASTAR_OK && flow->finder == plain) {
        flow->finder = copy;
        astar_finder_release(plain);
    }
    return status;
}

AstarStatus astar_flow_restart(AstarFlow *flow, bool forgets)
{
    const AstarGrid *grid = flow->finder->grid;
    if (flow->fled.source != NULL && !astar_flow_is_current(flow->fled.source))
        return ASTAR_GRID_CHANGED; // by a function that was asked
    flow->stepped.begun_anew += flow->begun;
    flow->begun = false;
    astar_packed_steps_free(&flow->packed, &grid->allocator);
    AstarStatus status = astar_flow_stand(flow);
    if (status != ASTAR_OK)
        return status;
    AstarFinder *finder = flow->finder;
    status = astar_flow_learn_moves(flow);
    if (status == ASTAR_OK && !astar_flow_pages_begin(&flow->pages, &grid->allocator, grid->cells))
        status = ASTAR_NO_MEMORY;
    if (status != ASTAR_OK)
        return status;
    status = begin_open(flow);
    if (status == ASTAR_OK && (forgets || flow->costs.finder == NULL))
        status = astar_costs_begin(&flow->costs, finder, &grid->allocator);
    if (status != ASTAR_OK)
        return status;
    astar_release(&grid->allocator, flow->hops, grid->cells, sizeof *flow->hops);
    flow->hops = NULL;
    flow->mend.raise.count = flow->mend.lower.count = flow->mend.expand.count = 0;
    double limit = finder->options.max_cost;
    limit = flow->max_cost < limit ? flow->max_cost : limit;
    flow->beyond.limit = flow->fled.source != NULL ? INFINITY : limit * ASTAR_LENIENCE;
    flow->beyond.is_cut = flow->has.told = flow->has.nexts = false;
    flow->sown.planted = 0;
    flow->reached = flow->mend.left_out_below = 0;
    flow->turn++;
    flow->of.grid = grid->version;
    flow->of.finder = flow->costs.version = astar_finder_version(finder);
    flow->of.field = astar_finder_field_version(finder);
    flow->of.costs = finder->costs.of_cells;
    flow->of.unit = finder->costs.unit;
    flow->begun = true;
    return ASTAR_OK;
}
