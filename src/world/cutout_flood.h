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

// A cell that a flood starts from, by its place, and what it costs to be there.
typedef struct AstarSource {
    size_t at;
    double g;
} AstarSource;

typedef struct AstarSources {
    const AstarSource *list;
    size_t count;
    bool are_told; // 'origin' is to tell them apart
    double zero;   // what their costs count from, none of which is below it
} AstarSources;

// Has no cell a distance.
void astar_cutout_clear(AstarCutout *cutout);
// Brings cells nearer by the ways from several, in any order, all open and without a distance.
// Those that had one keep it where it is no farther, and no way leads on from them.
AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources);
// Distances from a cell, or to it where 'backward', over the cells inside. NULL: to all of them.
AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim);
// Some cells of a cutout, by their places.
typedef struct AstarWantedCells {
    const size_t *cells;
    size_t count;
} AstarWantedCells;

// Distances from a cell to those wanted.
AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances);
// After a flood from a start: adds the way to a cell that it has reached to a path that ends at the
// start.
AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path);

#endif
