// active_landmarks.h -- estimates by landmarks: which of them a search goes by, and whether they
// still hold.

#ifndef ASTAR_ACTIVE_LANDMARKS_H
#define ASTAR_ACTIVE_LANDMARKS_H

#include "layers/landmarks.h"
#include "map/grid.h"

enum { ASTAR_MOST_ACTIVE = 6 };

// A table of landmarks, compared in one sense.
typedef struct AstarActiveTable {
    const uint32_t *distances;
    int32_t table;
    int32_t bound;   // what they are compared with
    int32_t sign;    // 1: a cell lies as much farther, -1: nearer
    int32_t promise; // what that makes at the start
} AstarActiveTable;

// Of the landmarks of a finder: the few distances that promise most for the way from start to goal,
// see active_landmarks.c.
typedef struct AstarActiveLandmarks {
    int count;     // 0: it goes by none
    size_t stride; // of the distances
    AstarActiveTable chosen[ASTAR_MOST_ACTIVE];
    double worth;                         // of one whole number
    uint32_t bakings;                     // of the finder, when the search began
    uint32_t deficits[ASTAR_MOST_TABLES]; // of the landmarks, then
    uint64_t changes;                     // the same when it last looked
} AstarActiveLandmarks;

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

#endif
