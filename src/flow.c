// flow.c -- flow fields: Dijkstra's algorithm from the goals, as far as what is asked needs.
//
// Distances grow from the goals backward: a cell n that can step into c gets c's distance and the
// cost of entering c. From a start, for movement ranges, they grow forward. Cells are expanded
// bucket by bucket (buckets.h); what lies in a bucket that is done with is final, so a question
// about a cell is answered as soon as its bucket is, and the next question goes on from there.
//
// Over ground of one cost most of the eight steps out of a cell lead where another way of the same
// length or less leads as well. Those are left out (canonical ordering: N. Sturtevant and S. Rabin,
// IJCAI 2016): of two equally long ways that differ in the order of their steps the one that goes
// diagonally first stands. That needs the diagonal step longer than a straight one and shorter than
// two. The straight step after that diagonal one is never left out where it is on a best way, so
// the cell gets its distance by it whichever way its neighbour was reached.
//
// Where units go is read off the distances: the neighbour through which a cell's comes, remembered
// in a byte a cell. So it does not depend on the order in which they were found.

#include "flow.h"

#include "path.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Costs are compared with limits a little generously: 3 * 1.4 is not quite 4.2 in binary.
static const double LENIENCE = 1 + 1e-9;

static const double LOWEST_FACTOR = -1000, HIGHEST_FACTOR = -1;

static const AstarAllocator *allocator_of(const AstarFlow *flow)
{
    return &flow->finder->grid->allocator;
}

// ---- life ----

static AstarStatus new_flow(AstarFinder *finder, size_t seeds, double max_cost, AstarFlow **out)
{
    if (finder->options.avoid != NULL)
        return ASTAR_BAD_OPTION;
    const AstarAllocator *allocator = &finder->grid->allocator;
    AstarFlow *flow = astar_alloc(allocator, 1, sizeof *flow);
    if (flow == NULL)
        return ASTAR_NO_MEMORY;
    flow->references = 1;
    flow->finder = finder;
    astar_finder_retain(finder);
    flow->max_cost = max_cost;
    flow->seed_capacity = seeds;
    if (seeds > 0) {
        flow->seeds = astar_alloc(allocator, seeds, sizeof *flow->seeds);
        if (flow->seeds == NULL) {
            astar_flow_release(flow);
            return ASTAR_NO_MEMORY;
        }
    }
    *out = flow;
    return ASTAR_OK;
}

void astar_flow_release(AstarFlow *flow)
{
    if (flow == NULL || --flow->references > 0)
        return;
    AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    const AstarAllocator *allocator = &grid->allocator;
    astar_release(allocator, flow->seeds, flow->seed_capacity, sizeof *flow->seeds);
    astar_release(allocator, flow->starts, grid->cells, sizeof *flow->starts);
    astar_release(allocator, flow->distances, grid->cells, sizeof *flow->distances);
    astar_release(allocator, flow->nexts, grid->cells, sizeof *flow->nexts);
    astar_buckets_free(&flow->open, allocator);
    astar_cells_free(&flow->suspects, allocator);
    astar_cells_free(&flow->touched, allocator);
    astar_costs_free(&flow->costs, grid);
    astar_flow_release(flow->source);
    astar_release(allocator, flow, 1, sizeof *flow);
    astar_finder_release(finder); // it may hold the last reference to the grid
}

size_t astar_flow_bytes(const AstarFlow *flow)
{
    size_t a_cell = 0;
    a_cell += flow->distances != NULL ? sizeof *flow->distances : 0;
    a_cell += flow->nexts != NULL ? sizeof *flow->nexts : 0;
    a_cell += flow->starts != NULL ? sizeof *flow->starts : 0;
    a_cell += flow->costs.answers != NULL ? sizeof *flow->costs.answers : 0;
    return sizeof *flow + a_cell * flow->finder->grid->cells +
           flow->seed_capacity * sizeof *flow->seeds + astar_buckets_bytes(&flow->open) +
           (flow->suspects.capacity + flow->touched.capacity) * sizeof(uint32_t);
}

uint64_t astar_flow_expanded(const AstarFlow *flow)
{
    return flow->expanded;
}

// ---- seeds ----

