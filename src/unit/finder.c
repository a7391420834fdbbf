// finder.c -- options, checked and worked out into tables.
//
// Costs are sums of many terms, some of them irrational, so plain doubles would make equal routes
// differ in their last bits, and ties fall as the rounding does. Every step's cost is therefore
// rounded once, to a multiple of 'unit', 2^-31 of the cheapest cost (to a power of two). Sums of
// multiples are exact while they stay below 2^22 times that cost, in any order, so equal routes
// compare equal, everywhere. Beyond, and for a step_cost callback, sums round as doubles do: a
// part in 10^16, never an overflow. So they do beyond 2^22 times the cost of a link that is cheaper
// than all ground: its unit is 2^-31 of its own cost. A path's own cost is added up from the costs
// as given.

#include "unit/finder.h"

#include "base/directions.h"

#include <math.h>

enum { UNIT_BITS = 31 };

AstarOptions astar_options_default(void)
{
    return (AstarOptions){
        .diagonals = ASTAR_ONLY_WHEN_NO_OBSTACLES,
        .diagonal_cost = ASTAR_SQRT2,
        .weight = 1,
        .max_cost = INFINITY,
        .max_expansions = UINT64_MAX,
        .avoid_weight = 1,
        .size = 1,
    };
}

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

static bool question_is_valid(const AstarQuestion *q)
{
    return in_range(q->weight, 1, ASTAR_MAX_WEIGHT) && in_range(q->max_cost, 0, INFINITY) &&
           q->max_expansions > 0 && in_range(q->range, 0, ASTAR_MAX_SIDE);
}

static AstarQuestion question_of(const AstarOptions *o)
{
    return (AstarQuestion){o->weight, o->max_cost, o->max_expansions, o->partial, o->range};
}

const AstarRefusal *astar_finder_refusal(const AstarFinder *finder, const AstarQuestion *question)
{
    static const AstarRefusal out_of_range = {NULL, ASTAR_BAD_OPTION};
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(question);
    return question_is_valid(question) ? astar_refusal_of(finder->options.algorithm, needs)
                                       : &out_of_range;
}

const char *astar_question_refusal(const AstarFinder *finder, const AstarQuestion *question)
{
    AstarNeeds needs = finder->needs | astar_needs_of_question(question);
    const AstarRefusal *refusal = astar_refusal_of(finder->options.algorithm, needs);
    return refusal != NULL ? refusal->what : NULL;
}

AstarQuestion astar_question_default(const AstarFinder *finder)
{
    return finder->question;
}

static bool options_are_valid(const AstarOptions *o)
{
    AstarQuestion question = question_of(o);
    return o->diagonals < ASTAR_DIAGONALS_COUNT && o->heuristic < ASTAR_HEURISTIC_COUNT &&
           o->algorithm < ASTAR_ALGORITHM_COUNT && in_range(o->diagonal_cost, 1, 2) &&
           (o->min_cost == 0 || in_range(o->min_cost, ASTAR_COST_MIN, ASTAR_COST_MAX)) &&
           in_range(o->size, 1, ASTAR_MAX_SIZE) && in_range(o->avoid_weight, 0, ASTAR_COST_MAX) &&
           (o->size == 1 || o->avoid == NULL) && question_is_valid(&question) &&
           astar_options_refusal(o) == NULL;
}

static bool field_fits(const AstarField *field, const AstarGrid *grid)
{
    return field == NULL || (field->width == grid->width && field->height == grid->height);
}

// A ratio of whole numbers, that of straight steps below 8000, or of the fractions next to
// 'number', from 1 to 2, the one of the greater denominator: a walk down the tree of Stern and
// Brocot, whose last step that is. So no fraction of a lesser denominator lies between it and the
// number.
static AstarRatio approximate(double number)
{
    AstarRatio low = {1, 1}, high = {1, 2}, ratio = number < 2 ? low : high;
    while (!astar_ratio_is_exact(ratio, number) && low.straight + high.straight < 8000) {
        ratio = (AstarRatio){low.straight + high.straight, low.diagonal + high.diagonal};
        *(ratio.diagonal > number * ratio.straight ? &high : &low) = ratio;
    }
    return ratio;
}

