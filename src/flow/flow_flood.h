// flow_flood.h -- The flood: breadth-first search and Dial's algorithm for flows without diagonal
// steps.

#ifndef ASTAR_FLOW_FLOOD_H
#define ASTAR_FLOW_FLOOD_H

#include "map/grid.h"

// The state of a flood, see flow_flood.c.
typedef struct AstarFlood {
    uint8_t *states; // states of the cells; NULL: no flood computes the flow
    // True if a flood has computed a part of the flow since the flow began. The cells that the
    // flood left in the open list have the order of astar_flow_turn_of.
    bool has_run;
    size_t count;    // number of states
    int first, last; // rows of which the states are written; row -1 is the border
    double width;    // width of a bucket
    // Number of buckets that a step out of a cell skips, by terrain.
    uint8_t skips[ASTAR_MAX_TERRAINS];
} AstarFlood;

// Stores the width that the buckets of a flow need for a flood in '*width'. Returns false if a
// flood cannot compute the flow.
bool astar_flood_fits(AstarFlow *flow, double *width);
// Starts a flood. The flow must have no distances yet.
AstarStatus astar_flood_begin(AstarFlow *flow);
// Makes a cell a goal of the flood.
AstarStatus astar_flood_plant(AstarFlow *flow, uint32_t cell, int x, int y, double value);
// Expands the current bucket within the budget.
AstarStatus astar_flood_bucket(AstarFlow *flow);
// Ends a flood and frees its states. The distances and the open list of the flow stay as they are.
void astar_flood_end(AstarFlow *flow);
// Returns the bytes of a flood.
size_t astar_flood_bytes(const AstarFlow *flow);

#endif
