// finder.c -- Finders: checking the options, and computing the tables that searches read.
//
// The cost of a route is a sum of many terms, some of them irrational. With plain doubles, equally
// cheap routes would differ in their last bits, and rounding would decide between them. The cost of
// each step is therefore rounded once, to a multiple of 'unit'. The unit is 2^-31 of the cheapest
// cost, rounded to a power of two. Sums of multiples are exact in any order while they stay below
// 2^22 times the cheapest cost, so equally cheap routes compare equal on every machine.
//
// Larger sums, and sums of results of a step_cost callback, are rounded like any doubles, to about
// 16 digits. Sums never overflow. If a link is cheaper than all ground, its cost is rounded to a
// finer unit, 2^-31 of its cost. Sums that contain this link are exact up to 2^22 times its cost.
//
// Best-first search counts in whole multiples of the unit, see search/best_first.c. The cost of a
// finished path is computed from the costs before rounding.

#include "finder/finder.h"

#include "base/directions.h"
#include "finder/costs.h"
#include "finder/roads.h"

#include <math.h>
#include <string.h>

enum { UNIT_BITS = 31 };
// Limits of the small whole numbers that work_out_counts() finds: of the number of parts of a cost
// of 1, and of the count of a step.
enum { MOST_PARTS = 20, MOST_COUNT = 255 };

static bool in_range(double value, double least, double most)
{
    return value >= least && value <= most;
}

static bool costs_are_valid(const double *costs)
{
    for (int i = 0; costs != NULL && i < ASTAR_MAX_TERRAINS; i++)
        if (!isnan(costs[i]) && !astar_is_terrain_cost(costs[i]))
            return false;
    return true;
}

// Returns true if a query can be answered with the other options of the finder: a heading is
// allowed only if bends count, and any-angle routes only if bends do not count.
static bool query_fits(const AstarOptions *o, const AstarQueryOptions *q)
{
    bool has_bends = q->bends == ASTAR_BENDS_FEWEST || o->bend_cost > 0;
    AstarNeeds needs = astar_needs_of_options(o) | astar_needs_of_query(q);
    return (q->heading == ASTAR_NO_HEADING || has_bends) &&
           !(o->any_angle &&
             (q->bends != ASTAR_BENDS_ANY || astar_refusal_of(ASTAR_ANY_ANGLE, needs) != NULL));
}

// Returns true if a heading is ASTAR_NO_HEADING or a direction in which cells of the shape have
// neighbours.
static bool has_heading(const AstarShape *shape, AstarHeading heading)
{
    return heading == ASTAR_NO_HEADING ||
           (heading < ASTAR_HEADING_COUNT &&
            shape->steps_over[0][heading - 1] + shape->steps_over[1][heading - 1] !=
                2 * ASTAR_NO_SIDE);
}

const AstarRefusal *astar_finder_refusal(const AstarFinder *finder, const AstarQueryOptions *query)
{
    static const AstarRefusal out_of_range = {NULL, ASTAR_BAD_OPTION};
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_query(query);
    bool is_valid = astar_query_in_range(query) && query_fits(&finder->options, query);
    is_valid &= has_heading(finder->grid->shape, query->heading);
    const AstarRefusal *refusal = astar_refusal_of(finder->options.algorithm,
                                                   needs | astar_needs_asked(query));
    if (refusal == NULL && finder->grid->shape->wraps != 0)
        refusal = astar_refusal_of(ASTAR_GOING_ROUND, needs);
    return is_valid ? refusal : &out_of_range;
}

const char *astar_query_refusal(const AstarFinder *finder, const AstarQueryOptions *query)
{
    AstarNeeds needs = finder->needs | astar_needs_asked(query);
    const AstarRefusal *refusal = astar_refusal_of(finder->options.algorithm, needs);
    return refusal != NULL ? refusal->what : NULL;
}

AstarQueryOptions astar_query_default(const AstarFinder *finder)
{
    return finder->query;
}

static bool bend_costs_are_valid(const AstarOptions *o)
{
    for (int i = 0; i < ASTAR_BEND_ANGLES && o->bend_costs != NULL; i++)
        if (!in_range(o->bend_costs[i], 0, o->bend_cost))
            return false;
    return true;
}

static bool options_are_valid(const AstarOptions *o)
{
    AstarQueryOptions query = astar_query_of_options(o);
    return astar_options_in_range(o) && in_range(o->height, 0, ASTAR_MAX_SIZE) &&
           bend_costs_are_valid(o) && query_fits(o, &query) && astar_options_refusal(o) == NULL;
}

