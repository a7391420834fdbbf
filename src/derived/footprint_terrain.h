// footprint_terrain.h -- the dearest ground that a unit wider than a cell covers.

#ifndef ASTAR_FOOTPRINT_TERRAIN_H
#define ASTAR_FOOTPRINT_TERRAIN_H

#include "map/grid.h"

// Hangs on the grid, shared by finders to whom the terrains' order by cost is the same.
typedef struct AstarFootprints {
    struct AstarFootprints *next;        // on its grid's list
    uint32_t references;                 // finders that use it
    int32_t size;                        // of the unit
    ASTAR_ATOMIC(bool) stale;            // to be rebuilt before it is read
    uint8_t rank[ASTAR_MAX_TERRAINS];    // of each terrain, by cost, then by number
    uint8_t terrain[ASTAR_MAX_TERRAINS]; // of each rank
    uint8_t *along;  // of each cell: the greatest rank from there on, 'size' cells to the east
    uint8_t *ground; // of each cell: the dearest terrain of the square of which it is the corner
} AstarFootprints;

// The layer for this order by cost and this size, made if the grid has none; counts a reference.
AstarStatus astar_footprints_acquire(AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out);
// Gives the reference back; NULL is fine. A few that nobody uses are kept for the next who asks.
void astar_footprints_release(AstarGrid *grid, AstarFootprints *footprints);
// Counts one more; and the same as release while the grid is locked.
void astar_footprints_retain(AstarGrid *grid, AstarFootprints *footprints);
void astar_footprints_drop(AstarGrid *grid, AstarFootprints *footprints);
// Makes it current, after a large edit.
void astar_footprints_update(const AstarGrid *grid, AstarFootprints *footprints);

// Repairs every layer of the grid after an edit of the ground inside the rectangle.
void astar_footprints_edited(AstarGrid *grid, int x, int y, int width, int height);
void astar_footprints_free(AstarGrid *grid);
size_t astar_footprints_bytes(const AstarGrid *grid);

#endif
