// active_landmarks.h -- estimates by landmarks: which of them a search goes by, and whether they
// still hold.

#ifndef ASTAR_ACTIVE_LANDMARKS_H
#define ASTAR_ACTIVE_LANDMARKS_H

#include "search/search.h"

// Chooses those that a search that begins is to go by, if any.
void astar_active_landmarks_choose(AstarSearch *search);
// Notes how far the map has come.
void astar_active_landmarks_look(AstarSearch *search);
// Whether a search begun now would have the same estimates, as far as this one has come.
bool astar_active_landmarks_are_same(const AstarSearch *search);
// Whether the finder was baked since the search began, which had better begin anew.
bool astar_active_landmarks_are_old(const AstarSearch *search);

// Whether an edit was not made up for in a table that a search goes by: its estimates may then fall
// by more than a step costs.
bool astar_active_landmarks_are_uneven(const AstarActiveLandmarks *active);

// The greater of an estimate for a cell and theirs.
static inline double astar_active_landmarks_improve(const AstarActiveLandmarks *active,
                                                    uint32_t cell, double h)
{
    int32_t most = 0;
    for (int i = 0; i < active->count; i++) {
        int32_t distance = (int32_t)active->distances[i][(size_t)cell * active->stride];
        int32_t farther = (distance - active->bounds[i]) * active->signs[i];
        most = farther > most ? farther : most;
    }
    double other = most * active->worth;
    return other > h ? other : h;
}

#endif
