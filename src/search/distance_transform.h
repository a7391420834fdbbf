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

// Measuring in slices: how many rows are cleared, how many lines done of both passes.
typedef struct AstarNearMeasuring {
    int32_t cleared, lines;
} AstarNearMeasuring;

// Makes the next row one with nothing to measure from.
void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work);
// Measures, obstacles or not, by a distance that is not euclidean; false where the work is used up
// before.
bool astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance,
                        AstarNearMeasuring *measuring, int64_t *work);

#endif
