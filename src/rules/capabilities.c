// capabilities.c -- What each algorithm can honour: the table of algorithms and needs.

#include "rules/capabilities.h"

#include "base/bits.h"
#include "rules/corner_rules.h"

#include <assert.h>

// The following table lists for each need whether an algorithm honours it.

typedef enum Answer {
    HONOURS, // the method honours the need
    // A more general algorithm answers in place of the algorithm of the column: A*, or an algorithm
    // that computes the cost of each step.
    STEPS,
    REFUSES // a method chosen by name refuses the query with the status of the need
} Answer;

typedef struct Capability {
    AstarRefusal refusal;
    uint8_t by[ASTAR_METHOD_COUNT];
} Capability;

// Defines a row of the table, with a column for each method. A row with too few columns does not
// compile. The columns are: auto, A*, Dijkstra, JPS, JPSW; pruning, estimates of many goals,
// resuming, lines by bitmap, any angle, sweeping, steps over the edge.
#define ROW(what, status, a, as, di, js, jw, pr, me, re, bl, lt, sw, gr)                           \
    {                                                                                              \
        {what, status},                                                                            \
        {                                                                                          \
            a, as, di, js, jw, pr, me, re, bl, lt, sw, gr                                          \
        }                                                                                          \
    }
static_assert(ASTAR_METHOD_COUNT == 12, "a row has a column for each of AstarMethod");

#define H HONOURS
#define S STEPS
#define R REFUSES

// clang-format off
static const Capability capabilities[] = { // in the order of AstarNeed
    //                              status                    auto A*  Dij jps jpw  pru est res lin the swe  rou
    ROW("weight",                   ASTAR_BAD_OPTION,          H,   H,  H,   H,  R,   H,  H,  H,  H,  H,  H,  H),
    ROW("range",                    ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  H,  H,  H,  H),
    ROW("a heuristic function",     ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  S,  H,  H,  H,  R),
    ROW("cost",                     ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  S,  S,  S,  S,  R),
    ROW("step_cost",                ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   S,  H,  S,  S,  S,  S,  R),
    ROW("avoid",                    ASTAR_BAD_OPTION,          H,   H,  H,   R,  H,   S,  H,  H,  S,  S,  S,  H),
    ROW("this heuristic",           ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  H,  H,  H,  H),
    ROW("diagonal_cost 2",          ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  H,  H,  H,  H),
    ROW("this rule of diagonals",   ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  S,  S,  H,  H),
    ROW("ground of several costs",  ASTAR_BAD_GROUND,          H,   H,  H,   R,  H,   H,  H,  H,  S,  S,  H,  H),
    ROW("links and walls",          ASTAR_BAD_LINKS_AND_WALLS, H,   H,  H,   R,  H,   S,  S,  H,  H,  S,  H,  H), // links
    ROW("links and walls",          ASTAR_BAD_LINKS_AND_WALLS, H,   H,  H,   R,  H,   S,  H,  H,  S,  S,  S,  R), // walls
    ROW("hexagons",                 ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   S,  H,  H,  S,  S,  H,  R),
    ROW("maps that wrap around",     ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   S,  S,  S,  S,  R,  S,  H),
    ROW("a map so long",            ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  H,  H,  H,  H),
    ROW("blocks under the unit",    ASTAR_OK,                  H,   H,  H,   H,  H,   H,  H,  S,  H,  H,  H,  R),
    ROW("bends",                    ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   S,  H,  H,  H,  R,  H,  R),
    ROW("bend_cost",                ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   S,  H,  H,  H,  R,  R,  R),
    ROW("partial",                  ASTAR_BAD_OPTION,          H,   H,  H,   R,  R,   H,  H,  H,  H,  H,  H,  H),
};
// clang-format on
static_assert(sizeof capabilities / sizeof *capabilities == ASTAR_NEED_COUNT,
              "a row for each of AstarNeed");

#undef H
#undef S
#undef R

// Names of the algorithms, in the order of AstarAlgorithm.
static const char *const algorithm_names[] = {"auto", "astar", "dijkstra", "jps", "jpsw"};
static_assert(sizeof algorithm_names / sizeof *algorithm_names == ASTAR_ALGORITHM_COUNT,
              "a name for each of AstarAlgorithm");

const char *astar_algorithm_name(AstarAlgorithm algorithm)
{
    if (algorithm == ASTAR_LABELS || algorithm == ASTAR_HIERARCHY)
        return algorithm == ASTAR_LABELS ? "labels" : "hierarchy";
    return algorithm < ASTAR_ALGORITHM_COUNT ? algorithm_names[algorithm] : NULL;
}

