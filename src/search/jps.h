// jps.h -- jump point search over ground where every step of one kind has the same cost (Harabor
// and Grastien, 2011). run.c runs it for searches on such maps; jpsw.h is the variant for maps with
// other ground, walls or links.

#ifndef ASTAR_JPS_H
#define ASTAR_JPS_H

#include "finder/finder.h"
#include "layers/jump_bits.h"
#include "openlist/heap64.h"
#include "search/bent_way.h"
#include "search/jump_nodes.h"

typedef struct AstarScan AstarScan; // defined in jump_scan.h

// The state of a jump point search: its nodes, its open list and the node being expanded.
typedef struct AstarJumpFront {
    AstarJumpNodes nodes;
    AstarHeap64 open; // the open list over uniform ground; JPSW uses search->front.open instead
    uint32_t current; // the cell being expanded, or ASTAR_NO_CELL
    int32_t x, y;     // the coordinates of 'current'
    uint32_t number;  // the number of the node of 'current'
    // A node whose g is at most this value is expanded step by step, see jps.c. If the value is
    // below 0, no node is expanded step by step.
    double steps_up_to;
    // The number of low bits of g that hold the rank of a goal, below the cost; see the end of
    // jps.c.
    unsigned rank_bits;
    // The cell where the search ends: the goal, or the start if the search runs back from goals.
    AstarCell to;
} AstarJumpFront;

// Removes all nodes and resets the state for a new search.
AstarStatus astar_jps_clear(AstarSearch *search);
// Adds a root node: a node from which the search begins. 'arrival' is one of the values of
// jump_scan.h.
AstarStatus astar_jps_add_root(AstarSearch *search, int x, int y, unsigned arrival, uint32_t rank);
// Clears the nodes and adds the start as root, for jump point search over uniform ground or with
// non-uniform cells.
AstarStatus astar_jps_plant(AstarSearch *search, unsigned arrival);
// Starts a jump point search: brings the bitmaps up to date and adds the start to the open list.
// astar_run_jps then runs it.
AstarStatus astar_jps_begin(AstarSearch *search);
// Starts a jump point search whose bitmaps are known to be up to date.
AstarStatus astar_jps_begin_on_bitmaps(AstarSearch *search, unsigned arrival);
AstarStatus astar_run_jps(AstarSearch *search, uint64_t expansions);
AstarStatus astar_run_jps_by(AstarSearch *search, const AstarJumpBitmaps *jump,
                             uint64_t expansions);
// Returns true if the route found is certain to be a cheapest one although the search compared
// costs as whole numbers. The route costs 'whole' and has 'straight' straight steps and 'diagonal'
// diagonal ones.
bool astar_jps_distinguishes(const AstarSearch *search, uint32_t whole, double straight,
                             double diagonal);

// Returns a lower bound, in whole-number costs, for a route over a cell that lies (dx0, dy0) away
// from the start and (dx1, dy1) away from the goal.
double astar_jps_least_f(const AstarSearch *search, int dx0, int dy0, int dx1, int dy1);
// Adds the numbers of straight and diagonal steps of the found route to 'straight' and 'diagonal'.
// Stores the route in 'path', unless 'path' is NULL.
AstarStatus astar_jps_trace(const AstarSearch *search, AstarPath *path, double *straight,
                            double *diagonal);

// The function below prepares a search that begins inside the blocks which its own unit has on the
// map.

// Computes, before the first expansion, 'steps_up_to': the highest g at which nodes are expanded
// step by step. The value is below 0 if the unit has no blocks of its own to ignore, and INFINITY
// if the search cannot jump at all.
AstarStatus astar_own_blocks_measure(AstarSearch *search);

// The functions below find the nearest of a few goals by a jump point search from all goals back to
// the start.

AstarStatus astar_back_jumps_begin(AstarSearch *search);
AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions);

// The functions below compute the successors of a node.

// Sets the bitmaps that the expansions of a search read. The bitmaps must be up to date.
void astar_scan_bitmaps(AstarScan *scan, const AstarSearch *search, const AstarJumpBitmaps *jump);
// Adds all successors of a node to the open list; on failure sets the scan's 'fault'.
void astar_expand_jps(AstarScan *scan, uint32_t cell);
// Adds all successors of a node on a map with non-uniform cells.
void astar_expand_nonuniform(AstarScan *scan, uint32_t cell);

#endif
