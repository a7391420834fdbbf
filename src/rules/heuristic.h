// heuristic.h -- estimates of the cost that remains.

#ifndef ASTAR_HEURISTIC_H
#define ASTAR_HEURISTIC_H

#include "rules/corner_rules.h"

#include <math.h>
#include <stdlib.h>

// h = along * max(dx, dy) + across * min(dx, dy), or along times the straight line; of hexagons
// along times their number, or the line between their middles.
typedef struct AstarHeuristic {
    double along, across;
    bool euclidean;
} AstarHeuristic;

// Whether a heuristic is one for cells of a shape.
bool astar_heuristic_fits(AstarHeuristicName name, const AstarShape *shape);
// The heuristic of a name, by what steps cost at least; for the default the one that fits the rule.
AstarHeuristic astar_heuristic(AstarHeuristicName name, const AstarCornerRule *rule,
                               double straight, double diagonal);

// The estimate on hexagons, for the cells within 'range' of (goal_x, goal_y).
double astar_estimate_by_sides(const AstarShape *shape, const AstarHeuristic *h, int x, int y,
                               int goal_x, int goal_y, int range);
// The estimate for a goal dx columns and dy rows away, of either sign.
static inline double astar_estimate(const AstarHeuristic *h, int dx, int dy)
{
    dx = abs(dx);
    dy = abs(dy);
    if (h->euclidean)
        return h->along * sqrt((double)dx * dx + (double)dy * dy);
    int greater = dx > dy ? dx : dy, lesser = dx > dy ? dy : dx;
    return h->along * greater + h->across * lesser;
}

// The estimate from one cell to another, of any shape.
static inline double astar_estimate_between(const AstarShape *shape, const AstarHeuristic *h, int x,
                                            int y, int goal_x, int goal_y)
{
    return !shape->has_corners ? astar_estimate_by_sides(shape, h, x, y, goal_x, goal_y, 0)
                               : astar_estimate(h, x - goal_x, y - goal_y);
}

#endif
