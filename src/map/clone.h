// clone.h -- Copies of a grid: replicas that are updated after edits, snapshots that are made in
// steps, and views that show the map of another grid.

#ifndef ASTAR_CLONE_H
#define ASTAR_CLONE_H

#include "map/grid.h"

// Creates a replica of a grid: a copy with the same version and the same logs of edits.
AstarStatus astar_replica_new(const AstarGrid *grid, AstarGrid **out);
// Updates a replica to the present map of a grid. The replica must be locked and no thread may read
// it. After ASTAR_NO_MEMORY the replica is only partly updated and must be released.
AstarStatus astar_replica_follow(AstarGrid *replica, const AstarGrid *grid);

// A copy of a map that is made in steps while the map may be edited.
typedef struct AstarSnapshot {
    AstarGrid *grid;  // grid that is copied, retained; NULL while no snapshot is being made
    AstarGrid *copy;  // the copy, a reference
    int32_t rows;     // number of rows copied so far
    uint64_t version; // version of the map when the snapshot began
} AstarSnapshot;

// Begins a snapshot. May return ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid);
// Copies further rows to a snapshot. Returns ASTAR_OK once all rows are copied, or ASTAR_RUNNING
// when '*work' is used up first.
AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work);
// Applies all edits made since the snapshot began, so that the copy equals the present map, and
// releases the grid. All rows must be copied. May return ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_end(AstarSnapshot *snapshot);

// Creates a view that shows a replica. A view is a grid without its own map.
AstarStatus astar_view_of(AstarGrid *replica, AstarGrid **out);
// Makes a view show a replica as it is now. The view retains the replica and releases the replica
// that it showed before.
void astar_view_show(AstarGrid *view, AstarGrid *replica);
// Gives a view its own map, taken from 'copy'. The map of 'copy' must be equal to the map that the
// view shows, and no other grid may use it.
void astar_view_adopt(AstarGrid *view, AstarGrid *copy);
// Makes a view show no map. The caller must do this before the view is freed.
void astar_view_blind(AstarGrid *view);

// Prepares a grid for an edit. A grid that shares its map with clones is separated from them first.
// Returns false if memory runs out.
bool astar_grid_may_change(AstarGrid *grid);

#endif
