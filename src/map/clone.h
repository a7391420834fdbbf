// clone.h -- copies of a grid that follow it, and views that show one of them.

#ifndef ASTAR_CLONE_H
#define ASTAR_CLONE_H

#include "map/grid.h"

// A copy that takes the version and the logs, too.
AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out);
// Makes a copy what the grid is by now. It must be locked, and read by nobody. After
// ASTAR_NO_MEMORY it is neither here nor there, and to be let go of.
AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid);

// One that is made a little at a time, of a map that may be edited meanwhile.
typedef struct AstarSnapshot {
    AstarGrid *grid;  // retained; NULL: none is being made
    AstarGrid *copy;  // its maker's reference
    int32_t rows;     // copied
    uint64_t version; // of the map, when it was begun
} AstarSnapshot;

// Begins one; ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid);
// Copies on: ASTAR_OK once all rows are there, ASTAR_RUNNING where the work is used up before.
AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work);
// Makes the copy of all rows what the map is now, and lets go of that; ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_end(AstarSnapshot *snapshot);

// A grid with no map of its own, which is to show copies with this allocator.
AstarStatus astar_view_of(AstarGrid *replica, AstarGrid **out);
// Has a view show a copy as it is now, retained; the one before is let go of.
void astar_view_show(AstarGrid *view, AstarGrid *replica);
// Makes the map that it shows its own, given an equal grid that nobody else has.
void astar_view_adopt(AstarGrid *view, AstarGrid *copy);
// Has it show nothing, before it is freed.
void astar_view_blind(AstarGrid *view);

// To be asked before anything of the map changes: false without memory.
bool astar_grid_may_change(AstarGrid *grid);

#endif