static int compare_seeds(const void *a, const void *b)
{
    const AstarSeed *left = a, *right = b;
    if (left->cell != right->cell)
        return left->cell < right->cell ? -1 : 1;
    return (left->value > right->value) - (left->value < right->value);
}

// Puts the seeds in order and leaves the least of each cell.
static void sort_seeds(AstarFlow *flow)
{
    if (flow->seed_count == 0)
        return;
    qsort(flow->seeds, flow->seed_count, sizeof *flow->seeds, compare_seeds);
    size_t kept = 1;
    for (size_t i = 1; i < flow->seed_count; i++)
        if (flow->seeds[i].cell != flow->seeds[kept - 1].cell)
            flow->seeds[kept++] = flow->seeds[i];
    flow->seed_count = kept;
}

// The cells that count as a goal: a rectangle.
typedef struct GoalBox {
    int x0, y0, x1, y1;
} GoalBox;

static GoalBox box_around(const AstarGrid *grid, int x, int y, int range)
{
    GoalBox box = {x - range, y - range, x + range, y + range};
    box.x0 = box.x0 < 0 ? 0 : box.x0;
    box.y0 = box.y0 < 0 ? 0 : box.y0;
    box.x1 = box.x1 >= grid->width ? grid->width - 1 : box.x1;
    box.y1 = box.y1 >= grid->height ? grid->height - 1 : box.y1;
    return box;
}

AstarStatus astar_flow_new(AstarFinder *finder, const AstarFlowGoal *goals, size_t count,
                           double max_cost, AstarFlow **out)
{
    const AstarGrid *grid = finder->grid;
    int range = finder->options.range;
    size_t seeds = 0;
    for (size_t i = 0; i < count; i++) {
        assert(astar_inside(grid, goals[i].x, goals[i].y) && isfinite(goals[i].value));
        GoalBox box = box_around(grid, goals[i].x, goals[i].y, range);
        seeds += (size_t)(box.x1 - box.x0 + 1) * (size_t)(box.y1 - box.y0 + 1);
    }
    AstarFlow *flow;
    AstarStatus status = new_flow(finder, seeds, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        GoalBox box = box_around(grid, goals[i].x, goals[i].y, range);
        for (int y = box.y0; y <= box.y1; y++)
            for (int x = box.x0; x <= box.x1; x++)
                flow->seeds[flow->seed_count++] = (AstarSeed){astar_cell(grid, x, y),
                                                              goals[i].value};
    }
    sort_seeds(flow);
    *out = flow;
    return ASTAR_OK;
}

AstarStatus astar_reach_new(AstarFinder *finder, int x, int y, double max_cost, AstarFlow **out)
{
    assert(astar_inside(finder->grid, x, y) && max_cost >= 0);
    AstarFlow *flow;
    AstarStatus status = new_flow(finder, 1, max_cost, &flow);
    if (status != ASTAR_OK)
        return status;
    flow->seeds[0] = (AstarSeed){astar_cell(finder->grid, x, y), 0};
    flow->seed_count = 1;
    flow->forward = true;
    *out = flow;
    return ASTAR_OK;
}

AstarStatus astar_flow_flee(AstarFlow *flow, double factor, AstarFlow **out)
{
    if (flow->forward || !(factor >= LOWEST_FACTOR && factor <= HIGHEST_FACTOR))
        return ASTAR_BAD_OPTION;
    AstarFlow *flee;
    AstarStatus status = new_flow(flow->finder, 0, INFINITY, &flee);
    if (status != ASTAR_OK)
        return status;
    flee->source = flow;
    flow->references++;
    flee->factor = factor;
    *out = flee;
    return ASTAR_OK;
}

static const AstarSeed *find_seed(const AstarFlow *flow, uint32_t cell)
{
    size_t low = 0, high = flow->seed_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->seeds[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < flow->seed_count && flow->seeds[low].cell == cell ? &flow->seeds[low] : NULL;
}

double astar_flow_seed(const AstarFlow *flow, uint32_t cell)
{
    if (flow->starts != NULL)
        return flow->starts[cell];
    const AstarSeed *seed = find_seed(flow, cell);
    return seed != NULL ? astar_finder_round(flow->finder, seed->value) : (double)INFINITY;
}

// ---- beginning ----

// The least and the largest value that a seed has.
static void find_span(const AstarFlow *flow, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    size_t count = flow->starts != NULL ? flow->finder->grid->cells : flow->seed_count;
    for (size_t i = 0; i < count; i++) {
        double value = flow->starts != NULL ? flow->starts[i] : flow->seeds[i].value;
        if (isinf(value))
            continue;
        *least = value < *least ? value : *least;
        *most = value > *most ? value : *most;
    }
    if (isinf(*least))
        *least = *most = 0;
}

// The dearest step there is by the data.
static double dearest_step(const AstarFinder *finder)
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
    double span = (dearest_step(finder) + most - least) / finder->min_cost;
    if (astar_finder_asks(finder))
        span = span < 64 ? 64 : span; // what callbacks say is not known
    return astar_buckets_begin(&flow->open, allocator_of(flow), least, finder->min_cost, span);
}

