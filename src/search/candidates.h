// candidates.h -- of many goals those that may be reached, told apart by the connected components.

#ifndef ASTAR_CANDIDATES_H
#define ASTAR_CANDIDATES_H

#include "search/distance_transform.h"
#include "search/reachable.h"

typedef struct AstarCandidates {
    const AstarGoals *goals;
    AstarCell first[ASTAR_MANY_GOALS]; // of those that may be reached
    size_t reachable;                  // how many there are
    size_t only;                       // the last of them
    bool any_free;                     // of the others, some are not blocked
    double nearest; // how near to any goal lies what can be reached, once that was asked

    // how far that has come
    AstarReachable reach;
    AstarBeyond beyond;
    AstarNearMeasuring measuring;
    bool is_begun, is_measured;
    size_t at;        // the goal to be looked at
    AstarRings rings; // around it
} AstarCandidates;

// Sorts out the goals for a question that is posed: ASTAR_OK, ASTAR_RUNNING where the work is used
// up before. To begin with, all is zero but 'goals'.
AstarStatus astar_candidates_sort(AstarCandidates *candidates, AstarSearch *search, int64_t *work);
// Then, where none can be reached: how near what can be lies to any goal, begun once.
void astar_candidates_begin_measuring(AstarCandidates *candidates);
AstarStatus astar_candidates_measure(AstarCandidates *candidates, AstarSearch *search,
                                     int64_t *work);

#endif
