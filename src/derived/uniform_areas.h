// uniform_areas.h -- where a cell and all eight around it cost a unit the same, as bits.

#ifndef ASTAR_UNIFORM_AREAS_H
#define ASTAR_UNIFORM_AREAS_H

#include "derived/footprint_terrain.h"
#include "derived/walkable.h"

// Shared by finders that enter the same cells and to whom the same terrains cost the same.
typedef struct AstarUniformAreas {
    AstarLayer layer;
    AstarWalkable *walkable;             // retained, and so is 'footprints'
    AstarFootprints *footprints;         // NULL: the ground counts as it is
    uint8_t classes[ASTAR_MAX_TERRAINS]; // of each terrain: the first that costs the same
    uint32_t count;                      // of their cells
    AstarBits rows;                      // 1: all nine cells can be entered at the same cost
    AstarBits columns;                   // the same turned: a row for each column
} AstarUniformAreas;

// The bitmaps for what a unit enters at which cost, made if the grid has none; counts a reference.
// 'cost' is of each terrain, 'footprints' may be NULL.
AstarStatus astar_uniform_areas_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarFootprints *footprints, const double *cost,
                                        AstarUniformAreas **out);

#endif
