// direct_route.h -- the route that goes diagonally, then straight, where nothing is in its way.

#ifndef ASTAR_DIRECT_ROUTE_H
#define ASTAR_DIRECT_ROUTE_H

#include "unit/finder.h"

// Such a way: so many diagonal steps to (turn_x, turn_y), then so many straight ones.
typedef struct AstarDirectWay {
    int slanted, straight;
    int turn_x, turn_y;
    AstarStraight direction; // of the latter
} AstarDirectWay;

// The way between two cells, if no step of it is barred; no other costs less. Coordinates count the
// border, as in jump_bitmaps.h. There must be diagonal steps.
bool astar_direct_way(const AstarRunBits *runs, int x, int y, int goal_x, int goal_y,
                      AstarDirectWay *way);

#endif
