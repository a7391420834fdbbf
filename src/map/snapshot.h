// snapshot.h -- Snapshots of a map: grids with a copy of the map of another grid at one version.
// Views: grids that show the map of another grid, often a snapshot, and have no map of their own.

#ifndef ASTAR_SNAPSHOT_H
#define ASTAR_SNAPSHOT_H

#include "map/field.h"
#include "map/grid.h"

// Creates a snapshot of a grid in one call. The snapshot has the version and the logs of the grid.
AstarStatus astar_snapshot_new(const AstarGrid *grid, AstarGrid **out);
// Updates a snapshot to the present map of a grid. The snapshot must be locked, nothing may hold
// it, and no thread may read it. After ASTAR_NO_MEMORY the snapshot is only partly updated and must
// be released.
AstarStatus astar_snapshot_renew(AstarGrid *snapshot, const AstarGrid *grid);

// A snapshot of a map, and of a field if a finder avoids one, for jobs in steps. It is made in
// steps while the map may be edited. All jobs that need the same snapshot share it.
typedef struct AstarJobSnapshot {
    uint32_t jobs;          // number of jobs that use the snapshot
    bool is_complete;       // true if 'map' and 'field' agree with one moment, and change no more
    bool is_holding;        // true if 'map' is a snapshot that the grid shows, and is held here
    AstarGrid *grid;        // grid of which the snapshot is made, retained
    AstarGrid *map;         // the snapshot, retained; NULL until the first row is copied
    int32_t rows;           // number of rows of the map copied so far
    uint64_t version;       // version of the grid when the first row was copied
    AstarField *from;       // field of which the snapshot is made, retained; NULL: no field
    AstarField *field;      // copy of that field, retained
    int32_t field_rows;     // number of rows of the field copied so far
    uint64_t field_version; // version of the field when the snapshot began
} AstarJobSnapshot;

// Begins a snapshot of a grid and of 'field', which may be NULL, or joins a snapshot that another
// job of the grid has begun. May return ASTAR_NO_MEMORY.
AstarStatus astar_snapshot_need(AstarGrid *grid, AstarField *field, AstarJobSnapshot **out);
// Copies further rows to a snapshot. Returns ASTAR_OK once the snapshot is complete, or
// ASTAR_RUNNING when '*work' is used up first. If the grid is a view of a published map, the view
// must be entered. May return ASTAR_NO_MEMORY; the next call then continues.
AstarStatus astar_snapshot_advance(AstarJobSnapshot *snapshot, int64_t *work);
// Ends the use of a snapshot by a job. NULL is allowed.
void astar_snapshot_leave(AstarJobSnapshot *snapshot);
// Returns a job's part of the bytes of a snapshot, or 0 for NULL.
size_t astar_snapshot_bytes(const AstarJobSnapshot *snapshot);

// Creates a view that shows a snapshot or another grid.
AstarStatus astar_view_of(AstarGrid *shown, AstarGrid **out);
// Makes a view show a grid as it is now. The view retains that grid and releases the grid that it
// showed before.
void astar_view_show(AstarGrid *view, AstarGrid *shown);
// Gives a view its own map, taken from 'copy'. The map of 'copy' must be equal to the map that the
// view shows, and no other grid may use it.
void astar_view_adopt(AstarGrid *view, AstarGrid *copy);
// Makes a view show no map. The caller must do this before the view is freed.
void astar_view_blind(AstarGrid *view);

// Prepares a grid for an edit. A grid that shares its map with clones is separated from them first.
// Returns false if memory runs out.
bool astar_grid_may_change(AstarGrid *grid);

#endif
