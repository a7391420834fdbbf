// flow_life.c -- flow fields: what they are made of, how they are made and freed.
//
// Distances grow from the goals backward: a cell n that can step into c gets c's distance and the
// cost of entering c. From a start, for movement ranges, they grow forward. They are worked out as
// far as what is asked needs: flow_expand.c does that, by the steps of flow_steps.c; flow_repair.c
// keeps them up with edits, and flow_ask.c answers.

#include "flow/flow.h"

#include "base/array.h"

#include <math.h>

static const double LOWEST_FACTOR = -1000, HIGHEST_FACTOR = -1;

// ---- life ----

AstarStatus astar_flow_make(AstarFinder *finder, double max_cost, AstarFlow **out)
{
    if (astar_refusal_of(ASTAR_SWEEPING, finder->needs) != NULL)
        return ASTAR_BAD_OPTION;
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlow *flow = astar_alloc(allocator, 1, sizeof *flow);
    if (flow == NULL)
        return ASTAR_NO_MEMORY;
    flow->references = 1;
    flow->finder = finder;
    astar_finder_retain(finder);
    flow->max_cost = max_cost;
    *out = flow;
    return ASTAR_OK;
}

void astar_frozen_flow_free(AstarFrozenFlow *frozen, const AstarAllocator *allocator)
{
    astar_flow_release(frozen->twin);
    astar_frozen_map_free(&frozen->map);
    astar_release(allocator, frozen, 1, sizeof *frozen);
}

static void free_frozen_flows(AstarFlow *flow)
{
    while (flow->stepped.frozen != NULL) {
        AstarFrozenFlow *frozen = flow->stepped.frozen;
        flow->stepped.frozen = frozen->before;
        astar_frozen_flow_free(frozen, astar_flow_allocator(flow));
    }
}

static size_t frozen_flows_bytes(const AstarFlow *flow)
{
    size_t bytes = 0;
    for (const AstarFrozenFlow *each = flow->stepped.frozen; each != NULL; each = each->before)
        bytes += sizeof *each + astar_frozen_map_bytes(&each->map) +
                 (each->twin != NULL ? astar_flow_bytes(each->twin) : 0);
    return bytes;
}

static void free_flow(AstarFlow *flow)
{
    AstarFinder *finder = flow->finder;
    const AstarAllocator *allocator = &finder->grid->allocator;
    free_frozen_flows(flow);
    astar_release(allocator, flow->sown.seeds, flow->sown.capacity, sizeof *flow->sown.seeds);
    astar_flow_drop_distances(flow);
    astar_packed_steps_free(&flow->packed, allocator);
    astar_bucket_queue_free(&flow->open, allocator);
    astar_cells_free(&flow->mend.raise, allocator);
    astar_cells_free(&flow->mend.lower, allocator);
    astar_cells_free(&flow->mend.expand, allocator);
    astar_costs_free(&flow->costs, allocator);
    astar_release(allocator, flow, 1, sizeof *flow);
    astar_finder_release(finder); // it may hold the last reference to the grid
}

void astar_flow_release(AstarFlow *flow)
{
    while (flow != NULL && --flow->references == 0) {
        AstarFlow *source = flow->fled.source;
        free_flow(flow);
        flow = source;
    }
}

// The skips of E. Myers ("An applicative random-access stack", 1983): a number of steps back each
// that lets first_to_settle() find any flow back from one of so many in about twice as many steps
// as their number has digits.
void astar_flow_flee_from(AstarFlow *flow, AstarFlow *source)
{
    const AstarFlow *skip = source->fled.skip;
    bool is_alike = skip != NULL && skip->fled.skip != NULL &&
                    source->fled.depth - skip->fled.depth ==
                        skip->fled.depth - skip->fled.skip->fled.depth;
    flow->fled.source = source;
    flow->fled.depth = source->fled.depth + 1;
    flow->fled.skip = is_alike ? skip->fled.skip : source;
}

