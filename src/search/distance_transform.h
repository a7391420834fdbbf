// distance_transform.h -- how near every cell of a map lies to the nearest of many, as the crow
// flies.

#ifndef ASTAR_DISTANCE_TRANSFORM_H
#define ASTAR_DISTANCE_TRANSFORM_H

#include "unit/finder.h"

typedef struct AstarNear {
    double distance; // INFINITY: of none yet
    uint32_t cell;   // the nearest; of equally near ones the lowest
} AstarNear;

static inline bool astar_is_nearer(const AstarNear *near, const AstarNear *other)
{
    return near->distance < other->distance ||
           (near->distance == other->distance && near->cell < other->cell);
}

// Makes a cell one of those that distances are measured from.
static inline void astar_near_put(AstarNear *cells, uint32_t cell)
{
    cells[cell] = (AstarNear){0, cell};
}

// Nothing to measure from.
void astar_near_clear(AstarNear *cells, const AstarGrid *grid);
// Measures, obstacles or not, by a distance that is not euclidean.
void astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance);

#endif
