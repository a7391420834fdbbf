// flow_flood.h -- The flood: breadth-first search and Dial's algorithm for flows whose costs are
// multiples of one number.

#ifndef ASTAR_FLOW_FLOOD_H
#define ASTAR_FLOW_FLOOD_H

#include "map/grid.h"

// The mark of a cell is the number of the bucket in which the cell's distance lies, or one of these
// values.
enum { ASTAR_FLOOD_BLOCKED = 0 };
#define ASTAR_FLOOD_FRESH UINT32_MAX // the cell is walkable and has no distance yet

// The state of a flood, see flow_flood.c.
typedef struct AstarFlood {
    // Marks of the cells; NULL: the distances are on the pages of the flow.
    uint32_t *marks;
    // True if a flood has computed a part of the flow since the flow began. The cells that the
    // flood left in the open list have the order of astar_flow_turn_of.
    bool has_run;
    size_t count;    // number of marks
    size_t closed;   // number of cells that were given a distance
    int first, last; // rows of which the marks are written; row -1 is the border
    double width;    // width of a bucket
    // Number of buckets that a straight step out of a cell skips, and number of further buckets
    // that a diagonal step skips, by terrain.
    uint8_t skips[2][ASTAR_MAX_TERRAINS];
    // Diagonal steps that the corner rule allows, by the free ones of the four straight neighbours:
    // bit 0 is the northern one, bit 1 the eastern one, and so on.
    uint8_t diagonals[16];
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
// Ends a flood whose distances are no longer needed.
void astar_flood_end(AstarFlow *flow);
// Ends a flood, if there is one, after its distances were written to the pages of the flow. The
// open list of the flow stays as it is.
AstarStatus astar_flood_write_pages(AstarFlow *flow);
// Returns the bytes of a flood.
size_t astar_flood_bytes(const AstarFlow *flow);

#endif