static double *new_doubles(const AstarFlow *flow)
{
    return astar_alloc(allocator_of(flow), flow->finder->grid->cells, sizeof(double));
}

// Works out the flow it flees from, and what cells begin with by that.
static AstarStatus flee(AstarFlow *flow)
{
    AstarFlow *source = flow->source;
    uint32_t turn = flow->turn;
    AstarStatus status = astar_flow_complete(source, flow->costs.context);
    if (status != ASTAR_OK)
        return status;
    if (flow->turn != turn)
        return ASTAR_RUNNING;
    if (flow->starts == NULL)
        flow->starts = new_doubles(flow);
    if (flow->starts == NULL)
        return ASTAR_NO_MEMORY;
    for (uint32_t cell = 0; cell < flow->finder->grid->cells; cell++) {
        double distance = source->distances[cell];
        flow->starts[cell] = isinf(distance)
                                 ? distance
                                 : astar_finder_round(flow->finder, distance * flow->factor);
    }
    return ASTAR_OK;
}

AstarStatus astar_flow_restart(AstarFlow *flow, bool forgets)
{
    AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    if (flow->source != NULL) {
        AstarStatus status = flee(flow);
        if (status != ASTAR_OK)
            return status;
    }
    flow->begun = false;
    if (flow->distances == NULL)
        flow->distances = new_doubles(flow);
    if (flow->distances == NULL)
        return ASTAR_NO_MEMORY;
    AstarStatus status = begin_open(flow);
    if (status == ASTAR_OK && (forgets || flow->costs.finder == NULL))
        status = astar_costs_begin(&flow->costs, finder);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        flow->distances[cell] = INFINITY;
    if (flow->nexts != NULL)
        memset(flow->nexts, 0, grid->cells);
    flow->suspects.count = flow->touched.count = 0;
    double limit = finder->options.max_cost;
    limit = flow->max_cost < limit ? flow->max_cost : limit;
    flow->limit = flow->source != NULL ? INFINITY : limit * LENIENCE;
    flow->cut = false;
    flow->planted = 0;
    flow->reached = 0;
    flow->turn++;
    flow->version = flow->costs.version = grid->version;
    flow->palette_version = grid->palette_version;
    memcpy(flow->cell_cost, finder->cell_cost, sizeof flow->cell_cost);
    flow->unit = finder->unit;
    flow->begun = true;
    return ASTAR_OK;
}

// ---- steps ----

// Where the reach of a unit begins, even if blocked.
static bool is_start(const AstarFlow *flow, uint32_t cell)
{
    return flow->forward && flow->seeds[0].cell == cell;
}

static bool bears(const AstarFlow *flow, uint32_t cell)
{
    const AstarFinder *finder = flow->finder;
    return isfinite(finder->cell_cost[finder->ground[cell]]);
}

