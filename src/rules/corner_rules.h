// corner_rules.h -- which steps a corner rule allows.

#ifndef ASTAR_CORNER_RULES_H
#define ASTAR_CORNER_RULES_H

#include "base/directions.h"
#include "map/grid.h"

// The legal steps from a cell whose free neighbours are 'free'.
static inline unsigned astar_legal_moves(AstarDiagonals rule, unsigned free)
{
    unsigned left = astar_rotate(free, 1), right = astar_rotate(free, 7);
    switch (rule) {
    case ASTAR_ALWAYS: return free;
    case ASTAR_IF_AT_MOST_ONE_OBSTACLE: return free & (ASTAR_STRAIGHTS | left | right);
    case ASTAR_ONLY_WHEN_NO_OBSTACLES: return free & (ASTAR_STRAIGHTS | (left & right));
    default: return free & ASTAR_STRAIGHTS;
    }
}

// The legal steps out of a cell whose free neighbours are 'free', or the directions of the
// neighbours that a legal step leads here from, where 'backward'.
unsigned astar_legal_moves_past_walls(const AstarGrid *grid, AstarDiagonals rule, int x, int y,
                                      unsigned free, bool backward);
// Of the cells beside a diagonal step those past which a wall closes the way. The cell the step
// leads to must be inside the grid.
unsigned astar_sides_closed_by_walls(const AstarGrid *grid, int x, int y, int direction,
                                     bool backward);

#endif
