// raycast.h -- lines of sight.

#ifndef ASTAR_RAYCAST_H
#define ASTAR_RAYCAST_H

#include "costs.h"

typedef struct AstarRay {
    bool stopped;
    int x, y;    // the cell that stops it
    double cost; // of the steps along it, rounded as the searches do; while not stopped
} AstarRay;

// Follows a line until a step cannot be made or the steps cost more than 'limit'.
AstarStatus astar_cast(AstarCosts *costs, int x0, int y0, int x1, int y1, double limit,
                       AstarRay *ray);

#endif
