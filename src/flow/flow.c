// flow.c -- flow fields: what they are made of, and how they begin.
//
// Distances grow from the goals backward: a cell n that can step into c gets c's distance and the
// cost of entering c. From a start, for movement ranges, they grow forward. They are worked out as
// far as what is asked needs: flow_expand.c does that, by the steps of flow_steps.c; flow_repair.c
// keeps them up with edits, and flow_ask.c answers.

#include "flow/flow.h"

#include "base/array.h"
#include "map/links_and_walls.h"
#include "search/clearance.h"

#include <math.h>
#include <string.h>

static const double LOWEST_FACTOR = -1000, HIGHEST_FACTOR = -1;

// ---- life ----

static AstarStatus new_flow(AstarFinder *finder, double max_cost, AstarFlow **out)
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

void astar_flow_drop_distances(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarAllocator *allocator = &grid->allocator;
    astar_flow_pages_free(&flow->pages, allocator);
    astar_release(allocator, flow->hops, grid->cells, sizeof *flow->hops);
    flow->hops = NULL;
    flow->has_nexts = false;
}

static void free_flow(AstarFlow *flow)
{
    AstarFinder *finder = flow->finder;
    const AstarAllocator *allocator = &finder->grid->allocator;
    astar_flow_free_frozen(flow);
    astar_release(allocator, flow->seeds, flow->seed_capacity, sizeof *flow->seeds);
    astar_flow_drop_distances(flow);
    astar_packed_steps_free(&flow->packed, allocator);
    astar_bucket_queue_free(&flow->open, allocator);
    astar_cells_free(&flow->suspects, allocator);
    astar_cells_free(&flow->touched, allocator);
    astar_cells_free(&flow->kept, allocator);
    astar_costs_free(&flow->costs, allocator);
    astar_release(allocator, flow, 1, sizeof *flow);
    astar_finder_release(finder); // it may hold the last reference to the grid
}

void astar_flow_release(AstarFlow *flow)
{
    while (flow != NULL && --flow->references == 0) {
        AstarFlow *source = flow->source;
        free_flow(flow);
        flow = source;
    }
}

// The skips of E. Myers ("An applicative random-access stack", 1983): a number of steps back each
// that lets first_to_settle() find any flow back from one of so many in about twice as many steps
// as their number has digits.
void astar_flow_flee_from(AstarFlow *flow, AstarFlow *source)
{
    const AstarFlow *skip = source->skip;
    bool is_alike = skip != NULL && skip->skip != NULL &&
                    source->depth - skip->depth == skip->depth - skip->skip->depth;
    flow->source = source;
    flow->depth = source->depth + 1;
    flow->skip = is_alike ? skip->skip : source;
}

size_t astar_flow_bytes(const AstarFlow *flow)
{
    size_t hops = flow->hops != NULL ? flow->finder->grid->cells : 0;
    return sizeof *flow + astar_flow_pages_bytes(&flow->pages) + hops * sizeof *flow->hops +
           astar_packed_steps_bytes(&flow->packed) + astar_costs_bytes(&flow->costs) +
           flow->seed_capacity * sizeof *flow->seeds + astar_bucket_queue_bytes(&flow->open) +
           (flow->suspects.capacity + flow->touched.capacity + flow->kept.capacity) *
               sizeof(uint32_t) +
           astar_frozen_flow_bytes(flow) +
           (flow->finder->plain != NULL ? astar_finder_lifted_bytes(flow->finder) : 0);
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
    return astar_finder_plain(flow->finder);
}

uint64_t astar_flow_expanded(const AstarFlow *flow)
{
    return flow->expanded;
}

// ---- seeds ----

static AstarStatus add_seed(AstarFlow *flow, uint32_t cell, double value)
{
    if (!ASTAR_RESERVE(astar_flow_allocator(flow), flow->seeds, flow->seed_count, 1,
                       &flow->seed_capacity, 8))
        return ASTAR_NO_MEMORY;
    flow->seeds[flow->seed_count++] = (AstarSeed){cell, value};
    return ASTAR_OK;
}

static AstarStatus seed_in_range(void *context, uint32_t cell, const AstarSeed *goal)
{
    return add_seed(context, cell, goal->value);
}

// Makes seeds of all cells within range of a goal.
static AstarStatus add_goals(AstarFlow *flow, const AstarFlowGoal *goals, size_t count)
{
    const AstarGrid *grid = flow->finder->grid;
    AstarRange range = {0};
    AstarStatus status = astar_range_begin(&range, &grid->allocator, grid, count);
    for (size_t i = 0; status == ASTAR_OK && i < count; i++) {
        assert(astar_inside(grid, goals[i].x, goals[i].y) && isfinite(goals[i].value));
        astar_range_add(&range, astar_cell(grid, goals[i].x, goals[i].y), goals[i].value);
    }
    if (status == ASTAR_OK)
        status = astar_range_sweep(&range, grid, flow->finder->options.range, seed_in_range, flow);
    astar_range_free(&range, &grid->allocator);
    return status;
}

AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                           double max_cost, AstarFlow **out)
{
    for (size_t i = 0; i < count; i++) {
        if (!astar_inside(finder->grid, goals[i].x, goals[i].y))
            return ASTAR_BAD_CELL;
        if (!isfinite(goals[i].value))
            return ASTAR_BAD_OPTION;
    }
    AstarFlow *flow;
    AstarStatus status = new_flow(finder, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    status = add_goals(flow, goals, count);
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
    AstarStatus status = new_flow(finder, max_cost, &flow);
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
    AstarStatus status = new_flow(flow->finder, INFINITY, &flee);
    if (status != ASTAR_OK)
        return status;
    astar_flow_flee_from(flee, flow);
    flow->references++;
    flee->factor = factor;
    *out = flee;
    return ASTAR_OK;
}

size_t astar_flow_first_seed(const AstarFlow *flow, uint32_t cell)
{
    return astar_count_below(flow->seeds, flow->seed_count, sizeof *flow->seeds, cell);
}

double astar_flow_seed(const AstarFlow *flow, uint32_t cell)
{
    if (flow->source != NULL)
        return astar_flow_covers(flow, cell)
                   ? astar_finder_round(flow->finder,
                                        astar_flow_at(flow->source, cell) * flow->factor)
                   : (double)INFINITY;
    size_t at = astar_flow_first_seed(flow, cell);
    bool is_seed = at < flow->seed_count && flow->seeds[at].cell == cell;
    return is_seed ? astar_finder_round(flow->finder, flow->seeds[at].value) : (double)INFINITY;
}

// ---- beginning ----

// Bounds of what those cells begin with that a flow flees from: all that its source has reached.
static void find_span_of_source(const AstarFlow *flow, double *least, double *most)
{
    const AstarBucketQueue *open = &flow->source->open;
    *least = flow->factor * (open->least + (double)flow->source->reached / open->per_width);
    *most = flow->factor * open->least;
}

// Bounds of the values that seeds have.
static void find_span(const AstarFlow *flow, double *least, double *most)
{
    *least = *most = flow->seed_count > 0 ? flow->seeds[0].value : 0;
    if (flow->source != NULL)
        find_span_of_source(flow, least, most);
    for (size_t i = 1; i < flow->seed_count; i++) {
        *least = fmin(*least, flow->seeds[i].value);
        *most = fmax(*most, flow->seeds[i].value);
    }
}

double astar_flow_dearest_step(const AstarFinder *finder)
{
    double most = 0;
    for (int i = 0; i < finder->grid->terrain_count; i++)
        if (finder->grid->present[i] > 0 && isfinite(finder->cell_cost[i]))
            most = finder->cell_cost[i] > most ? finder->cell_cost[i] : most;
    return most * finder->options.diagonal_cost;
}

static AstarStatus begin_open(AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double least, most;
    find_span(flow, &least, &most);
    least = astar_finder_round(finder, least) - finder->min_cost;
    double span = (astar_flow_dearest_step(finder) + most - least) / finder->min_cost;
    if (!flow->plain)
        span = span < 64 ? 64 : span; // what callbacks and the like add is not known
    span += ASTAR_FLOW_LONGEST_RUN;
    return astar_bucket_queue_begin(&flow->open, astar_flow_allocator(flow), least,
                                    finder->min_cost, span);
}

bool astar_flow_stands_among_blocks(const AstarFlow *flow)
{
    int x, y;
    if (!flow->forward || flow->finder->plain != NULL)
        return flow->forward;
    astar_cell_xy(flow->finder->grid, flow->seeds[0].cell, &x, &y);
    return astar_covers_block(flow->finder, x, y, false);
}

// Blocks under the unit, where its reach begins, are the unit itself: its reach is
// worked out by a copy of the finder without them. Once made, the copy stays, for callbacks that
// edit the grid and ask the flow again return to functions at work with it.
AstarStatus astar_flow_stand(AstarFlow *flow)
{
    AstarFinder *plain = astar_finder_plain(flow->finder);
    AstarFinder *copy = flow->finder != plain ? flow->finder : NULL;
    int x, y;
    if (!astar_flow_stands_among_blocks(flow))
        return ASTAR_OK;
    astar_cell_xy(plain->grid, flow->seeds[0].cell, &x, &y);
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
    if (flow->source != NULL && !astar_flow_is_current(flow->source))
        return ASTAR_GRID_CHANGED; // by a function that was asked
    flow->begun_anew += flow->begun;
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
    flow->suspects.count = flow->touched.count = flow->kept.count = 0;
    double limit = finder->options.max_cost;
    limit = flow->max_cost < limit ? flow->max_cost : limit;
    flow->limit = flow->source != NULL ? INFINITY : limit * ASTAR_LENIENCE;
    flow->cut = flow->has_told = flow->has_nexts = false;
    flow->planted = 0;
    flow->reached = flow->owing = 0;
    flow->turn++;
    flow->version = grid->version;
    flow->seen = flow->costs.version = astar_finder_version(finder);
    flow->field_version = astar_finder_field_version(finder);
    flow->cost_changes = finder->cost_changes;
    flow->unit = finder->unit;
    flow->begun = true;
    return ASTAR_OK;
}
