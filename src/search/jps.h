// jps.h -- jump point search over uniform ground.

#ifndef ASTAR_JPS_H
#define ASTAR_JPS_H

#include "finder/finder.h"
#include "layers/jump_bits.h"
#include "openlist/heap64.h"
#include "search/bent_way.h"
#include "search/jump_nodes.h"

typedef struct AstarScan AstarScan; // see jump_scan.h

// The nodes and the open list of a search by jumps.
typedef struct AstarJumpFront {
    AstarJumpNodes nodes;
    AstarHeap64 open;   // over uniform ground; elsewhere that of the other front
    uint32_t current;   // the cell being expanded
    int32_t x, y;       // where it lies
    uint32_t number;    // of its node
    double steps_up_to; // nodes of no greater g take single steps, see jps.c; below 0: none
    unsigned rank_bits; // below what steps cost, low bits of g: the rank of a goal, see jps.c
    AstarCell to;       // where it leads: of a way back the start
} AstarJumpFront;

// Forgets the nodes of the search before.
AstarStatus astar_jps_clear(AstarSearch *search);
// Adds a node that a search begins at; its 'arrival' is as in jump_scan.h.
AstarStatus astar_jps_add_root(AstarSearch *search, int x, int y, unsigned arrival, uint32_t rank);
// Makes the nodes ready for a search by jumps of either kind, which begins at its start.
AstarStatus astar_jps_plant(AstarSearch *search, unsigned arrival);
// Plants the root of a search; astar_run_jps is its loop.
AstarStatus astar_jps_begin(AstarSearch *search);
// The same where the bitmaps are known to be current.
AstarStatus astar_jps_begin_on_bitmaps(AstarSearch *search, unsigned arrival);
AstarStatus astar_run_jps(AstarSearch *search, uint64_t expansions);
AstarStatus astar_run_jps_by(AstarSearch *search, const AstarJumpBitmaps *jump,
                             uint64_t expansions);
// Whether whole numbers tell that a route, the best by them at that cost, is the best; of so many
// straight and diagonal steps.
bool astar_jps_tells_apart(const AstarSearch *search, uint32_t whole, double straight,
                           double diagonal);

// The least f of any route that leads over a cell so far from the start and from the goal.
double astar_jps_least_f(const AstarSearch *search, int dx0, int dy0, int dx1, int dy1);
// Gathers the route, unless 'path' is NULL, and counts its straight and diagonal
// steps.
AstarStatus astar_jps_trace(const AstarSearch *search, AstarPath *path, double *straight,
                            double *diagonal);

// ---- how a search by jumps leaves the blocks that its unit stands among ----

// Sets the cost from the start up to which a search by jumps goes by single steps, before its first
// expansion: below 0 where the unit has no blocks in its way, INFINITY where it cannot jump at all.
AstarStatus astar_own_blocks_measure(AstarSearch *search);

// ---- the nearest of a few goals, by jumps from all of them back to the start ----

AstarStatus astar_back_jumps_begin(AstarSearch *search);
AstarStatus astar_run_back_jumps(AstarSearch *search, uint64_t expansions);

// ---- the successors of a jump point ----

// Has the expansions of a search read bitmaps, which are current.
void astar_scan_bitmaps(AstarScan *scan, const AstarSearch *search, const AstarJumpBitmaps *jump);
// Opens all successors of a node, or tells why not by the scan's 'fault'.
void astar_expand_jps(AstarScan *scan, uint32_t cell);
// The same where some cells are irregular.
void astar_expand_irregular(AstarScan *scan, uint32_t cell);
// The same of a cell that was reached so, where all ways are noted by the scan's 'note': over
// uniform ground, without regard to what steps cost.
void astar_expand_lines(AstarScan *scan, bool by_steps, int arrival, int x, int y);

#endif