AstarStatus astar_finder_new(AstarGrid *grid, const AstarOptions *options, AstarFinder **out)
{
    AstarOptions chosen = options != NULL ? *options : astar_options_default();
    if (!options_are_valid(&chosen) || !field_fits(chosen.avoid, grid))
        return ASTAR_BAD_OPTION;
    if (!costs_are_valid(chosen.costs))
        return ASTAR_BAD_COST;

    AstarFinder *finder = astar_alloc(&grid->allocator, 1, sizeof *finder);
    if (finder == NULL)
        return ASTAR_NO_MEMORY;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        finder->own_cost[i] = chosen.costs != NULL ? chosen.costs[i] : NAN;
    chosen.costs = NULL; // copied
    finder->options = chosen;
    finder->question = question_of(&chosen);
    finder->references = 1;
    finder->rule = &astar_corner_rules[chosen.diagonals];
    finder->needs = astar_needs_of_options(&chosen) | astar_needs_of_shape(grid);
    for (int exact = 0; exact < 2; exact++)
        astar_canonical_work_out(finder->rule, chosen.diagonal_cost, exact,
                                 finder->arrivals[exact]);
    finder->whole = approximate(chosen.diagonal_cost);
    finder->palette_version = UINT64_MAX;
    finder->grid = grid;
    astar_grid_retain(grid);
    if (chosen.avoid != NULL)
        astar_field_retain(chosen.avoid);
    *out = finder;
    return ASTAR_OK;
}

const AstarOptions *astar_finder_options(const AstarFinder *finder)
{
    return &finder->options;
}

void astar_finder_retain(AstarFinder *finder)
{
    finder->references++;
}

void astar_finder_release(AstarFinder *finder)
{
    if (finder == NULL || --finder->references > 0)
        return;
    AstarGrid *grid = finder->grid;
    astar_landmarks_free(&finder->landmarks, grid);
    astar_uniform_areas_release(grid, finder->areas);
    astar_walkable_release(grid, finder->walkable);
    astar_footprints_release(grid, finder->footprints);
    astar_field_release(finder->options.avoid);
    astar_finder_release(finder->plain);
    astar_release(&grid->allocator, finder, 1, sizeof *finder);
    astar_grid_release(grid);
}

AstarGrid *astar_finder_grid(const AstarFinder *finder)
{
    return finder->grid;
}

// ---- tables ----

static double least_cost_present(const AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    double least = INFINITY;
    for (int i = 0; i < grid->terrain_count; i++)
        if (grid->present[i] > 0 && finder->cell_cost[i] < least)
            least = finder->cell_cost[i];
    return isfinite(least) ? least : 1;
}

// The unit for costs that are nowhere less.
static double unit_of(double least)
{
    int exponent;
    frexp(least, &exponent);
    return ldexp(1, exponent - 1 - UNIT_BITS);
}

double astar_finder_round_link(const AstarFinder *finder, double cost)
{
    bool is_cheap = cost > 0 && cost < finder->min_cost;
    return is_cheap && finder->unit > 0 ? astar_round(cost, unit_of(cost))
                                        : astar_finder_round(finder, cost);
}

static bool is_uniform(const AstarFinder *finder, double cost)
{
    const AstarGrid *grid = finder->grid;
    for (int i = 0; i < grid->terrain_count; i++)
        if (grid->present[i] > 0 && isfinite(finder->cell_cost[i]) && finder->cell_cost[i] != cost)
            return false;
    return true;
}

// Stores a cost; true when there was another.
static bool put_cost(double *place, double cost)
{
    bool changed = *place != cost;
    *place = cost;
    return changed;
}

static void work_out_costs(AstarFinder *finder)
{
    const AstarGrid *grid = finder->grid;
    const AstarOptions *options = &finder->options;
    bool changed = false;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        double own = finder->own_cost[i];
        double ground = i < grid->terrain_count ? grid->cost[i] : INFINITY;
        changed |= put_cost(&finder->cell_cost[i], isnan(own) ? ground : own);
    }
    bool given = options->min_cost > 0 && astar_finder_has_callbacks(finder);
    bool uniform = is_uniform(finder, least_cost_present(finder));
    changed |= put_cost(&finder->min_cost, given ? options->min_cost : least_cost_present(finder));
    finder->tables += changed || uniform != finder->is_uniform;
    finder->is_uniform = uniform;
    finder->unit = options->step_cost != NULL ? 0 : unit_of(finder->min_cost);
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        double cost = finder->cell_cost[i];
        finder->step[0][i] = astar_finder_round(finder, cost);
        finder->step[1][i] = astar_finder_round(finder, cost * options->diagonal_cost);
    }
}

static void work_out_heuristics(AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    const AstarCornerRule *rule = finder->rule;
    // Cut to 28 bits, so that sums of up to ASTAR_MAX_SIDE steps are exact: what is equally near
    // compares equal, however it was measured.
    double length = floor(options->diagonal_cost * 0x1p28 + 0.5) * 0x1p-28;
    finder->distance = astar_heuristic(rule->heuristic, rule, 1, length);
    double straight = astar_finder_round(finder, finder->min_cost);
    double diagonal = astar_finder_round(finder, finder->min_cost * options->diagonal_cost);
    bool is_blind = options->algorithm == ASTAR_DIJKSTRA;
    finder->heuristic = astar_heuristic(is_blind ? ASTAR_ZERO : options->heuristic, rule, straight,
                                        diagonal);
}

