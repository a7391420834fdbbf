// replica.h -- copies of a grid that follow it, and views that show one of them.

#ifndef ASTAR_REPLICA_H
#define ASTAR_REPLICA_H

#include "map/grid.h"

// A copy that takes the version and the logs, too.
AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out);
// Makes a copy what the grid is by now. It must be locked, and read by nobody. After
// ASTAR_NO_MEMORY it is neither here nor there, and to be let go of.
AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid);

// Its parts, for who makes the copy a little at a time: one equally large without anything of the
// map yet; the terrains and layers of blocks that there are, which must come before cells; and what
// comes last.
AstarStatus astar_replica_begin(const AstarGrid *grid, AstarGrid **out);
AstarStatus astar_replica_follow_kinds(AstarGrid *replica, const AstarGrid *grid);
void astar_replica_take_versions(AstarGrid *replica, const AstarGrid *grid);

// A grid with no map of its own, which is to show copies with this allocator.
AstarStatus astar_view_of(AstarGrid *replica, AstarGrid **out);
// Has a view show a copy as it is now, retained; the one before is let go of.
void astar_view_show(AstarGrid *view, AstarGrid *replica);
// Makes the map that it shows its own, given an equal grid that nobody else has.
void astar_view_adopt(AstarGrid *view, AstarGrid *copy);
// Has it show nothing, before it is freed.
void astar_view_blind(AstarGrid *view);

#endif
