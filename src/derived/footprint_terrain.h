// footprint_terrain.h -- the dearest ground that a unit wider than a cell covers.

#ifndef ASTAR_FOOTPRINT_TERRAIN_H
#define ASTAR_FOOTPRINT_TERRAIN_H

#include "derived/layer.h"

// Shared by finders to whom the terrains' order by cost is the same.
typedef struct AstarFootprints {
    AstarLayer layer;
    int32_t size;                        // of the unit
    uint8_t rank[ASTAR_MAX_TERRAINS];    // of each terrain, by cost, then by number
    uint8_t terrain[ASTAR_MAX_TERRAINS]; // of each rank
    uint8_t *along;  // of each cell: the greatest rank from there on, 'size' cells to the east
    uint8_t *ground; // of each cell: the dearest terrain of the square of which it is the corner
} AstarFootprints;

// The layer for this order by cost and this size, made if the grid has none; counts a reference.
AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out);

#endif