// Returns a ratio of whole numbers that is close to 'number', which lies between 1 and 2. The
// denominator stays below about 8000. The search descends in the Stern-Brocot tree, and ends at an
// exact ratio or at the last one within that limit. No fraction with a smaller denominator lies
// between the result and the number.
static AstarRatio approximate(double number)
{
    AstarRatio low = {1, 1}, high = {1, 2}, ratio = number < 2 ? low : high;
    while (!astar_ratio_is_exact(ratio, number) && low.straight + high.straight < 8000) {
        ratio = (AstarRatio){low.straight + high.straight, low.diagonal + high.diagonal};
        *(ratio.diagonal > number * ratio.straight ? &high : &low) = ratio;
    }
    return ratio;
}

// Returns the number of entries of 'own.cost': the costs of terrains, followed by the costs of
// bends by angle if there are any.
static size_t own_capacity(const AstarOptions *options, size_t count)
{
    return count + (options->bend_costs != NULL ? ASTAR_BEND_ANGLES : 0);
}

static bool copy_own_costs(AstarFinder *finder, const AstarAllocator *allocator,
                           const AstarOptions *chosen)
{
    const double *costs = chosen->costs;
    size_t count = costs != NULL ? ASTAR_MAX_TERRAINS : 0;
    while (count > 0 && isnan(costs[count - 1]))
        count--;
    size_t capacity = own_capacity(chosen, count);
    if (capacity == 0)
        return true;
    finder->own.cost = astar_alloc(allocator, capacity, sizeof *costs);
    if (finder->own.cost == NULL)
        return false;
    for (size_t i = 0; i < capacity; i++)
        finder->own.cost[i] = i < count ? costs[i] : chosen->bend_costs[i - count];
    finder->own.count = (uint32_t)count;
    return true;
}

const char *astar_grid_refusal(const AstarGrid *grid, const AstarOptions *o)
{
    if (!astar_heuristic_fits(o->heuristic, grid->shape))
        return "this heuristic";
    AstarNeeds of_size = astar_needs_of_shape(grid) & astar_need_if(true, ASTAR_NEED_SHAPE);
    if (astar_refusal_of(o->algorithm, of_size) != NULL)
        return "this algorithm";
    if (grid->shape->has_corners && grid->shape->wraps == 0)
        return NULL;
    if (o->size > 1 || o->height > 1)
        return "size";
    if (o->any_angle)
        return "any_angle";
    if (o->margin > 0 && !grid->shape->has_corners)
        return "margin";
    if (!has_heading(grid->shape, o->heading))
        return "this heading";
    if (astar_refusal_of(o->algorithm, astar_needs_of_shape(grid)) != NULL)
        return "this algorithm";
    AstarQueryOptions query = astar_query_of_options(o);
    AstarNeeds needs = astar_needs_of_options(o) | astar_needs_of_query(&query);
    const AstarRefusal *refusal = astar_refusal_of(ASTAR_GOING_ROUND, needs);
    return grid->shape->wraps != 0 && refusal != NULL ? refusal->what : NULL;
}

// Sets the corner rule and the tables for pruning. Hexagons, which have no corners, have a separate
// rule.
static void choose_rule(AstarFinder *finder)
{
    AstarOptions *options = &finder->options;
    const AstarShape *shape = finder->grid->shape;
    finder->rule = &astar_corner_rules[options->diagonals];
    if (!shape->has_corners) {
        finder->rule = &astar_side_rule;
        options->diagonal_cost = 1; // all steps have the length 1
        astar_side_order_work_out(shape, finder->side_arrivals);
    }
    for (int exact = 0; exact < 2 && shape->has_corners; exact++)
        astar_canonical_work_out(finder->rule, options->diagonal_cost, exact,
                                 finder->arrivals[exact]);
    finder->whole = approximate(options->diagonal_cost);
}

