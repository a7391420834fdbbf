// landmarks.h -- distances from a few far-off cells, for a better estimate of what remains.
//
// The differential heuristic (N. Sturtevant, A. Felner, M. Barer, J. Schaeffer and N. Burch,
// "Memory-Based Heuristics for Explicit State Spaces", IJCAI 2009): a route from n to the goal is
// no shorter than the difference of their distances from any cell p. Walls built later only make
// routes longer, so the estimate stays good; a wall that falls makes it void.

#ifndef ASTAR_LANDMARKS_H
#define ASTAR_LANDMARKS_H

#include "derived/walkable.h"

typedef struct AstarLandmarks {
    uint32_t *distances; // 'stride' for each cell, in whole numbers; NULL: nothing is baked
    int32_t stride;
    uint64_t openings; // of the walkable bits, when they were measured
} AstarLandmarks;

// Measures the distances from 'count' landmarks in the largest connected component of the bits.
// ASTAR_BAD_COST where they do not fit 32 bits.
AstarStatus astar_landmarks_measure(const AstarGrid *grid, AstarWalkable *walkable,
                                    const AstarCornerRule *rule, uint32_t straight,
                                    uint32_t diagonal, int count, AstarLandmarks *out);
// About how many times fewer cells a search expands with them, by a sample of questions.
// ASTAR_NO_MEMORY, or ASTAR_BAD_COST as above.
AstarStatus astar_landmarks_gain(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarCornerRule *rule, uint32_t straight, uint32_t diagonal,
                                 const AstarLandmarks *landmarks, double *gain);
void astar_landmarks_free(AstarLandmarks *landmarks, const AstarGrid *grid);
size_t astar_landmarks_bytes(const AstarLandmarks *landmarks, const AstarGrid *grid);

// No more than the cost from one cell to another, in whole numbers, by their distances.
static inline uint32_t astar_landmarks_estimate(const uint32_t *from, const uint32_t *to,
                                                int stride)
{
    uint32_t most = 0;
    for (int i = 0; i < stride; i++) {
        uint32_t difference = from[i] > to[i] ? from[i] - to[i] : to[i] - from[i];
        most = difference > most ? difference : most;
    }
    return most;
}

#endif