AstarStatus astar_flow_enters(AstarFlow *flow, uint32_t cell, int x, int y, bool *enters)
{
    *enters = false;
    if (flow->starts != NULL && isinf(flow->starts[cell]))
        return ASTAR_OK;
    if (is_start(flow, cell)) {
        *enters = bears(flow, cell);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    double cost;
    AstarStatus status = astar_costs_cell(&flow->costs, x, y, &cost);
    *enters = isfinite(cost);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

static unsigned direction_to(const AstarFlow *flow, int x, int y, uint32_t cell)
{
    int width = flow->finder->grid->width;
    int dx = (int)(cell % (uint32_t)width) - x, dy = (int)(cell / (uint32_t)width) - y;
    bool beside = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx != 0 || dy != 0);
    return beside ? 1u << astar_direction(dx, dy) : 0;
}

// A blocked start can be left, but neither entered nor passed.
static unsigned add_start(const AstarFlow *flow, int x, int y, unsigned free)
{
    unsigned start = direction_to(flow, x, y, flow->seeds[0].cell);
    if (start == 0 || (free & start) != 0 || !bears(flow, flow->seeds[0].cell))
        return 0;
    return astar_legal_moves(flow->finder->options.diagonals, free | start) & start;
}

static void plain_steps(const AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                        unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    const uint8_t *ground = finder->ground;
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y);
    steps->moves = astar_legal_moves(finder->options.diagonals, free);
    if (flow->forward && !out)
        steps->moves |= add_start(flow, x, y, free);
    steps->moves &= wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t entered = out ? cell + (uint32_t)(astar_dy[d] * finder->grid->width + astar_dx[d])
                               : cell;
        steps->costs[d] = finder->step[d & 1][ground[entered]];
    }
}

// Asks a step_cost callback about steps whose costs are otherwise known.
static AstarStatus ask_steps(AstarFlow *flow, int x, int y, bool out, AstarFlowSteps *steps)
{
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        int from_x = out ? x : x + astar_dx[d], from_y = out ? y : y + astar_dy[d];
        AstarStatus status = astar_costs_of_step(&flow->costs, from_x, from_y,
                                                 out ? d : (d + 4) & 7, &steps->costs[d]);
        if (status != ASTAR_OK)
            return status;
        if (isinf(steps->costs[d]))
            steps->moves &= ~(1u << d);
    }
    return ASTAR_OK;
}

static AstarStatus asking_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                                unsigned wanted, AstarFlowSteps *steps)
{
    const AstarFinder *finder = flow->finder;
    AstarAround around;
    double here = 0;
    unsigned moves = wanted;
    AstarStatus status = out ? ASTAR_OK : astar_costs_cell(&flow->costs, x, y, &here);
    if (status == ASTAR_OK)
        status = astar_costs_around(&flow->costs, cell, x, y, !out, &moves, &around);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward && !out)
        moves |= add_start(flow, x, y, around.free);
    steps->moves = isinf(here) ? 0 : moves & wanted;
    for (unsigned rest = steps->moves; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        double cost = out ? around.costs[d] : here;
        double length = d & 1 ? finder->options.diagonal_cost : 1;
        steps->costs[d] = astar_finder_round(finder, cost * length);
    }
    return ask_steps(flow, x, y, out, steps);
}

AstarStatus astar_flow_steps(AstarFlow *flow, uint32_t cell, int x, int y, bool out,
                             unsigned wanted, AstarFlowSteps *steps)
{
    if (!astar_finder_asks(flow->finder)) {
        plain_steps(flow, cell, x, y, out, wanted, steps);
        return ASTAR_OK;
    }
    uint32_t turn = flow->turn;
    AstarStatus status = asking_steps(flow, cell, x, y, out, wanted, steps);
    return status == ASTAR_OK && flow->turn != turn ? ASTAR_RUNNING : status;
}

// The neighbours that have distances.
static unsigned known_around(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarGrid *grid = flow->finder->grid;
    unsigned known = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) && flow->distances[next] < 1e300)
            known |= 1u << d;
    }
    return known;
}

AstarStatus astar_flow_pull(AstarFlow *flow, uint32_t cell, int x, int y, double *best,
                            int *direction)
{
    static const uint8_t order[ASTAR_DIRECTIONS] = {1, 3, 5, 7, 0, 2, 4, 6};
    AstarFlowSteps steps;
    *best = astar_flow_seed(flow, cell);
    *direction = ASTAR_FLOW_STAY;
    unsigned known = known_around(flow, cell, x, y);
    if (known == 0 || (flow->forward && is_start(flow, cell)))
        return ASTAR_OK;
    AstarStatus status = astar_flow_steps(flow, cell, x, y, !flow->forward, known, &steps);
    if (status != ASTAR_OK)
        return status;
    for (int i = 0; i < ASTAR_DIRECTIONS; i++) {
        int d = order[i];
        if ((steps.moves >> d & 1) == 0)
            continue;
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = flow->distances[next] + steps.costs[d];
        if (way < *best && flow->distances[next] < flow->distances[cell]) {
            *best = way;
            *direction = d;
        }
    }
    return ASTAR_OK;
}

