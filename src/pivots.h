// pivots.h -- distances from a few far-off cells, for a better estimate of what remains.
//
// The differential heuristic (N. Sturtevant, A. Felner, M. Barer, J. Schaeffer and N. Burch,
// "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009): a route from n to the goal is
// no shorter than the difference of their distances from any cell p. Walls built later only make
// routes longer, so the estimate stays good; a wall that falls makes it void.

#ifndef ASTAR_PIVOTS_H
#define ASTAR_PIVOTS_H

#include "walkable.h"

enum { ASTAR_MOST_PIVOTS = 8 };

typedef struct AstarPivots {
    uint32_t *distances; // 'stride' for each cell, in whole numbers; NULL: nothing is baked
    int32_t stride;
    uint64_t openings; // of the walkable bits, when they were measured
} AstarPivots;

// Measures the distances from 'count' pivots in the largest connected component of the bits.
// ASTAR_BAD_COST where they do not fit 32 bits.
AstarStatus astar_pivots_measure(const AstarGrid *grid, AstarWalkable *walkable,
                                 AstarDiagonals rule, uint32_t straight, uint32_t diagonal,
                                 int count, AstarPivots *out);
void astar_pivots_free(AstarPivots *pivots, const AstarGrid *grid);
size_t astar_pivots_bytes(const AstarPivots *pivots, const AstarGrid *grid);

// No more than the cost from one cell to another, in whole numbers, by their distances.
static inline uint32_t astar_pivots_estimate(const uint32_t *from, const uint32_t *to, int stride)
{
    uint32_t most = 0;
    for (int i = 0; i < stride; i++) {
        uint32_t difference = from[i] > to[i] ? from[i] - to[i] : to[i] - from[i];
        most = difference > most ? difference : most;
    }
    return most;
}

#endif
