// direct_route.h -- the route that goes diagonally, then straight, where nothing is in its way.

#ifndef ASTAR_DIRECT_ROUTE_H
#define ASTAR_DIRECT_ROUTE_H

#include "path/path.h"
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

// Adds where a leg of so many steps ends to a path that has room for it; none to stay where it is.
ASTAR_SPECIALIZE void astar_put_leg(AstarPath *path, int x, int y, int steps)
{
    if (steps == 0)
        return;
    path->cells += steps;
    path->points[path->count++] = (AstarPoint){x, y, path->cells - 1};
}

// Stores the way a plain question asks for, see plain_route.h, where it is direct, and puts its
// points into a path, which come from 'allocator'. Else false, and the path as it was.
bool astar_direct_route(const AstarFinder *finder, const AstarJumpBitmaps *jump, int sx, int sy,
                        int gx, int gy, const AstarAllocator *allocator, AstarPath *path,
                        AstarDirectWay *way);

#endif