// ---- expanding ----

// Whether cells are brought nearer that may have been asked about.
static bool mends(const AstarFlow *flow)
{
    return flow->nexts != NULL && flow->open.current < flow->reached;
}

AstarStatus astar_flow_lower(AstarFlow *flow, uint32_t cell, int x, int y, double distance)
{
    AstarStatus status = astar_buckets_put(&flow->open, allocator_of(flow),
                                           astar_entry(x, y, ASTAR_FLOW_STAY), distance);
    if (status != ASTAR_OK)
        return status;
    flow->distances[cell] = distance;
    if (mends(flow))
        astar_flow_forget_around(flow, x, y);
    return ASTAR_OK;
}

// Begins with the seeds that can be entered.
static AstarStatus plant(AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    size_t count = flow->starts != NULL ? grid->cells : flow->seed_count;
    while (flow->planted < count) {
        uint32_t cell = flow->starts != NULL ? (uint32_t)flow->planted
                                             : flow->seeds[flow->planted].cell;
        int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
        bool enters;
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &enters);
        if (status != ASTAR_OK)
            return status;
        double value = astar_flow_seed(flow, cell);
        if (enters && value > flow->limit)
            flow->cut = true;
        else if (enters && value < flow->distances[cell])
            status = astar_flow_lower(flow, cell, x, y, value);
        if (status != ASTAR_OK)
            return status;
        flow->planted++;
    }
    return ASTAR_OK;
}

// The directions that may be on best ways over ground of one cost, after a step in direction
// 'from', 'free' being the free neighbours: see the top.
static unsigned ahead(unsigned from, unsigned free, bool strict)
{
    unsigned on = 1u << from;
    if (from & 1) { // what is past a corner that was blocked, on and half aside
        unsigned right = astar_turn(on, 3) & ~free, left = astar_turn(on, 5) & ~free;
        return on | astar_turn(on, 1) | astar_turn(on, 7) | astar_turn(right, 7) |
               astar_turn(left, 1);
    }
    unsigned right = astar_turn(on, 2) & ~free, left = astar_turn(on, 6) & ~free;
    if (!strict) // aside is blocked, so that half aside could not be come to from there
        return on | astar_turn(right, 7) | astar_turn(left, 1);
    right |= astar_turn(astar_turn(on, 3) & ~free, 7);
    left |= astar_turn(astar_turn(on, 5) & ~free, 1);
    return on | right | left | astar_turn(right, 7) | astar_turn(left, 1);
}

static bool can_leave_out(const AstarFlow *flow)
{
    const AstarFinder *finder = flow->finder;
    double length = finder->options.diagonal_cost;
    return finder->is_uniform && flow->starts == NULL && length > 1.0001 && length < 1.9999 &&
           finder->options.diagonals != ASTAR_NEVER;
}

// Expands a cell where the data tell all. 'leaves_out' is can_leave_out.
ASTAR_SPECIALIZE AstarStatus expand_plain(AstarFlow *flow, uint64_t entry, uint32_t cell,
                                          bool leaves_out, bool forward)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    double *distances = flow->distances, distance = distances[cell];
    int x = astar_entry_x(entry), y = astar_entry_y(entry);
    unsigned from = astar_entry_from(entry);
    AstarDiagonals rule = finder->options.diagonals;
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y);
    unsigned moves = astar_legal_moves(rule, free);
    if (from != ASTAR_FLOW_STAY)
        moves &= leaves_out ? ahead(from, free, rule == ASTAR_ONLY_WHEN_NO_OBSTACLES)
                            : ~(1u << ((from + 4) & 7));
    int terrain = finder->ground[cell];
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (forward)
            terrain = finder->ground[next];
        double way = distance + finder->step[d & 1][terrain];
        if (way >= distances[next] || (flow->starts != NULL && isinf(flow->starts[next])))
            continue;
        if (way > flow->limit) {
            flow->cut = true;
            continue;
        }
        uint64_t step = astar_entry(x + astar_dx[d], y + astar_dy[d], (unsigned)d);
        AstarStatus status = astar_buckets_put(&flow->open, &grid->allocator, step, way);
        if (status != ASTAR_OK)
            return status;
        distances[next] = way;
        if (mends(flow))
            astar_flow_forget_around(flow, astar_entry_x(step), astar_entry_y(step));
    }
    return ASTAR_OK;
}

