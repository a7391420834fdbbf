// reachable.h -- what can be reached from a cell, by components.

#ifndef ASTAR_REACHABLE_H
#define ASTAR_REACHABLE_H

#include "search/search.h"

// The components a unit at one cell is in touch with.
typedef struct AstarReachable {
    const AstarFinder *finder;
    AstarComponents *components;
    uint32_t labels[ASTAR_DIRECTIONS];
    int count;
    uint32_t *beyond; // the labels of those that links lead to, in order; the search's memory
    uint32_t beyond_count;
    bool certain;     // no wall may part what is in one component
    uint64_t visited; // cells looked at in rings
} AstarReachable;

// The search lends its memory until the next such call.
AstarStatus astar_reachable_from(AstarSearch *search, int x, int y, AstarReachable *reach);
// The same as far as the work goes, with 'beyond' zero at first; ASTAR_RUNNING where that is used
// up before.
AstarStatus astar_reachable_advance(AstarSearch *search, int x, int y, AstarBeyond *beyond,
                                    AstarReachable *reach, int64_t *work);
// Whether a cell can be reached.
bool astar_reachable_has(const AstarReachable *reach, int x, int y);
// How near to (x, y) a cell that can be reached lies, by the finder's distance, at most
// rings->nearest; with a 'range', not -1, whether one within so many columns and rows can, which
// leaves that finite. False where the work is used up before.
bool astar_reachable_look(AstarReachable *reach, int x, int y, int range, AstarRings *rings,
                          int64_t *work);

#endif
