// direct_line.h -- The direct line: the route of two legs from start to goal, which
// answers a query without a search if no step of it is barred.

#ifndef ASTAR_DIRECT_LINE_H
#define ASTAR_DIRECT_LINE_H

#include "layers/jump_bits.h"
#include "search/bent_way.h"
#include "search/find.h"

// Answers a query by the direct line. Returns false if a step of the line is barred, if another
// route may cost less, or if there is no memory for the path. If it returns false, the path is
// unchanged. The plan of the finder must be up to date.
bool astar_try_direct_line(AstarFindCall *call);
// Builds the layers that the direct line needs and tries it, so that the result does not depend on
// earlier queries. Sets '*is_found' to true if the line answers the query. Fails only if memory
// does. The finder must be up to date. The line is tried only on terrain of one cost and with
// diagonal steps.
AstarStatus astar_find_direct_line(AstarFindCall *call, bool *is_found);

// Finds the line between two cells over uniform cells only: a diagonal leg and a straight one, or a
// leg along the row and one along the column if diagonal steps are not allowed. Returns true if no
// step of it is barred and no other route costs less. The finder's non-uniform cells and their
// bitmaps for jumps must be up to date.
bool astar_find_line_on_several_costs(const AstarFinder *finder, int sx, int sy, int gx, int gy,
                                      AstarBentWay *line);
// Finds the line between two cells on terrain of one cost: a diagonal leg and a straight one.
// Returns true if no step of it is barred; then no other route costs less. Coordinates include the
// border, as in jump_bitmaps.c. Diagonal steps must be allowed.
bool astar_find_line_on_one_cost(const AstarJumpBits *runs, int x, int y, int goal_x, int goal_y,
                                 AstarBentWay *way);

#endif
