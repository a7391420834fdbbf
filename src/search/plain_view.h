// plain_view.h -- a goal in plain view where some cells are irregular.

#ifndef ASTAR_PLAIN_VIEW_H
#define ASTAR_PLAIN_VIEW_H

#include "unit/finder.h"

// A way of two legs to a goal: diagonal, then straight; along the row, then the column, where no
// step is diagonal.
typedef struct AstarPlainView {
    int first, then; // steps
    int turn_x, turn_y;
} AstarPlainView;

// The way between two cells, if no step of it is barred, all cost the same, and no other way costs
// less. The finder's irregular cells, and the bitmaps of jumps over them, must be current.
bool astar_plain_view(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                      AstarPlainView *view);

// direct_route.c: the route that goes diagonally, then straight, where nothing is in its way.

// Such a way: so many diagonal steps to (turn_x, turn_y), then so many straight ones.
typedef struct AstarDirectWay {
    int slanted, straight;
    int turn_x, turn_y;
    AstarStraight direction; // of the latter
} AstarDirectWay;

// The way between two cells, if no step of it is barred; no other costs less. Coordinates count the
// border, as in jump_bitmaps.c. There must be diagonal steps.
bool astar_direct_way(const AstarRunBits *runs, int x, int y, int goal_x, int goal_y,
                      AstarDirectWay *way);

#endif