// Creates a finder. If astar_field_sum_new has created a sum of fields, 'chosen' has this sum as
// its field 'avoid'. 'height' must be above 0.
static AstarStatus new_finder(AstarGrid *grid, AstarOptions chosen, AstarFinder **out)
{
    if (!options_are_valid(&chosen) ||
        (chosen.avoid != NULL && !astar_field_fits(chosen.avoid, grid)) ||
        chosen.ignore >> astar_grid_layer_count(grid) != 0 ||
        astar_grid_refusal(grid, &chosen) != NULL)
        return ASTAR_BAD_OPTION;
    if (!costs_are_valid(chosen.costs))
        return ASTAR_BAD_COST;

    AstarFinder *finder = astar_alloc(&grid->allocator, 1, sizeof *finder);
    if (finder == NULL)
        return ASTAR_NO_MEMORY;
    if (!copy_own_costs(finder, &grid->allocator, &chosen)) {
        astar_release(&grid->allocator, finder, 1, sizeof *finder);
        return ASTAR_NO_MEMORY;
    }
    // The finder has copied 'costs'; 'avoids' and 'breach' are contained in the sum of fields.
    chosen.costs = NULL;
    chosen.avoids = NULL;
    chosen.breach = NULL;
    finder->options = chosen;
    if (chosen.bend_costs != NULL)
        finder->options.bend_costs = finder->own.cost + finder->own.count;
    finder->query = astar_query_of_options(&chosen);
    finder->references = 1;
    finder->needs = astar_needs_of_options(&chosen) | astar_needs_of_shape(grid);
    finder->costs.palette = UINT64_MAX;
    finder->grid = grid;
    choose_rule(finder);
    astar_grid_retain(grid);
    if (chosen.avoid != NULL)
        astar_field_retain(chosen.avoid);
    *out = finder;
    return ASTAR_OK;
}

AstarStatus astar_finder_new(AstarGrid *grid, const AstarOptions *options, AstarFinder **out)
{
    AstarOptions chosen = options != NULL ? *options : astar_options_default();
    AstarFieldSum *sum = NULL;
    if (chosen.height == 0)
        chosen.height = chosen.size;
    AstarStatus status = astar_field_sum_new(grid, &chosen, &sum);
    if (status == ASTAR_OK)
        status = new_finder(grid, chosen, out);
    if (status != ASTAR_OK) {
        astar_field_sum_free(sum);
        return status;
    }
    (*out)->avoided.sum = sum;
    (*out)->breached = sum != NULL ? sum->layers : 0;
    return ASTAR_OK;
}

// Creates a finder with the given options and the terrain costs of another finder.
static AstarStatus new_with_costs(const AstarFinder *finder, AstarGrid *grid, AstarOptions options,
                                  AstarFinder **out)
{
    double costs[ASTAR_MAX_TERRAINS];
    for (size_t i = 0; i < ASTAR_MAX_TERRAINS; i++)
        costs[i] = i < finder->own.count ? finder->own.cost[i] : (double)NAN;
    options.costs = costs;
    AstarStatus status = new_finder(grid, options, out);
    if (status == ASTAR_OK)
        (*out)->breached = finder->breached;
    return status;
}

AstarStatus astar_finder_new_beside(const AstarFinder *finder, AstarOptions options,
                                    AstarFinder **out)
{
    return new_with_costs(finder, finder->grid, options, out);
}

AstarStatus astar_finder_new_like(const AstarFinder *finder, AstarGrid *grid, AstarField *avoid,
                                  AstarFinder **out)
{
    AstarOptions options = finder->options;
    options.avoid = avoid;
    return new_with_costs(finder, grid, options, out);
}

AstarStatus astar_finder_on_snapshot(AstarFinder *finder, AstarJobSnapshot *snapshot,
                                     uint64_t expansions, AstarFinder **out)
{
    AstarFinder *like = astar_finder_original(finder);
    int64_t work = astar_work_of(expansions);
    AstarStatus status = astar_snapshot_advance(snapshot, &work);
    if (status == ASTAR_OK)
        status = astar_finder_update_tables(like);
    if (status != ASTAR_OK)
        return status;
    AstarField *avoid = like->options.avoid != NULL ? snapshot->field : NULL;
    return astar_finder_new_like(like, snapshot->map, avoid, out);
}

