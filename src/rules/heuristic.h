// heuristic.h -- Heuristics: estimates of the cost that remains.

#ifndef ASTAR_HEURISTIC_H
#define ASTAR_HEURISTIC_H

#include "rules/corner_rules.h"

#include <math.h>
#include <stdlib.h>

// A heuristic: h = along * max(dx, dy) + across * min(dx, dy). With 'euclidean' it is h = along *
// length of the straight line. On hexagons the number of steps replaces max(dx, dy), and the line
// joins the middles of the cells.
typedef struct AstarHeuristic {
    double along, across;
    bool euclidean;
} AstarHeuristic;

// Returns true if a heuristic is defined for cells of a shape.
bool astar_heuristic_fits(AstarHeuristicName name, const AstarShape *shape);
// Returns a heuristic for the least costs of straight and diagonal steps. The default heuristic is
// the one of the corner rule.
AstarHeuristic astar_heuristic(AstarHeuristicName name, const AstarCornerRule *rule,
                               double straight, double diagonal);

// Returns a lower bound of the estimates from (x, y) to the cells within 'range' steps of the goal,
// on hexagons.
double astar_estimate_by_sides(const AstarShape *shape, const AstarHeuristic *h, int x, int y,
                               int goal_x, int goal_y, int range);
// Returns the estimate for a goal 'dx' columns and 'dy' rows away; the signs do not matter.
static inline double astar_estimate(const AstarHeuristic *h, int dx, int dy)
{
    dx = abs(dx);
    dy = abs(dy);
    if (h->euclidean)
        return h->along * sqrt((double)dx * dx + (double)dy * dy);
    int greater = dx > dy ? dx : dy, lesser = dx > dy ? dy : dx;
    return h->along * greater + h->across * lesser;
}

// Returns the estimate from one cell to another, for cells of any shape.
static inline double astar_estimate_between(const AstarShape *shape, const AstarHeuristic *h, int x,
                                            int y, int goal_x, int goal_y)
{
    return !shape->has_corners ? astar_estimate_by_sides(shape, h, x, y, goal_x, goal_y, 0)
                               : astar_estimate(h, x - goal_x, y - goal_y);
}

#endif
