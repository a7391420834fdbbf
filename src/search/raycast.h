// raycast.h -- lines of sight.

#ifndef ASTAR_RAYCAST_H
#define ASTAR_RAYCAST_H

#include "search/search.h"

typedef struct AstarRay {
    bool stopped;
    int x, y; // the cell that stops it
} AstarRay;

// Follows a line until a step cannot be made.
AstarStatus astar_cast(AstarSearch *search, int x0, int y0, int x1, int y1, AstarRay *ray);

#endif
