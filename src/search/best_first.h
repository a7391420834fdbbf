// best_first.h -- A* and Dijkstra's algorithm, which go from cell to cell.
//
// The nodes and the open list of such a search, and the successors of a cell, one step in each
// direction.

#ifndef ASTAR_BEST_FIRST_H
#define ASTAR_BEST_FIRST_H

#include "base/pages.h"
#include "openlist/lifo_queue.h"
#include "openlist/slotted_queue.h"
#include "rules/canonical.h"
#include "search/nodes.h"

// What searches by steps, over cells or over cells with headings, are at.
typedef struct AstarFront {
    AstarPages nodes;       // of a search over cells with headings, see bends.h
    AstarSlottedQueue open; // of that, and of jump point search over ground of several costs
    uint32_t current; // the cell being expanded; a callback may break that off, and it is redone
    int32_t x, y;     // where it lies
} AstarFront;

// The nodes and the open list of A* and Dijkstra's algorithm. Costs are whole numbers of a unit,
// times 32, see nodes.h.
typedef struct AstarCore {
    AstarNodes nodes;
    AstarLifoQueue open;
    uint64_t g;             // of the cell being expanded
    uint64_t held;          // the node to expand next, which is not on the open list; 0: none
    uint64_t goal;          // the node of the goal's cell
    uint64_t best;          // towards one cell: the cost of the best way yet; UINT64_MAX: none
    uint64_t limit;         // towards one cell: what costs more is not followed
    uint64_t along, across; // of the estimate, see heuristic.h
    double unit, per_unit;  // units for each 1
    unsigned coarser;       // by how many bits the unit is larger than the finder's
    bool drains;       // towards one cell, though the open list is not sorted: see best_first.c
    bool is_cut;       // a way cost more than the limit
    bool overflowed;   // a way was too dear to be kept
    bool ends_at_goal; // when the goal is closed, no cheaper way can be found
} AstarCore;

// Which steps out of a cell best-first search follows.
typedef enum AstarExpansion {
    ASTAR_EXPAND_ALL,       // what other ways cost is not known, or there are many goals
    ASTAR_EXPAND_CANONICAL, // those of the canonical order alone
    ASTAR_EXPAND_TO_CELL    // the same: to one cell, exactly, by an estimate that is linear
} AstarExpansion;

// Of A* and Dijkstra's algorithm, see best_first.c.
typedef struct AstarBestFirst {
    AstarExpansion expansion;
    bool reopens;                 // a closed cell found cheaper is opened again
    const AstarArrival *arrivals; // of the finder: what is left out, by canonical order
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

// After an edit of an area that the search has not reached: marks in the nodes which of its cells
// can be entered now.
void astar_best_first_take_in(AstarSearch *search, const AstarEdit *area);

// Whether a search, bends apart, goes to one cell of a grid of squares over ground that tells all.
bool astar_best_first_goes_to_cell(const AstarSearch *search);
// The loops behind astar_search_step.
AstarStatus astar_best_first_begin(AstarSearch *search);
AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions);
AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path);
// What a search that found no way ends with.
AstarStatus astar_search_exhausted(AstarSearch *search);

#endif