size_t astar_flow_bytes(const AstarFlow *flow)
{
    size_t hops = flow->hops != NULL ? flow->finder->grid->cells : 0;
    return sizeof *flow + astar_flow_pages_bytes(&flow->pages) + hops * sizeof *flow->hops +
           astar_packed_steps_bytes(&flow->packed) + astar_costs_bytes(&flow->costs) +
           flow->sown.capacity * sizeof *flow->sown.seeds + astar_bucket_queue_bytes(&flow->open) +
           (flow->mend.raise.capacity + flow->mend.lower.capacity + flow->mend.expand.capacity) *
               sizeof(uint32_t) +
           frozen_flows_bytes(flow) +
           (flow->finder->original != NULL ? astar_finder_lifted_bytes(flow->finder) : 0);
}

void astar_flow_keep_steps_only(AstarFlow *flow)
{
    flow->steps_only = true;
}

bool astar_flow_keeps_steps_only(const AstarFlow *flow)
{
    return flow->steps_only;
}

AstarFinder *astar_flow_finder(const AstarFlow *flow)
{
    return astar_finder_original(flow->finder);
}

uint64_t astar_flow_expanded(const AstarFlow *flow)
{
    return flow->work.done;
}

// ---- seeds ----

static AstarStatus add_seed(AstarFlow *flow, uint32_t cell, double value)
{
    if (!ASTAR_RESERVE(astar_flow_allocator(flow), flow->sown.seeds, flow->sown.count, 1,
                       &flow->sown.capacity, 8))
        return ASTAR_NO_MEMORY;
    flow->sown.seeds[flow->sown.count++] = (AstarSeed){cell, value};
    return ASTAR_OK;
}

static AstarStatus seed_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    return add_seed(context, cell, goal->value);
}

// Makes seeds of all cells where the unit is within range of a goal.
static AstarStatus add_goals(AstarFlow *flow, const AstarFlowGoal *goals, size_t count, int reach)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarRange range = {0};
    AstarStatus status = astar_range_begin(&range, &grid->allocator, grid, count, reach);
    for (size_t i = 0; status == ASTAR_OK && i < count; i++) {
        assert(astar_inside(grid, goals[i].x, goals[i].y) && isfinite(goals[i].value));
        astar_range_add(&range, astar_cell(grid, goals[i].x, goals[i].y), goals[i].value);
    }
    if (status == ASTAR_OK)
        status = astar_range_sweep(&range, grid, reach, astar_finder_size_in(flow->finder, reach),
                                   seed_in_range, flow);
    astar_range_free(&range, &grid->allocator);
    return status;
}

AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                           double max_cost, AstarFlow **out)
{
    return astar_flow_new_within(finder, goals, count, finder->options.range, max_cost, out);
}

AstarStatus astar_flow_new_within(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                                  int range, double max_cost, AstarFlow **out)
{
    if (range < 0 || range > ASTAR_MAX_SIDE)
        return ASTAR_BAD_OPTION;
    for (size_t i = 0; i < count; i++) {
        if (!astar_inside(finder->grid, goals[i].x, goals[i].y))
            return ASTAR_BAD_CELL;
        if (!isfinite(goals[i].value))
            return ASTAR_BAD_OPTION;
    }
    if (finder->grid->shape->wraps != 0 && range > 0)
        return ASTAR_BAD_SEAM;
    AstarFlow *flow;
    AstarStatus status = astar_flow_make(finder, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    status = add_goals(flow, goals, count, range);
    if (status == ASTAR_OK)
        *out = flow;
    else
        astar_flow_release(flow);
    return status;
}

AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost, AstarFlow **out)
{
    if (!astar_inside(finder->grid, x, y))
        return ASTAR_BAD_CELL;
    if (!(max_cost >= 0))
        return ASTAR_BAD_OPTION;
    AstarFlow *flow;
    AstarStatus status = astar_flow_make(finder, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    status = add_seed(flow, astar_cell(finder->grid, x, y), 0);
    flow->forward = true;
    if (status == ASTAR_OK)
        *out = flow;
    else
        astar_flow_release(flow);
    return status;
}

AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out)
{
    if (flow->forward || flow->steps_only || !(factor >= LOWEST_FACTOR && factor <= HIGHEST_FACTOR))
        return ASTAR_BAD_OPTION;
    AstarFlow *flee;
    AstarStatus status = astar_flow_make(flow->finder, INFINITY, &flee);
    if (status != ASTAR_OK)
        return status;
    astar_flow_flee_from(flee, flow);
    flow->references++;
    flee->fled.factor = factor;
    *out = flee;
    return ASTAR_OK;
}
