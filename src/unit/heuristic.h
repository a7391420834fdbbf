// heuristic.h -- estimates of the cost that remains.

#ifndef ASTAR_HEURISTIC_H
#define ASTAR_HEURISTIC_H

#include "unit/finder.h"

#include <math.h>
#include <stdlib.h>

// Works out the finder's heuristic and distance from its rule and cheapest cost.
void astar_heuristics_work_out(AstarFinder *finder);

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
