// heuristic.h -- estimates of the cost that remains.

#ifndef ASTAR_HEURISTIC_H
#define ASTAR_HEURISTIC_H

#include "rules/corner_rules.h"

#include <math.h>
#include <stdlib.h>

// h = along * max(dx, dy) + across * min(dx, dy), or along times the straight line.
typedef struct AstarHeuristic {
    double along, across;
    bool euclidean;
} AstarHeuristic;

// The heuristic of a name, by what steps cost at least; for the default the one that fits the rule.
AstarHeuristic astar_heuristic(AstarHeuristicName name, const AstarCornerRule *rule,
                               double straight, double diagonal);

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

#endif
