// expand_jps.h -- the successors of a jump point.

#ifndef ASTAR_EXPAND_JPS_H
#define ASTAR_EXPAND_JPS_H

#include "search/search.h"

// The direction that led to a node: one of AstarStraight, none to the start, or a slant.
enum { ASTAR_ARRIVED_NOWHERE = 4, ASTAR_ARRIVED_SLANTED = 5 };

// No f is higher, so that one run more still fits 32 bits.
#define ASTAR_MOST_F (UINT32_C(1) << 31)

// What expansions need at hand. Coordinates count the border, as in jump_bitmaps.h.
typedef struct AstarScan {
    AstarSearch *search;
    AstarHeap64 *open;
    AstarJumpNode *nodes;
    AstarBits rows, columns;
    AstarBits stops[4], events[4];
    const uint64_t *reach;
    size_t reach_stride;
    int32_t wrap;
    uint32_t width, stamp;
    const AstarCornerRule *rule;
    uint32_t straight, diagonal; // what steps cost
    uint32_t across;             // the estimate for one step in both axes
    int goal_x, goal_y;
    const uint32_t *landmarks; // the distances of all cells from them; NULL: not baked
    int landmark_stride;
    uint32_t goal_distances[ASTAR_MAX_PIVOTS];
    uint64_t limit; // for f
    // the node being expanded
    uint32_t from, g;
    AstarStatus fault; // ASTAR_NO_MEMORY, or ASTAR_BAD_COST when a sum grows too large
} AstarScan;

// Opens all successors of a node, or tells why not by the scan's 'fault'.
void astar_expand_jps(AstarScan *scan, uint32_t cell);

#endif
