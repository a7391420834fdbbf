// best_first.h -- A* and Dijkstra's algorithm, which expand a map cell by cell.
//
// This file declares the nodes and the open list of best-first searches, and the function that
// lists the successors of a cell: one step in each direction. search/run.c calls the loops declared
// here.

#ifndef ASTAR_BEST_FIRST_H
#define ASTAR_BEST_FIRST_H

#include "base/pages.h"
#include "openlist/lifo_queue.h"
#include "openlist/slotted_queue.h"
#include "rules/canonical.h"
#include "search/nodes.h"

// The position of a search that expands cells, or pairs of a cell and a heading, one at a time.
typedef struct AstarFront {
    AstarPages nodes; // nodes of a search over cells with headings, see bends.h
    // Open list of a search over cells with headings, and of jump point search over terrain of
    // several costs.
    AstarSlottedQueue open;
    // The cell being expanded. If a callback interrupts its expansion, the cell is expanded again.
    uint32_t current;
    int32_t x, y; // column and row of the current cell
} AstarFront;

// The nodes and the open list of A* and Dijkstra's algorithm. Costs are whole multiples of a unit,
// stored 32 times as large, see nodes.h.
typedef struct AstarCore {
    AstarNodes nodes;
    AstarLifoQueue open;
    uint64_t g;    // g of the cell being expanded
    uint64_t held; // name of the node to expand next, which is not on the open list; 0 for none
    uint64_t goal; // name of the goal's node, in a search to one cell
    uint64_t best; // cost of the best route found to a single goal; UINT64_MAX for none
    // Highest f that a search to a single goal adds to its open list.
    uint64_t limit;
    uint64_t along, across; // terms of the heuristic, see heuristic.h
    double unit, per_unit;  // cost of one unit, and the number of units in a cost of 1
    unsigned coarser;       // the unit is 2^coarser times as large as the finder's
    // True if a search to a single goal continues after it closed the goal, because its open list
    // is not sorted; see search_grid() in best_first.c.
    bool drains;
    bool is_cut;       // true if a route cost more than the limit
    bool overflowed;   // true if a route cost more than a node can hold
    bool ends_at_goal; // true if no cheaper route can exist once the goal is closed
} AstarCore;

// The steps out of a cell that best-first search follows.
typedef enum AstarExpansion {
    ASTAR_EXPAND_ALL,       // all steps: canonical ordering does not apply
    ASTAR_EXPAND_CANONICAL, // only the steps that canonical ordering keeps
    // Only the steps that canonical ordering keeps, by the loop for an optimal route to one cell
    // with a linear heuristic and without callbacks.
    ASTAR_EXPAND_TO_CELL
} AstarExpansion;

// Settings of A* and Dijkstra's algorithm for one search, see best_first.c.
typedef struct AstarBestFirst {
    AstarExpansion expansion;
    bool reopens; // true if a closed cell is opened again when a cheaper path to it is found
    // The finder's table of the steps that canonical ordering leaves out, by direction of arrival.
    const AstarArrival *arrivals;
} AstarBestFirst;

// One step out of a cell.
typedef struct AstarSuccessor {
    uint32_t cell;
    int32_t x, y;
    uint8_t direction;
    double cost;
} AstarSuccessor;

// Stores the steps out of the current cell that an optimal path may take, and their number. Can
// fail only if the finder has callbacks.
AstarStatus astar_expand(AstarSearch *search, AstarSuccessor successors[ASTAR_DIRECTIONS],
                         int *count);

// Updates the nodes after an edit of an area that the search has not reached: marks which cells of
// the area can be entered now.
void astar_best_first_take_in(AstarSearch *search, const AstarEdit *area);

// Returns true if a search is for an optimal route to one cell of a square grid whose step costs
// depend on terrain alone. The options 'bends' and 'bend_cost' are disregarded.
bool astar_best_first_goes_to_cell(const AstarSearch *search);
// Starts a search by A* or Dijkstra's algorithm.
AstarStatus astar_best_first_begin(AstarSearch *search);
// Continues a search for at most 'expansions' expansions. Returns ASTAR_RUNNING if it has not
// ended.
AstarStatus astar_run_best_first(AstarSearch *search, uint64_t expansions);
// Adds one more part of the route found to 'path', from the goal backwards. Returns ASTAR_OK at the
// start and ASTAR_RUNNING before.
AstarStatus astar_best_first_trace(AstarSearch *search, AstarPath *path);
// Returns the status of a search that found no route: ASTAR_OK if it may lead to the nearest cell
// instead, otherwise the reason.
AstarStatus astar_search_exhausted(AstarSearch *search);

#endif