// Names of the values of AstarBends, in its order.
static const char *const bends_names[] = {"any", "fewer", "fewest"};
static_assert(sizeof bends_names / sizeof *bends_names == ASTAR_BENDS_COUNT,
              "a name for each of AstarBends");

const char *astar_bends_name(AstarBends bends)
{
    return bends < ASTAR_BENDS_COUNT ? bends_names[bends] : NULL;
}

ASTAR_HOT bool astar_honours(unsigned method, AstarNeeds needs)
{
    for (; needs != 0; needs &= needs - 1)
        if (capabilities[astar_lowest_bit(needs)].by[method] != HONOURS)
            return false;
    return true;
}

const AstarRefusal *astar_refusal_of(unsigned method, AstarNeeds needs)
{
    for (; needs != 0; needs &= needs - 1) {
        const Capability *capability = &capabilities[astar_lowest_bit(needs)];
        if (capability->by[method] == REFUSES)
            return &capability->refusal;
    }
    return NULL;
}

// The following functions compute the needs of options, queries and maps.

// Returns true if a diagonal step may pass an obstacle. If such a step costs as much as two
// straight steps, jump point search prunes routes that canonical ordering relies on: the two
// straight steps cannot replace the diagonal step beside an obstacle.
static bool cuts_corners(const AstarCornerRule *rule)
{
    return rule->corners == ASTAR_CORNERS_ANY || rule->corners == ASTAR_CORNERS_ONE_FREE;
}

AstarNeeds astar_needs_of_options(const AstarOptions *o)
{
    const AstarCornerRule *rule = &astar_corner_rules[o->diagonals];
    bool is_own = o->heuristic == ASTAR_HEURISTIC_DEFAULT || o->heuristic == rule->heuristic;
    return astar_need_if(o->estimate != NULL, ASTAR_NEED_ESTIMATE) |
           astar_need_if(o->cost != NULL, ASTAR_NEED_COST) |
           astar_need_if(o->step_cost != NULL, ASTAR_NEED_STEP_COST) |
           astar_need_if(o->avoid != NULL || o->avoid_count > 0 || o->breach != NULL,
                         ASTAR_NEED_AVOID) |
           astar_need_if(!is_own, ASTAR_NEED_HEURISTIC) |
           astar_need_if(cuts_corners(rule) && o->diagonal_cost >= 2, ASTAR_NEED_DIAGONAL_2) |
           astar_need_if(rule->corners == ASTAR_CORNERS_OTHER, ASTAR_NEED_CORNERS) |
           astar_need_if(o->bend_cost > 0, ASTAR_NEED_BEND_COST);
}

ASTAR_HOT AstarNeeds astar_needs_of_query(const AstarQueryOptions *query)
{
    return astar_need_if(query->weight > 1, ASTAR_NEED_WEIGHT) |
           astar_need_if(query->range > 0, ASTAR_NEED_RANGE) |
           astar_need_if(query->bends == ASTAR_BENDS_FEWEST, ASTAR_NEED_BENDS);
}

AstarNeeds astar_needs_asked(const AstarQueryOptions *query)
{
    return astar_needs_of_query(query) | astar_need_if(query->partial, ASTAR_NEED_NEAREST);
}

AstarNeeds astar_needs_of_shape(const AstarGrid *grid)
{
    enum {
        LONGEST_SIDE = 1 << 17
    }; // longest side in cells; the integers for lengths of jumps are too small for longer maps
    int64_t width = grid->width, height = grid->height, greater = width > height ? width : height;
    int64_t bytes = (width * greater + 2 * (int64_t)grid->cells) / 2 + 64 * greater;
    bool fits = greater <= LONGEST_SIDE && bytes <= 4 * (int64_t)grid->cells + (1 << 20);
    return astar_need_if(!fits, ASTAR_NEED_SHAPE) |
           astar_need_if(!grid->shape->has_corners, ASTAR_NEED_SIDES) |
           astar_need_if(grid->shape->wraps != 0, ASTAR_NEED_WRAP);
}

const char *astar_options_refusal(const AstarOptions *options)
{
    if (options->diagonals >= ASTAR_DIAGONALS_COUNT || options->algorithm >= ASTAR_ALGORITHM_COUNT)
        return NULL;
    AstarQueryOptions query = {.weight = options->weight,
                               .range = options->range,
                               .bends = options->bends,
                               .partial = options->partial};
    const AstarRefusal *refusal = astar_refusal_of(
        options->algorithm, astar_needs_of_options(options) | astar_needs_asked(&query));
    if (refusal == &capabilities[ASTAR_NEED_AVOID].refusal && options->avoid == NULL &&
        options->avoid_count == 0)
        return "breach";
    return refusal != NULL ? refusal->what : NULL;
}