// Takes the layers of the grid that this finder reads, and gives back those it did.
static AstarStatus change_layers(AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    const AstarOptions *options = &finder->options;
    AstarTerrainSet enterable = {{0}};
    for (int i = 0; i < grid->terrain_count; i++)
        if (isfinite(finder->cell_cost[i]))
            astar_terrain_set_add(&enterable, i);
    AstarWalkable *walkable;
    AstarStatus status = astar_walkable_acquire(grid, &enterable, options->size, &walkable);
    if (status != ASTAR_OK)
        return status;
    AstarFootprints *footprints = NULL;
    if (options->size > 1 && !finder->is_uniform && options->cost == NULL)
        status = astar_footprints_acquire(grid, finder->cell_cost, options->size, &footprints);
    if (status != ASTAR_OK) {
        astar_walkable_release(grid, walkable);
        return status;
    }
    if (walkable != finder->walkable)
        astar_landmarks_free(&finder->landmarks, grid);
    astar_uniform_areas_release(grid, finder->areas);
    astar_walkable_release(grid, finder->walkable);
    astar_footprints_release(grid, finder->footprints);
    finder->areas = NULL;
    finder->walkable = walkable;
    finder->footprints = footprints;
    finder->ground = footprints != NULL ? footprints->ground : grid->ground;
    return ASTAR_OK;
}

AstarStatus astar_finder_update(AstarFinder *finder)
{
    AstarGrid *grid = finder->grid;
    if (finder->palette_version != grid->palette_version) {
        work_out_costs(finder);
        AstarStatus status = change_layers(finder);
        if (status != ASTAR_OK) {
            finder->palette_version = UINT64_MAX;
            return status;
        }
        work_out_heuristics(finder);
        finder->palette_version = grid->palette_version;
    }
    astar_walkable_update(grid, finder->walkable);
    if (finder->footprints != NULL)
        astar_footprints_update(grid, finder->footprints);
    return ASTAR_OK;
}

AstarStatus astar_finder_need_uniform_areas(AstarFinder *finder)
{
    if (finder->areas == NULL) {
        AstarStatus status = astar_uniform_areas_acquire(
            finder->grid, finder->walkable, finder->footprints, finder->cell_cost, &finder->areas);
        if (status != ASTAR_OK)
            return status;
    }
    astar_uniform_areas_update(finder->grid, finder->areas);
    return ASTAR_OK;
}

AstarStatus astar_finder_lift(AstarFinder *finder, int x, int y, AstarFinder **copy)
{
    AstarGrid *grid = finder->grid;
    AstarWalkable *walkable;
    AstarStatus status = astar_walkable_lift(grid, finder->walkable, finder->rule->joins_corners, x,
                                             y, &walkable);
    if (status != ASTAR_OK)
        return status;
    AstarFinder *made = *copy;
    if (made == NULL) {
        made = astar_alloc(&grid->allocator, 1, sizeof *made);
        if (made == NULL) {
            astar_walkable_release(grid, walkable);
            return ASTAR_NO_MEMORY;
        }
        made->references = 1;
        astar_finder_retain(finder);
        astar_grid_retain(grid);
        if (finder->options.avoid != NULL)
            astar_field_retain(finder->options.avoid);
    }
    uint32_t references = made->references;
    if (finder->footprints != NULL)
        astar_footprints_retain(grid, finder->footprints);
    astar_footprints_release(grid, made->footprints);
    astar_walkable_release(grid, made->walkable);
    *made = *finder;
    made->references = references;
    made->walkable = walkable;
    made->areas = NULL;
    made->landmarks = (AstarLandmarks){NULL, 0, 0}; // measured with the blocks there
    made->plain = finder;
    made->stands_x = x;
    made->stands_y = y;
    *copy = made;
    return ASTAR_OK;
}

double astar_finder_cost(AstarFinder *finder, int terrain)
{
    double own = terrain >= 0 && terrain < ASTAR_MAX_TERRAINS ? finder->own_cost[terrain] : NAN;
    return isnan(own) ? astar_grid_cost(finder->grid, terrain) : own;
}

double astar_finder_min_cost(AstarFinder *finder)
{
    if (finder->palette_version != finder->grid->palette_version)
        work_out_costs(finder);
    return finder->min_cost;
}

double astar_finder_least_cost(const AstarFinder *finder)
{
    return finder->min_cost;
}

double astar_finder_least_step(const AstarFinder *finder)
{
    return (finder->plain != NULL ? finder->plain : finder)->least;
}