AstarStatus astar_finder_new_supposing(const AstarFinder *finder, AstarFinder **out)
{
    AstarOptions options = finder->options;
    if (finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    if (!astar_finder_has_callbacks(finder))
        options.min_cost = 0; // without callbacks it had no effect
    if (options.cost == NULL)
        options.cost = astar_cost_as_given;
    if (options.algorithm != ASTAR_DIJKSTRA)
        options.algorithm = ASTAR_AUTO;
    return new_with_costs(finder, finder->grid, options, out);
}

const AstarOptions *astar_finder_options(const AstarFinder *finder)
{
    return &finder->options;
}

void astar_finder_retain(AstarFinder *finder)
{
    finder->references++;
}

// Sets the pointers to the seven tables of costs, which lie one after another in a block.
static void take_costs(AstarFinder *finder, double *costs, size_t capacity)
{
    finder->costs.cell = costs;
    finder->costs.step[0] = costs + capacity;
    finder->costs.step[1] = costs + 2 * capacity;
    finder->costs.whole[0] = (uint64_t *)(void *)(costs + 3 * capacity);
    finder->costs.whole[1] = finder->costs.whole[0] + capacity;
    finder->costs.counts[0] = costs + 5 * capacity;
    finder->costs.counts[1] = costs + 6 * capacity;
    finder->costs.capacity = (uint32_t)capacity;
}

static void free_costs(AstarFinder *finder)
{
    astar_release(&finder->grid->allocator, finder->costs.cell,
                  ASTAR_COST_TABLES * finder->costs.capacity, sizeof *finder->costs.cell);
}

// Frees the data that a finder shares with its copies.
static void free_shared(AstarFinder *finder)
{
    const AstarAllocator *allocator = &finder->grid->allocator;
    astar_field_sum_free(finder->avoided.sum);
    astar_supposed_free(allocator, finder->supposed);
    astar_roads_free(allocator, finder->roads);
    size_t capacity = own_capacity(&finder->options, finder->own.count);
    astar_release(allocator, finder->own.cost, capacity, sizeof *finder->own.cost);
    for (int i = 0; finder->flow_moves != NULL && i < 4; i++)
        astar_release(allocator, finder->flow_moves[i], astar_finder_phases(finder),
                      sizeof(AstarFlowMoves));
    astar_release(allocator, finder->flow_moves, 4, sizeof *finder->flow_moves);
}

static void release_layers(AstarFinder *finder)
{
#define RELEASE_LAYER(type, name, is_shared) astar_layer_release(finder->grid, finder->on.name);
    ASTAR_FINDER_LAYERS(RELEASE_LAYER)
#undef RELEASE_LAYER
}

void astar_finder_release(AstarFinder *finder)
{
    if (finder == NULL || --finder->references > 0)
        return;
    AstarGrid *grid = finder->grid;
    // The finder takes over the bitmap of one of its copies for the next query.
    if (finder->returns_bits && finder->original->on.lifted == NULL) {
        finder->original->on.lifted = finder->on.walkable;
        finder->on.walkable = NULL;
    }
    release_layers(finder);
    astar_field_release(finder->options.avoid);
    if (finder->original == NULL)
        free_shared(finder);
    free_costs(finder);
    astar_finder_release(finder->original);
    astar_release(&grid->allocator, finder, 1, sizeof *finder);
    astar_grid_release(grid);
}

AstarGrid *astar_finder_grid(const AstarFinder *finder)
{
    return finder->grid;
}

// The following functions compute the tables of a finder.

// Returns the cost of a terrain for the unit; INFINITY if the grid does not have the terrain yet
// and the unit has no cost of its own for it.
static double terrain_cost(const AstarFinder *finder, size_t terrain)
{
    const AstarGrid *grid = finder->grid;
    double own = terrain < finder->own.count ? finder->own.cost[terrain] : (double)NAN;
    double ground = terrain < (size_t)grid->terrains.count ? grid->terrains.prices[terrain].cost
                                                           : (double)INFINITY;
    return isnan(own) ? ground : own;
}

static double least_cost_present(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    double least = INFINITY;
    for (int i = 0; i < grid->terrains.count; i++)
        if (grid->terrains.present[i] > 0)
            least = fmin(least, terrain_cost(finder, (size_t)i));
    return isfinite(least) ? least : 1;
}

// Returns the least cost per unit of length that a callback may return. Without callbacks it is the
// cost of the cheapest terrain on the map.
static double least_cost_told(const AstarFinder *finder)
{
    bool given = finder->options.min_cost > 0 && astar_finder_has_callbacks(finder);
    return given ? finder->options.min_cost : least_cost_present(finder);
}

// Returns the unit of cost for costs of at least 'least'. Rounded costs are multiples of the unit
// of cost.
static double unit_of(double least)
{
    int exponent;
    frexp(least, &exponent);
    return ldexp(1, exponent - 1 - UNIT_BITS);
}

double astar_finder_exact_unit(const AstarFinder *finder)
{
    return unit_of(finder->min_cost);
}

double astar_unit_with(double unit, double cost)
{
    return cost > 0 && isfinite(cost) ? fmin(unit, unit_of(cost)) : unit;
}

double astar_round_link(double cost, double unit)
{
    return astar_round(cost, astar_unit_with(unit, cost));
}

static bool is_uniform(const AstarFinder *finder, double cost)
{
    const AstarGrid *grid = finder->grid;
    for (int i = 0; i < grid->terrains.count; i++)
        if (grid->terrains.present[i] > 0 && isfinite(finder->costs.cell[i]) &&
            finder->costs.cell[i] != cost)
            return false;
    return true;
}

// Stores a cost. Returns true if it differs from the old one.
static bool put_cost(double *place, double cost)
{
    bool changed = *place != cost;
    *place = cost;
    return changed;
}

// Makes room for the costs of all terrains of the grid and of all terrains for which the unit has
// its own cost.
static AstarStatus reserve_costs(AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    size_t room = grid->terrains.price_capacity;
    size_t need = room > finder->own.count ? room : finder->own.count;
    if (need <= finder->costs.capacity)
        return ASTAR_OK;
    double *costs = astar_alloc(&grid->allocator, ASTAR_COST_TABLES * need, sizeof *costs);
    if (costs == NULL)
        return ASTAR_NO_MEMORY;
    for (size_t i = 0; i < need; i++)
        costs[i] = i < finder->costs.capacity ? finder->costs.cell[i] : (double)INFINITY;
    free_costs(finder);
    take_costs(finder, costs, need);
    return ASTAR_OK;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Computes the whole-number costs of steps for all terrains, not only for those on the map, because
// an edit during a search may put any terrain on the map.
static void work_out_whole_costs(AstarFinder *finder)
{
    const double per_unit = 1 / astar_finder_exact_unit(finder);
    bool has_diagonals = finder->rule->has_diagonals;
    finder->costs.costliest = finder->costs.divisor = 0;
    for (size_t i = 0; i < finder->costs.capacity; i++) {
        double cost = finder->costs.cell[i];
        uint64_t straight = astar_whole_cost(cost, per_unit);
        uint64_t diagonal = astar_whole_cost(cost * finder->options.diagonal_cost, per_unit);
        finder->costs.whole[0][i] = straight;
        finder->costs.whole[1][i] = diagonal;
        if (isinf(cost))
            continue;
        uint64_t costliest = has_diagonals ? diagonal : straight;
        if (costliest > finder->costs.costliest)
            finder->costs.costliest = costliest;
        finder->costs.divisor = common_divisor(finder->costs.divisor, straight);
        if (has_diagonals)
            finder->costs.divisor = common_divisor(finder->costs.divisor, diagonal);
    }
}

// Returns true if a number is whole, within the precision of a double.
static bool is_whole(double number)
{
    return fabs(number - floor(number + 0.5)) <= number * 0x1p-50;
}

// Returns true if all finite costs are whole numbers after they are multiplied by 'parts'.
static bool are_whole(const AstarFinder *finder, int parts)
{
    for (size_t i = 0; i < finder->costs.capacity; i++)
        if (!isinf(finder->costs.cell[i]) && !is_whole(finder->costs.cell[i] * parts))
            return false;
    return true;
}

// Computes the costs of steps as small whole numbers, for all terrains: an edit may put any terrain
// on the map. With a diagonal cost of 1.4 the steps of a terrain of cost 1 count 5 and 7.
static void work_out_counts(AstarFinder *finder)
{
    const AstarRatio lengths = finder->whole;
    uint64_t divisor = 0;
    double most = 0;
    int parts = 1;
    finder->costs.parts = finder->costs.multiple = 0;
    while (parts <= MOST_PARTS && !are_whole(finder, parts))
        parts++;
    if (parts > MOST_PARTS || !finder->rule->has_diagonals ||
        !astar_ratio_is_exact(lengths, finder->options.diagonal_cost))
        return;
    for (size_t i = 0; i < finder->costs.capacity; i++) {
        const double whole = floor(finder->costs.cell[i] * parts + 0.5);
        finder->costs.counts[0][i] = whole * lengths.straight;
        finder->costs.counts[1][i] = whole * lengths.diagonal;
        if (isinf(whole))
            continue;
        most = fmax(most, finder->costs.counts[1][i]);
        if (most > 0x1p50)
            return;
        divisor = common_divisor(divisor, (uint64_t)finder->costs.counts[0][i]);
        divisor = common_divisor(divisor, (uint64_t)finder->costs.counts[1][i]);
    }
    if (divisor == 0 || most > MOST_COUNT * (double)divisor)
        return;
    for (size_t i = 0; i < finder->costs.capacity; i++)
        for (int d = 0; d < 2; d++)
            finder->costs.counts[d][i] /= (double)divisor;
    finder->costs.parts = (double)parts * lengths.straight;
    finder->costs.multiple = (double)divisor;
}

static void work_out_costs(AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    bool changed = false;
    for (size_t i = 0; i < finder->costs.capacity; i++)
        changed |= put_cost(&finder->costs.cell[i], terrain_cost(finder, i));
    finder->costs.of_cells += changed;
    bool uniform = is_uniform(finder, least_cost_present(finder));
    changed |= put_cost(&finder->min_cost, least_cost_told(finder));
    finder->costs.changes += changed || uniform != finder->is_uniform;
    finder->is_uniform = uniform;
    finder->costs.unit = options->step_cost != NULL ? 0 : unit_of(finder->min_cost);
    for (size_t i = 0; i < finder->costs.capacity; i++) {
        double cost = finder->costs.cell[i];
        finder->costs.step[0][i] = astar_finder_round(finder, cost);
        finder->costs.step[1][i] = astar_finder_round(finder, cost * options->diagonal_cost);
    }
    work_out_whole_costs(finder);
    work_out_counts(finder);
}

static void work_out_heuristics(AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    const AstarCornerRule *rule = finder->rule;
    // The length is cut to 28 bits, so that sums of up to ASTAR_MAX_SIDE steps are exact. Cells at
    // the same distance then compare equal, independent of the order in which their steps are
    // added.
    double length = floor(options->diagonal_cost * 0x1p28 + 0.5) * 0x1p-28;
    finder->costs.distance = astar_heuristic(rule->heuristic, rule, 1, length);
    // The costs are rounded like those of steps on the cheapest ground, so that f stays the same
    // along a best route.
    const double unit = astar_finder_exact_unit(finder);
    double straight = astar_round(finder->min_cost, unit);
    double diagonal = astar_round(finder->min_cost * options->diagonal_cost, unit);
    bool is_blind = options->algorithm == ASTAR_DIJKSTRA;
    finder->costs.heuristic = astar_heuristic(is_blind ? ASTAR_ZERO : options->heuristic, rule,
                                              straight, diagonal);
}

// Acquires the layers that the finder needs for the present palette, and releases the ones that it
// used before.
static AstarStatus change_layers(AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    const AstarOptions *options = &finder->options;
    AstarTerrainSet enterable = {{0}};
    for (int i = 0; i < grid->terrains.count; i++)
        if (isfinite(finder->costs.cell[i]))
            enterable.words[i >> 6] |= (uint64_t)1 << (i & 63);
    AstarWalkable *walkable;
    AstarStatus status = astar_walkable_acquire(grid, &enterable, astar_finder_body(finder),
                                                options->ignore, &walkable);
    if (status != ASTAR_OK)
        return status;
    AstarFootprints *footprints = NULL;
    bool calls_host = options->cost != NULL && options->cost != astar_cost_as_given;
    bool is_wide = !astar_is_one_cell(astar_finder_body(finder));
    if (is_wide && !finder->is_uniform && !calls_host)
        status = astar_footprints_acquire(grid, finder->costs.cell, astar_finder_body(finder),
                                          &footprints);
    if (status != ASTAR_OK) {
        astar_layer_release(grid, walkable);
        return status;
    }
    if (finder->on.landmarks != NULL &&
        !astar_landmarks_fit(finder->on.landmarks, walkable, footprints)) {
        astar_layer_release(grid, finder->on.landmarks);
        finder->on.landmarks = NULL;
        finder->bakings++;
    }
    if (walkable != finder->on.walkable) {
        astar_layer_release(grid, finder->on.lifted);
        finder->on.lifted = NULL;
    }
    astar_layer_release(grid, finder->on.nonuniform);
    astar_layer_release(grid, finder->on.walkable);
    astar_layer_release(grid, finder->on.footprints);
    finder->on.nonuniform = NULL;
    finder->plan.version = 0;
    finder->on.walkable = walkable;
    finder->on.footprints = footprints;
    finder->on.ground = footprints != NULL ? footprints->ground : grid->ground;
    return ASTAR_OK;
}

static inline bool has_current_tables(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    return finder->costs.palette == grid->palette_version && finder->home == grid->home;
}

ASTAR_HOT bool astar_finder_is_current(const AstarFinder *finder)
{
    if (finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    return has_current_tables(finder) && !astar_layer_is_stale(finder->on.walkable) &&
           (finder->on.footprints == NULL || !astar_layer_is_stale(finder->on.footprints));
}

AstarStatus astar_finder_update_tables(AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    if (finder->avoided.sum != NULL)
        astar_field_sum_sync(finder->avoided.sum);
    if (has_current_tables(finder))
        return ASTAR_OK;
    AstarStatus status = reserve_costs(finder);
    if (status == ASTAR_OK) {
        work_out_costs(finder);
        status = change_layers(finder);
    }
    if (status != ASTAR_OK) {
        finder->costs.palette = UINT64_MAX;
        return status;
    }
    work_out_heuristics(finder);
    finder->costs.palette = grid->palette_version;
    finder->home = grid->home;
    return ASTAR_OK;
}

AstarStatus astar_finder_advance(AstarFinder *finder, int64_t *work)
{
    AstarStatus status = astar_finder_update_tables(finder);
    if (status == ASTAR_OK)
        status = astar_layer_advance(finder->grid, finder->on.walkable, work);
    if (status == ASTAR_OK && finder->on.footprints != NULL)
        status = astar_layer_advance(finder->grid, finder->on.footprints, work);
    return status;
}

AstarStatus astar_finder_update(AstarFinder *finder)
{
    int64_t work = ASTAR_ALL_WORK;
    return astar_finder_advance(finder, &work);
}

bool astar_finder_avoids_rough_field(AstarFinder *finder)
{
    const AstarField *avoid = finder->options.avoid;
    if (avoid == NULL || finder->options.avoid_weight == 0)
        return false;
    if (finder->avoided.judged != avoid->version + 1) {
        finder->avoided.is_rough = astar_field_is_rough(avoid);
        finder->avoided.judged = avoid->version + 1;
    }
    return finder->avoided.is_rough;
}

AstarStatus astar_finder_need_nonuniform(AstarFinder *finder, int64_t *work)
{
    AstarField *avoid = finder->options.avoid_weight > 0 ? finder->options.avoid : NULL;
    if (finder->on.nonuniform == NULL) {
        AstarStatus status = astar_nonuniform_acquire(
            finder->grid, astar_finder_shared_walkable(finder), finder->on.footprints, avoid,
            finder->costs.cell, &finder->on.nonuniform);
        if (status != ASTAR_OK)
            return status;
    }
    return astar_nonuniform_advance(finder->grid, finder->on.nonuniform, work);
}

// Allocates a copy of a finder that ignores blocks on the cells that the unit covers.
static AstarFinder *new_lifted(AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    AstarFinder *copy = astar_alloc(&grid->allocator, 1, sizeof *copy);
    if (copy == NULL)
        return NULL;
    copy->references = 1;
    copy->grid = grid;
    copy->original = finder;
    copy->options.avoid = finder->options.avoid;
    astar_finder_retain(finder);
    astar_grid_retain(grid);
    if (copy->options.avoid != NULL)
        astar_field_retain(copy->options.avoid);
    return copy;
}

// Fills a copy with the data of the finder, but with other walkable bits and its own tables of
// costs.
static void fill_lifted(AstarFinder *copy, const AstarFinder *finder, AstarWalkable *walkable,
                        double *costs)
{
    uint32_t references = copy->references;
    AstarFinder *original = copy->original;
    memcpy(costs, finder->costs.cell, ASTAR_COST_TABLES * finder->costs.capacity * sizeof *costs);
    *copy = *finder;
    take_costs(copy, costs, finder->costs.capacity);
    copy->references = references;
#define SHARE_LAYER(type, name, is_shared)                                                         \
    if (!(is_shared))                                                                              \
        copy->on.name = NULL;                                                                      \
    else if (copy->on.name != NULL)                                                                \
        astar_layer_retain(copy->grid, copy->on.name);
    ASTAR_FINDER_LAYERS(SHARE_LAYER)
#undef SHARE_LAYER
    copy->on.walkable = walkable;
    copy->returns_bits = false;
    copy->original = original;
}

AstarStatus astar_finder_lift(AstarFinder *finder, int x, int y, AstarFinder **copy)
{
    AstarGrid *grid = finder->grid;
    size_t capacity = finder->costs.capacity;
    double *costs = astar_alloc(&grid->allocator, ASTAR_COST_TABLES * capacity, sizeof *costs);
    AstarFinder *made = *copy != NULL ? *copy : new_lifted(finder);
    AstarWalkable **walkable = *copy != NULL ? &made->on.walkable : &finder->on.lifted;
    if (costs == NULL || made == NULL ||
        astar_walkable_lift(grid, finder->on.walkable, x, y, walkable) != ASTAR_OK) {
        astar_release(&grid->allocator, costs, ASTAR_COST_TABLES * capacity, sizeof *costs);
        if (made != *copy)
            astar_finder_release(made);
        return ASTAR_NO_MEMORY;
    }
    AstarWalkable *lifted = *walkable;
    *walkable = NULL;
    release_layers(made);
    free_costs(made);
    fill_lifted(made, finder, lifted, costs);
    *copy = made;
    return ASTAR_OK;
}

double astar_finder_cost(AstarFinder *finder, int terrain)
{
    bool has_own = terrain >= 0 && (size_t)terrain < finder->own.count;
    double own = has_own ? finder->own.cost[terrain] : (double)NAN;
    return isnan(own) ? astar_grid_cost(finder->grid, terrain) : own;
}

uint64_t astar_finder_changes(const AstarFinder *finder)
{
    return astar_finder_version(finder);
}

double astar_finder_least_cost(const AstarFinder *finder)
{
    return finder->min_cost;
}

double astar_finder_least_step(const AstarFinder *finder)
{
    return (finder->original != NULL ? finder->original : finder)->least;
}

// Free cells that count as blocked for one finder only.
//
// If a cost callback returns INFINITY for a cell, the cell is blocked for the unit in every
// respect: for the corner rule, for the cells that a large unit covers, for lines of sight and for
// goals. A supposed block works in the same way: it is an additional INFINITY (see call_for_cell in
// costs.c) for a finder that is otherwise a copy. The map is not edited, and no data are rebuilt.

double astar_cost_as_given(void *context, int x, int y, int terrain, double cost)
{
    (void)context, (void)x, (void)y, (void)terrain;
    return cost;
}

static size_t supposed_size(size_t count)
{
    return sizeof(AstarSupposed) + count * sizeof(AstarRectangle);
}

void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed)
{
    if (supposed != NULL)
        astar_release(allocator, supposed, supposed_size(supposed->count), 1);
}

static AstarRectangle around_both(AstarRectangle a, AstarRectangle b)
{
    int x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int east = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int south = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (AstarRectangle){x, y, east - x, south - y};
}

AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count)
{
    AstarSupposed *supposed = astar_alloc(allocator, supposed_size(count), 1);
    if (supposed == NULL)
        return NULL;
    supposed->count = count;
    for (size_t i = 0; i < count; i++) {
        supposed->blocked[i] = blocked[i];
        supposed->all = i == 0 ? blocked[0] : around_both(supposed->all, blocked[i]);
    }
    return supposed;
}

// Steps over the edge of a map that wraps around.
//
// All data about a map end at its edges: bitmaps, runs and tiles. A search therefore follows a step
// over the edge like a link out of the cell. The link costs as much as the step. The cells beside
// such a step, on which the corner rule depends, are looked up at the opposite edge. The links are
// not stored, because they follow from the terrain.

unsigned astar_wrap_moves(const AstarFinder *finder, uint32_t cell, bool backward, uint32_t start)
{
    const AstarGrid *grid = finder->grid;
    unsigned free = 0, over = 0, first = 0;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    if (!astar_is_at_wrap(grid, x, y))
        return 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
        int to_x = x + astar_dx[d], to_y = y + astar_dy[d];
        bool is_inside = astar_inside(grid, to_x, to_y);
        if (!astar_go_round(grid, &to_x, &to_y))
            continue;
        over |= (unsigned)!is_inside << d;
        free |= (unsigned)astar_bits_get(&finder->on.walkable->bits, to_x, to_y) << d;
        first |= (unsigned)(astar_cell(grid, to_x, to_y) == start) << d;
    }
    const uint8_t *legal = finder->rule->legal[backward];
    // A unit can leave its blocked start, but it can neither enter the start again nor pass it
    // diagonally.
    return (legal[free] | (legal[free | first] & first)) & over;
}

AstarArc astar_wrap_arc(const AstarFinder *finder, uint32_t cell, int direction, bool backward)
{
    const AstarGrid *grid = finder->grid;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    x += astar_dx[direction];
    y += astar_dy[direction];
    astar_go_round(grid, &x, &y);
    uint32_t other = astar_cell(grid, x, y);
    AstarArc arc = {backward ? other : cell, backward ? cell : other, 0, 0};
    double cost = astar_finder_cell_cost(finder, arc.to);
    arc.cost = astar_finder_round(finder,
                                  direction & 1 ? cost * finder->options.diagonal_cost : cost);
    return arc;
}

int astar_wrap_direction(const AstarFinder *finder, int x, int y, int to_x, int to_y)
{
    const AstarGrid *grid = finder->grid;
    uint32_t cell = astar_cell(grid, x, y);
    int d = astar_grid_direction(grid, x, y, to_x, to_y);
    return d >= 0 && (astar_wrap_moves(finder, cell, false, cell) >> d & 1) != 0 ? d : -1;
}
