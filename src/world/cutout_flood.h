// cutout_flood.h -- distances inside a cutout.

#ifndef ASTAR_CUTOUT_FLOOD_H
#define ASTAR_CUTOUT_FLOOD_H

#include "world/cutout.h"

// What a flood may leave out: it ends once it has settled the cell (x, y), and follows no way that
// must cost more than 'limit' to there.
typedef struct AstarAim {
    int32_t x, y;
    double limit;
} AstarAim;

// Distances from a cell, or to it where 'backward', over the cells inside. NULL: to all of them.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// Some cells of a cutout, by their places.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Distances from a cell to those wanted at least.
AstarStatus astar_cutout_flood_to(AstarCutout *cutout, int32_t x, int32_t y,
                                  AstarWantedCells wanted);
// The same as a flood from a place, over ground of one cost; until all that is wanted is settled.
AstarStatus astar_cutout_flood_uniform(AstarCutout *cutout, size_t start, const AstarAim *aim,
                                       AstarWantedCells *wanted);
// After a flood from a start: adds the way to a cell that it has reached to a path that ends at the
// start.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

#endif
