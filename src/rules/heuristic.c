// heuristic.c -- Heuristics, each made admissible and consistent.
//
// All heuristics but the Euclidean one are linear in the larger and the smaller of dx and dy. A
// heuristic that would fall by more along a diagonal step than the step costs is scaled down. The
// Manhattan distance, for example, falls by 2 along a diagonal step, so with diagonal steps it is
// multiplied by diagonal_cost / 2.

#include "rules/heuristic.h"

#include <assert.h>

// The costs of the cheapest straight step and of the cheapest diagonal step.
typedef struct StepCosts {
    double straight, diagonal;
    bool has_diagonals;
} StepCosts;

static AstarHeuristic octile(StepCosts step)
{
    return (AstarHeuristic){step.straight, step.diagonal - step.straight, false};
}

static AstarHeuristic manhattan(StepCosts step)
{
    bool scaled = step.has_diagonals && step.diagonal < 2 * step.straight;
    double each = scaled ? step.diagonal / 2 : step.straight;
    return (AstarHeuristic){each, each, false};
}

static AstarHeuristic euclidean(StepCosts step)
{
    bool scaled = step.has_diagonals && step.diagonal < ASTAR_SQRT2 * step.straight;
    return (AstarHeuristic){scaled ? step.diagonal / ASTAR_SQRT2 : step.straight, 0, true};
}

static AstarHeuristic chebyshev(StepCosts step)
{
    return (AstarHeuristic){step.straight, 0, false};
}

static AstarHeuristic zero(StepCosts step)
{
    (void)step;
    return (AstarHeuristic){0, 0, false};
}

// Heuristics in the order of AstarHeuristicName.
static const struct {
    const char *name; // name as the option spells it
    AstarHeuristic (*work_out)(StepCosts step);
} heuristics[] = {
    {"default", NULL}, // the default of the corner rule
    {"octile", octile},       {"manhattan", manhattan}, {"euclidean", euclidean},
    {"chebyshev", chebyshev}, {"zero", zero},
};
static_assert(sizeof heuristics / sizeof *heuristics == ASTAR_HEURISTIC_COUNT,
              "an entry for each of AstarHeuristicName");

const char *astar_heuristic_name(AstarHeuristicName name)
{
    return name < ASTAR_HEURISTIC_COUNT ? heuristics[name].name : NULL;
}

bool astar_heuristic_fits(AstarHeuristicName name, const AstarShape *shape)
{
    return shape->has_corners || name == ASTAR_HEURISTIC_DEFAULT || name == ASTAR_EUCLIDEAN ||
           name == ASTAR_ZERO;
}

AstarHeuristic astar_heuristic(AstarHeuristicName name, const AstarCornerRule *rule,
                               double straight, double diagonal)
{
    if (name == ASTAR_HEURISTIC_DEFAULT)
        name = rule->heuristic;
    if (diagonal > 2 * straight)
        diagonal = 2 * straight; // 'diagonal' can be larger only because of rounding
    return heuristics[name].work_out((StepCosts){straight, diagonal, rule->has_diagonals});
}

double astar_estimate_by_sides(const AstarShape *shape, const AstarHeuristic *h, int x, int y,
                               int goal_x, int goal_y, int range)
{
    double distance = h->euclidean ? shape->length(shape, x, y, goal_x, goal_y)
                                   : (double)astar_cells_apart(shape, x, y, goal_x, goal_y);
    return distance > range ? h->along * (distance - range) : 0;
}
