// repair.h -- a path that the world has changed under, made good again.

#ifndef ASTAR_REPAIR_H
#define ASTAR_REPAIR_H

#include "search/search.h"

// Makes 'out' a path from the cell at 'from' of 'path' to where that one was to lead. Takes a
// search that the caller has taken for it, not begun, as for path_validity.h.
AstarStatus astar_repair(AstarSearch *search, const AstarPath *path, int from, bool optimal,
                         AstarPath *out);
// What of a path to another goal is kept: as much as can be, then less.
typedef struct AstarKept {
    struct {
        int last; // cell of it
        double cost;
    } parts[2];
    int count;         // of those
    double most;       // that all may cost; INFINITY: anything
    uint64_t expanded; // in vain
} AstarKept;

// The same, but one of these parts is kept, all of which can be walked; anew where none will do.
AstarStatus astar_repair_end(AstarSearch *search, const AstarPath *path, int from, AstarKept *kept,
                             AstarPath *out);
// A path to another goal that costs at most 'bound' times the best; see retarget.c.
AstarStatus astar_retarget(AstarSearch *search, const AstarPath *path, int from, AstarCell goal,
                           double bound, AstarPath *out);
// As astar_repair, but as what the search's steps are for; ASTAR_RUNNING, or ASTAR_NO_MEMORY.
AstarStatus astar_repair_in_steps(AstarSearch *search, const AstarPath *path, int from,
                                  bool optimal, uint64_t at_once);

#endif