// The neighbours that a step from a cell may bring nearer.
static unsigned improvable(const AstarFlow *flow, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = flow->finder;
    const AstarGrid *grid = finder->grid;
    double least = flow->distances[cell] + finder->min_cost;
    unsigned wanted = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        if (astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) && flow->distances[next] > least)
            wanted |= 1u << d;
    }
    return wanted;
}

static AstarStatus expand_asking(AstarFlow *flow, uint64_t entry, uint32_t cell)
{
    int x = astar_entry_x(entry), y = astar_entry_y(entry);
    unsigned wanted = improvable(flow, cell, x, y);
    AstarFlowSteps steps;
    if (wanted == 0)
        return ASTAR_OK;
    AstarStatus status = astar_flow_steps(flow, cell, x, y, flow->forward, wanted, &steps);
    for (unsigned rest = steps.moves; status == ASTAR_OK && rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * flow->finder->grid->width + astar_dx[d]);
        double way = flow->distances[cell] + steps.costs[d];
        if (way >= flow->distances[next] || (flow->starts != NULL && isinf(flow->starts[next])))
            continue;
        if (way > flow->limit)
            flow->cut = true;
        else
            status = astar_flow_lower(flow, next, x + astar_dx[d], y + astar_dy[d], way);
    }
    return status;
}

ASTAR_SPECIALIZE AstarStatus empty_bucket(AstarFlow *flow, bool asks, bool leaves_out, bool forward)
{
    AstarBuckets *open = &flow->open;
    AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    size_t width = (size_t)flow->finder->grid->width;
    while (open->position < bucket->count) {
        uint64_t entry = bucket->entries[open->position];
        uint32_t cell = (uint32_t)((size_t)astar_entry_y(entry) * width +
                                   (size_t)astar_entry_x(entry));
        double distance = flow->distances[cell];
        if (distance < 1e300 && astar_bucket_of(open, distance) == open->current) {
            AstarStatus status = asks ? expand_asking(flow, entry, cell)
                                      : expand_plain(flow, entry, cell, leaves_out, forward);
            if (status != ASTAR_OK)
                return status;
            flow->expanded++;
        }
        open->position++;
    }
    return ASTAR_OK;
}

// Empties the current bucket and goes on to the next. A callback may leave at any cell: it is
// expanded again then.
static AstarStatus settle_bucket(AstarFlow *flow)
{
    AstarStatus status;
    if (astar_finder_asks(flow->finder))
        status = empty_bucket(flow, true, false, false);
    else if (can_leave_out(flow)) // forward or not: all steps cost the same
        status = empty_bucket(flow, false, true, false);
    else
        status = flow->forward ? empty_bucket(flow, false, false, true)
                               : empty_bucket(flow, false, false, false);
    if (status != ASTAR_OK)
        return status;
    status = astar_buckets_advance(&flow->open, allocator_of(flow), flow->distances,
                                   flow->finder->grid->width);
    bool is_complete = astar_buckets_are_empty(&flow->open);
    if (flow->open.current + is_complete > flow->reached)
        flow->reached = flow->open.current + is_complete;
    if (is_complete)
        astar_buckets_trim(&flow->open, allocator_of(flow));
    flow->turn++;
    return status;
}

// Makes the flow fit for the grid as it is, ready to settle. ASTAR_RUNNING: once more.
static AstarStatus prepare(AstarFlow *flow)
{
    AstarStatus status = astar_flow_sync(flow);
    return status == ASTAR_OK ? plant(flow) : status;
}

// Settles buckets until all are, or those below 'until'.
static AstarStatus settle_until(AstarFlow *flow, void *context, int64_t until)
{
    for (;;) {
        flow->costs.context = context;
        AstarStatus status = prepare(flow);
        if (status == ASTAR_OK) {
            if (astar_buckets_are_empty(&flow->open) || flow->open.current >= until)
                return ASTAR_OK;
            status = settle_bucket(flow);
        }
        if (status != ASTAR_OK && status != ASTAR_RUNNING)
            return status;
    }
}

AstarStatus astar_flow_complete(AstarFlow *flow, void *context)
{
    return settle_until(flow, context, INT64_MAX);
}

