// seam.h -- the steps of a world that goes round from one edge of its map to the other.

#ifndef ASTAR_SEAM_H
#define ASTAR_SEAM_H

#include "map/links_and_walls.h"
#include "unit/finder.h"

// The legal steps out of a cell over the edge of the map, as directions; or of those that lead here
// over it the directions they come from, where 'backward'. 'start' is where a unit stands that may
// be blocked, ASTAR_NO_CELL for none.
unsigned astar_seam_moves(const AstarFinder *finder, uint32_t cell, bool backward, uint32_t start);
// One of these steps, as if it was a link.
AstarArc astar_seam_arc(const AstarFinder *finder, uint32_t cell, int direction, bool backward);
// The direction of the step over the seam that leads from one cell to another, -1 where none does.
int astar_seam_direction(const AstarFinder *finder, int x, int y, int to_x, int to_y);

// Whether a cell may have such steps.
static inline bool astar_is_at_seam(const AstarGrid *grid, int x, int y)
{
    unsigned wraps = grid->shape->wraps;
    return wraps != 0 && (((wraps & 1) != 0 && (x == 0 || x == grid->width - 1)) ||
                          ((wraps & 2) != 0 && (y == 0 || y == grid->height - 1)));
}

#endif
