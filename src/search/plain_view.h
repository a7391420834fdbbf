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

#endif