AstarStatus astar_flow_update(AstarFlow *flow, void *context)
{
    bool was_complete = flow->begun && astar_buckets_are_empty(&flow->open) && flow->planted > 0 &&
                        flow->suspects.count + flow->touched.count == 0;
    return settle_until(flow, context, was_complete ? INT64_MAX : flow->reached);
}

// ---- questions ----

// What is known of a cell. Units may stand where they could not come to: there a distance is not
// kept, but told by those around.
static AstarStatus look(AstarFlow *flow, uint32_t cell, int x, int y, double *best, int *direction)
{
    bool may_stand = true;
    *best = flow->distances[cell];
    if (*best < 1e300 && (direction == NULL || !astar_flow_is_settled(flow, *best)))
        return ASTAR_OK;
    if (flow->forward || (flow->starts != NULL && isinf(flow->starts[cell]) &&
                          astar_bits_get(&flow->finder->walkable->bits, x, y))) {
        AstarStatus status = astar_flow_enters(flow, cell, x, y, &may_stand);
        if (status != ASTAR_OK)
            return status;
    }
    int from;
    *best = INFINITY;
    return may_stand
               ? astar_flow_pull(flow, cell, x, y, best, direction != NULL ? direction : &from)
               : ASTAR_OK;
}

// Settles the flow as far as a cell needs; its distance and where that comes from, unless
// 'direction' is NULL.
static AstarStatus settle(AstarFlow *flow, uint32_t cell, int x, int y, void *context, double *best,
                          int *direction)
{
    for (;;) {
        flow->costs.context = context;
        AstarStatus status = prepare(flow);
        if (status == ASTAR_OK)
            status = look(flow, cell, x, y, best, direction);
        if (status == ASTAR_OK) {
            if (astar_flow_is_settled(flow, *best))
                return ASTAR_OK;
            status = settle_bucket(flow);
        }
        if (status != ASTAR_OK && status != ASTAR_RUNNING)
            return status;
    }
}

static bool any_goal_is_free(const AstarFlow *flow)
{
    const AstarGrid *grid = flow->finder->grid;
    const AstarFlow *with_goals = flow;
    while (with_goals->source != NULL)
        with_goals = with_goals->source;
    for (size_t i = 0; i < with_goals->seed_count; i++) {
        uint32_t cell = with_goals->seeds[i].cell;
        int x = (int)(cell % (uint32_t)grid->width), y = (int)(cell / (uint32_t)grid->width);
        if (astar_bits_get(&flow->finder->walkable->bits, x, y) &&
            (with_goals->costs.answers == NULL || with_goals->costs.answers[cell].stamp == 0 ||
             isfinite(with_goals->costs.answers[cell].cost)))
            return true;
    }
    return with_goals->seed_count == 0;
}

// Why a cell has no distance.
static AstarStatus reason(const AstarFlow *flow, int x, int y)
{
    const AstarFinder *finder = flow->finder;
    uint32_t cell = astar_cell(finder->grid, x, y);
    if (!bears(flow, flow->forward ? flow->seeds[0].cell : cell))
        return ASTAR_START_BLOCKED;
    if (flow->forward && !astar_bits_get(&finder->walkable->bits, x, y))
        return ASTAR_GOAL_BLOCKED;
    if (!flow->forward && !any_goal_is_free(flow))
        return ASTAR_GOAL_BLOCKED;
    bool cut = flow->cut || (flow->source != NULL && flow->source->cut);
    return cut ? ASTAR_MAX_COST : ASTAR_UNREACHABLE;
}

// What a question about a cell comes to: its distance and where that comes from.
static AstarStatus ask(AstarFlow *flow, int x, int y, void *context, double *best, int *direction)
{
    assert(astar_inside(flow->finder->grid, x, y));
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    AstarStatus status = settle(flow, cell, x, y, context, best, direction);
    if (status != ASTAR_OK)
        return status;
    if (!bears(flow, cell) || *best > 1e300)
        return reason(flow, x, y);
    return *best > flow->limit ? ASTAR_MAX_COST : ASTAR_OK;
}

AstarStatus astar_flow_distance(AstarFlow *flow, int x, int y, void *context, double *distance)
{
    double best;
    AstarStatus status = ask(flow, x, y, context, &best, NULL);
    if (status == ASTAR_OK)
        *distance = best;
    return status;
}

