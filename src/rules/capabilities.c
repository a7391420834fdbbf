// capabilities.c -- What each algorithm can honour, and the needs of options and maps. The table of
// algorithms and needs is in options.def.

#include "rules/capabilities.h"

#include "base/bits.h"
#include "rules/corner_rules.h"
#include "rules/options.h"

#include <assert.h>
#include <math.h>

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

#define H HONOURS
#define S STEPS
#define R REFUSES

static const Capability capabilities[] = {
// The rows stand in the order of AstarNeed.
#define NEED(name, what, status, a, as, di, js, jw, pr, me, re, bl, lt, sw, gr)                    \
    {{what, status}, {a, as, di, js, jw, pr, me, re, bl, lt, sw, gr}},
#include "rules/options.def"
};
static_assert(ASTAR_METHOD_COUNT == 12, "a row of NEED has a column for each of AstarMethod");

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

// Adds the need that the column 'need' of an option names, if the option has another value than its
// default.
#define NEED_OF(name, kind, type, least, most, otherwise, need, ...)                               \
    (ASTAR_NEED_##need == ASTAR_NEED_COUNT                                                         \
         ? 0                                                                                       \
         : astar_need_if(values->name != (otherwise), ASTAR_NEED_##need)) |

AstarNeeds astar_needs_of_options(const AstarOptions *values)
{
    const AstarCornerRule *rule = &astar_corner_rules[values->diagonals];
    bool is_own = values->heuristic == ASTAR_HEURISTIC_DEFAULT ||
                  values->heuristic == rule->heuristic;
    bool avoids = values->avoid != NULL || values->avoid_count > 0 || values->breach != NULL;
    bool is_double = values->diagonal_cost >= 2;
    AstarNeeds of_rows =
#define FINDER_OPTION NEED_OF
#include "rules/options.def"
        0;
    return of_rows | astar_need_if(values->estimate != NULL, ASTAR_NEED_ESTIMATE) |
           astar_need_if(values->cost != NULL, ASTAR_NEED_COST) |
           astar_need_if(values->step_cost != NULL, ASTAR_NEED_STEP_COST) |
           astar_need_if(avoids, ASTAR_NEED_AVOID) | astar_need_if(!is_own, ASTAR_NEED_HEURISTIC) |
           astar_need_if(cuts_corners(rule) && is_double, ASTAR_NEED_DIAGONAL_2) |
           astar_need_if(rule->corners == ASTAR_CORNERS_OTHER, ASTAR_NEED_CORNERS);
}

ASTAR_HOT AstarNeeds astar_needs_of_query(const AstarQueryOptions *values)
{
    AstarNeeds of_rows =
#define QUERY_OPTION NEED_OF
#include "rules/options.def"
        0;
    return of_rows | astar_need_if(values->bends == ASTAR_BENDS_FEWEST, ASTAR_NEED_BENDS);
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
    AstarQueryOptions query = astar_query_of_options(options);
    const AstarRefusal *refusal = astar_refusal_of(
        options->algorithm, astar_needs_of_options(options) | astar_needs_asked(&query));
    if (refusal == &capabilities[ASTAR_NEED_AVOID].refusal && options->avoid == NULL &&
        options->avoid_count == 0)
        return "breach";
    return refusal != NULL ? refusal->what : NULL;
}
