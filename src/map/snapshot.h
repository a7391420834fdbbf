// snapshot.h -- a map as it is at one moment, copied a little at a time while edits go on.

#ifndef ASTAR_SNAPSHOT_H
#define ASTAR_SNAPSHOT_H

#include "map/grid.h"

typedef struct AstarSnapshot {
    struct AstarSnapshot *next; // being made of the same map
    AstarGrid *grid;            // that; NULL: none is being made
    AstarGrid *copy;            // its maker's reference
    int32_t rows;               // of the copy that are as the map's: edits keep them so
} AstarSnapshot;

// Begins one; ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_begin(AstarSnapshot *snapshot, AstarGrid *grid);
// Copies on: ASTAR_OK once all rows are there, ASTAR_RUNNING where the work is used up before.
AstarStatus astar_snapshot_advance(AstarSnapshot *snapshot, int64_t *work);
// Makes the copy of all rows a map of its own, that no edit follows any more; ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_end(AstarSnapshot *snapshot);
// Has no edit follow it any more, where one is being made.
void astar_snapshot_leave(AstarSnapshot *snapshot);

// Cells of a rectangle have changed.
void astar_snapshots_tell(AstarGrid *grid, int x, int y, int width, int height);
static inline void astar_snapshots_follow(AstarGrid *grid, int x, int y, int width, int height)
{
    if (grid->snapshots != NULL)
        astar_snapshots_tell(grid, x, y, width, height);
}

#endif