static AstarStatus find_next(AstarFlow *flow, int x, int y, void *context, int *direction)
{
    uint32_t cell = astar_cell(flow->finder->grid, x, y);
    *direction = astar_flow_recalled(flow, cell);
    if (*direction >= 0)
        return ASTAR_OK;
    if (flow->nexts == NULL)
        flow->nexts = astar_alloc(allocator_of(flow), flow->finder->grid->cells, 1);
    if (flow->nexts == NULL)
        return ASTAR_NO_MEMORY;
    double best;
    AstarStatus status = ask(flow, x, y, context, &best, direction);
    if (status == ASTAR_OK)
        flow->nexts[cell] = (uint8_t)(*direction + 1);
    return status;
}

AstarStatus astar_flow_next(AstarFlow *flow, int x, int y, void *context, int *next_x, int *next_y)
{
    int direction;
    AstarStatus status = find_next(flow, x, y, context, &direction);
    if (status != ASTAR_OK)
        return status;
    *next_x = x + (direction < ASTAR_FLOW_STAY ? astar_dx[direction] : 0);
    *next_y = y + (direction < ASTAR_FLOW_STAY ? astar_dy[direction] : 0);
    return ASTAR_OK;
}

AstarStatus astar_flow_cell(AstarFlow *flow, uint64_t *cell, void *context, int *x, int *y,
                            double *distance)
{
    AstarStatus status = astar_flow_complete(flow, context);
    if (status != ASTAR_OK)
        return status;
    const AstarGrid *grid = flow->finder->grid;
    while (*cell < grid->cells && flow->distances[*cell] > 1e300)
        ++*cell;
    if (*cell >= grid->cells)
        return ASTAR_UNREACHABLE;
    *distance = flow->distances[*cell];
    *x = (int)(*cell % (uint32_t)grid->width);
    *y = (int)(*cell / (uint32_t)grid->width);
    ++*cell;
    return ASTAR_OK;
}

// ---- paths ----

// Adds what a step costs to the sums of straight and diagonal ones, so that like terms round but
// once.
static AstarStatus add_cost(AstarFlow *flow, int x, int y, int direction, double sums[2])
{
    double cost;
    AstarStatus status;
    if (flow->finder->options.step_cost == NULL) {
        status = astar_costs_cell(&flow->costs, x + astar_dx[direction], y + astar_dy[direction],
                                  &cost);
        sums[direction & 1] += cost;
    } else {
        status = astar_costs_step(&flow->costs, x, y, direction, &cost, NULL);
        sums[0] += cost;
    }
    return status;
}

// Adds the cells from (x, y) on.
static AstarStatus follow(AstarFlow *flow, int x, int y, void *context, AstarPath *path,
                          double sums[2])
{
    for (;;) {
        AstarStatus status = astar_path_add(path, x, y, 1);
        int d;
        if (status == ASTAR_OK)
            status = find_next(flow, x, y, context, &d);
        if (status != ASTAR_OK || d == ASTAR_FLOW_STAY)
            return status;
        flow->costs.context = context;
        status = flow->forward ? add_cost(flow, x + astar_dx[d], y + astar_dy[d], (d + 4) & 7, sums)
                               : add_cost(flow, x, y, d, sums);
        if (status != ASTAR_OK)
            return status;
        x += astar_dx[d];
        y += astar_dy[d];
    }
}

AstarStatus astar_flow_path(AstarFlow *flow, int x, int y, void *context, AstarPath *path)
{
    int d;
    AstarStatus status = find_next(flow, x, y, context, &d);
    if (status != ASTAR_OK)
        return status;
    double sums[2] = {0, 0};
    astar_path_clear(path, allocator_of(flow));
    status = follow(flow, x, y, context, path, sums);
    if (status != ASTAR_OK)
        return status;
    if (flow->forward)
        astar_path_turn(path);
    const AstarOptions *options = &flow->finder->options;
    path->cost = sums[0] + sums[1] * options->diagonal_cost;
    path->expanded = 0;
    path->algorithm = ASTAR_DIJKSTRA;
    path->partial = false;
    path->orthogonal = options->diagonals == ASTAR_NEVER;
    astar_path_measure(path);
    return ASTAR_OK;
}
