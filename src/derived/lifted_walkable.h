// lifted_walkable.h -- where a unit among its own blocks can stand, as bits.

#ifndef ASTAR_LIFTED_WALKABLE_H
#define ASTAR_LIFTED_WALKABLE_H

#include "derived/walkable.h"

// A private copy of the bitmap of a unit in which no block counts that the unit covers at (x, y).
// '*lifted' is NULL, or was made so before, of whatever bitmap and for whatever place: it is made
// anew, or brought up to date where that is less work, and stays as it was on failure. 'base' is
// current. One query at a time may read it.
AstarStatus astar_walkable_lift(const AstarGrid *grid, AstarWalkable *base, int x, int y,
                                AstarWalkable **lifted);
// The connected components of its bits. ASTAR_GRID_CHANGED after an edit: it is no longer current.
AstarStatus astar_lifted_components(const AstarGrid *grid, AstarWalkable *lifted, bool diagonal,
                                    AstarComponents **out);

#endif
