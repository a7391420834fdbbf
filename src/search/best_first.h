// best_first.h -- A* and Dijkstra's algorithm, which go from cell to cell.
//
// The nodes and the open list of such a search, and the successors of a cell, one step in each
// direction.

#ifndef ASTAR_BEST_FIRST_H
#define ASTAR_BEST_FIRST_H

#include "base/pages.h"
#include "openlist/slotted_queue.h"
#include "rules/canonical.h"

// In place of the direction that led to a cell: it is a start; it was reached over a link.
enum { ASTAR_FROM_NOWHERE = 8, ASTAR_FROM_LINK = 9 };
// The state of a node: 1 more than the direction of the step that led there, and whether it is
// closed. 0: not reached yet.
enum { ASTAR_NODE_CLOSED = 0x80 };
// A tree of paths growing from the start.
typedef struct AstarFront {
    AstarPages nodes; // g and the state of each cell
    AstarSlottedQueue open;
    uint32_t current; // the cell being expanded; a callback may break that off, and it is redone
    int32_t x, y;     // where it lies
} AstarFront;

// Which steps out of a cell best-first search follows.
typedef enum AstarExpansion {
    ASTAR_EXPAND_ALL,       // what other ways cost is not known, or there are many goals
    ASTAR_EXPAND_CANONICAL, // those of the canonical order alone
    ASTAR_EXPAND_TO_CELL,   // the same: to one cell, exactly, by an estimate that is linear
    ASTAR_EXPAND_HEXAGONS   // the same of hexagons
} AstarExpansion;

// Of A* and Dijkstra's algorithm, see best_first.c.
typedef struct AstarBestFirst {
    AstarExpansion expansion;
    bool reopens;                      // a closed cell found cheaper is opened again
    const AstarArrival *arrivals;      // of the finder: what is left out, by canonical order
    int32_t offsets[ASTAR_DIRECTIONS]; // from a cell to its neighbours
    double spread;                     // of ties on the open list, see best_first.c
} AstarBestFirst;

// One step out of a cell.
typedef struct AstarSuccessor {
    uint32_t cell;
    int32_t x, y;
    uint8_t direction;
    double cost;
} AstarSuccessor;

// Stores the steps out of the current cell that can be on a best path, and how many there are. Only
// callbacks can make it fail.
AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count);

// ---- the expansion of hexagons towards one of them ----

// How far apart two neighbouring cells of equal f are put on the open list, in f; 0: not at all.
double astar_spread_of_ties(const AstarSearch *search);

// Follows the steps out of the current cell that a best path to one cell may need, over ground that
// tells all, by an estimate that is linear. The open list has room.
AstarStatus astar_expand_hexagons(AstarSearch *search);

// The loops behind astar_search_step.
AstarStatus astar_best_first_begin(AstarSearch *search);
AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions);
AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path);
// What a search that found no way ends with.
AstarStatus astar_search_exhausted(AstarSearch *search);

#endif
