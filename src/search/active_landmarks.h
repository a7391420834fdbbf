// active_landmarks.h -- Estimates by landmarks: which landmarks a search uses, and whether their
// distances are still valid after edits.

#ifndef ASTAR_ACTIVE_LANDMARKS_H
#define ASTAR_ACTIVE_LANDMARKS_H

#include "layers/landmarks.h"
#include "map/grid.h"

enum { ASTAR_MOST_ACTIVE = 6 };

// A table of distances to a landmark. 'sign' is 1 if a larger distance raises the estimate, and -1
// if a smaller distance does.
typedef struct AstarActiveTable {
    const uint32_t *distances;
    int32_t table;
    int32_t bound; // the goal's distance, with which those of cells are compared
    // 1: the estimate grows with a cell's distance from the landmark; -1: it falls with that
    // distance.
    int32_t sign;
    int32_t promise; // the estimate at the start, in whole numbers
} AstarActiveTable;

// The few tables of a finder's landmarks with the highest estimates from start to goal, see
// active_landmarks.c.
typedef struct AstarActiveLandmarks {
    int count;     // 0: no landmarks are used
    size_t stride; // from one cell's distance to the next in a table
    AstarActiveTable chosen[ASTAR_MOST_ACTIVE];
    double worth;                         // the cost of one whole number
    uint32_t bakings;                     // the finder's count of bakings when the search began
    uint32_t deficits[ASTAR_MOST_TABLES]; // the landmarks' deficits when the search began
    uint64_t changes; // the landmarks' count of changes when the search last looked
} AstarActiveLandmarks;

// Chooses the landmarks that a starting search uses, if any.
void astar_active_landmarks_choose(AstarSearch *search);
// Stores the current change counter of the landmarks in the search.
void astar_active_landmarks_look(AstarSearch *search);
// Returns true if a search started now would have the same estimates at all cells that this search
// has used.
bool astar_active_landmarks_are_same(const AstarSearch *search);
// Returns true if the finder was baked since the search began, so that a restart is worthwhile.
bool astar_active_landmarks_are_old(const AstarSearch *search);
// Returns true if a table that the search uses was not repaired after an edit. The search's
// estimates may then fall by more than a step costs.
bool astar_active_landmarks_are_uneven(const AstarActiveLandmarks *active);

#endif
