// jpsw.h -- runs over equal ground, jumped over.

#ifndef ASTAR_JPSW_H
#define ASTAR_JPSW_H

#include "search/search.h"

enum {
    ASTAR_LONGEST_RUN = 255, // steps; a longer run has a node in between
    ASTAR_LONGEST_TURN = 16, // the same of a run that sends out others: measured
    ASTAR_JPSW_MOST_RUNS = 8 * (2 * ASTAR_LONGEST_TURN + 1) // nodes that one leads to, and more
};

// Whether jumping over runs is worth it: enough of the ground lies in uniform areas. They must be
// current.
bool astar_jpsw_pay(const AstarFinder *finder);

// Follows a step of the current cell of a front, at (x, y), to a cell of a uniform area, and the
// runs from there. The open list has room for ASTAR_JPSW_MOST_RUNS nodes an expansion.
void astar_expand_run(AstarSearch *search, AstarFront *front, int x, int y, int direction);

#endif
