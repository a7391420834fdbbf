// subgoal_scan.h -- the subgoals that a cell can turn at first, whichever way it goes.

#ifndef ASTAR_SUBGOAL_SCAN_H
#define ASTAR_SUBGOAL_SCAN_H

#include "derived/subgoals.h"

typedef struct AstarSubgoalHit {
    uint32_t place, subgoal;
    uint32_t cost;  // from the end of the route
    uint32_t bound; // no more than that of any route over it
} AstarSubgoalHit;

// One end of a route, and the subgoals found from there. Coordinates count the border.
typedef struct AstarRouteEnd {
    int x, y;
    int other_x, other_y; // the other end
    AstarSubgoalHit *hits;
    uint32_t count;
    size_t capacity; // kept from route to route
    bool is_subgoal; // itself, and the only hit
    bool has_failed; // for want of memory
} AstarRouteEnd;

// What the scans read.
typedef struct AstarSubgoalScan {
    const AstarSubgoals *subgoals;
    const AstarAllocator *allocator;
    uint32_t straight, diagonal;
    uint32_t across; // for a step along both axes: one diagonal or two straight ones
} AstarSubgoalScan;

AstarSubgoalScan astar_subgoal_scan(const AstarSubgoals *subgoals, uint32_t straight,
                                    uint32_t diagonal, const AstarAllocator *allocator);
// Begins at a cell, and looks along straight lines and into the quarter that the other end lies in.
void astar_scan_ahead(const AstarSubgoalScan *scan, AstarRouteEnd *end, int x, int y, int other_x,
                      int other_y);
// Looks into the other quarters, for routes that cost less than a limit.
void astar_scan_around(const AstarSubgoalScan *scan, AstarRouteEnd *end, uint32_t limit);

// No more than what it costs from one cell to another.
static inline uint32_t astar_scan_estimate(const AstarSubgoalScan *scan, int dx, int dy)
{
    uint32_t x = (uint32_t)(dx < 0 ? -dx : dx), y = (uint32_t)(dy < 0 ? -dy : dy);
    return x < y ? (y - x) * scan->straight + x * scan->across
                 : (x - y) * scan->straight + y * scan->across;
}

#endif
