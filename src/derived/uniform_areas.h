// uniform_areas.h -- where a cell and all eight around it cost a unit the same, as bits.

#ifndef ASTAR_UNIFORM_AREAS_H
#define ASTAR_UNIFORM_AREAS_H

#include "derived/footprint_terrain.h"
#include "derived/walkable.h"

// Hangs on the grid, shared by finders that enter the same cells and to whom the same terrains
// cost the same.
typedef struct AstarUniformAreas {
    struct AstarUniformAreas *next;      // on its grid's list
    uint32_t references;                 // finders that use it
    AstarWalkable *walkable;             // retained, and so is 'covered'
    AstarFootprints *footprints;         // NULL: the ground counts as it is
    uint8_t classes[ASTAR_MAX_TERRAINS]; // of each terrain: the first that costs the same
    ASTAR_ATOMIC(bool) stale;            // to be rebuilt before it is read
    uint32_t count;                      // of their cells
    AstarBits rows;                      // 1: all nine cells can be entered at the same cost
    AstarBits columns;                   // the same turned: a row for each column
} AstarUniformAreas;

// The bitmaps for what a unit enters at which cost, made if the grid has none; counts a reference.
// 'cost' is of each terrain, 'covered' may be NULL.
AstarStatus astar_uniform_areas_acquire(AstarGrid *grid, AstarWalkable *walkable,
                                        AstarFootprints *footprints, const double *cost,
                                        AstarUniformAreas **out);
// Gives the reference back; NULL is fine. A few that nobody uses are kept for the next who asks.
void astar_uniform_areas_release(AstarGrid *grid, AstarUniformAreas *areas);
// Makes them current, after a large edit; what they are made from must be.
void astar_uniform_areas_update(const AstarGrid *grid, AstarUniformAreas *areas);

// Repairs all of the grid's after an edit inside the rectangle.
void astar_uniform_areas_edited(AstarGrid *grid, int x, int y, int width, int height);
void astar_uniform_areas_free(AstarGrid *grid);
size_t astar_uniform_areas_bytes(const AstarGrid *grid);

#endif
