// landmark_sweep.h -- the distances of all cells from one, or to it.

#ifndef ASTAR_LANDMARK_SWEEP_H
#define ASTAR_LANDMARK_SWEEP_H

#include "derived/landmarks.h"
#include "openlist/bucket_queue.h"

typedef struct AstarSweep {
    const AstarGrid *grid;
    const AstarLandmarks *landmarks;
    const uint8_t *ground;
    uint32_t least[2], most; // of the weights that are there: straight and diagonal steps; all
    bool back;               // the last one measured the ways to a cell
    uint32_t *distances;     // of every cell, ASTAR_FAR: not reached
    AstarBucketQueue open;
} AstarSweep;

AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks);
// ASTAR_BAD_COST where distances do not fit.
AstarStatus astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back);
void astar_sweep_end(AstarSweep *sweep);

#endif
