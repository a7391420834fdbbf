// side_order.h -- canonical ordering over sides: of equally good ways to a cell all but one are
// left out.

#ifndef ASTAR_SIDE_ORDER_H
#define ASTAR_SIDE_ORDER_H

#include "rules/canonical.h"

// What to leave out after one direction of arrival, as sets of directions.
typedef struct AstarSideArrival {
    uint8_t ahead;   // the others lead to neighbours of the parent, or back
    uint8_t past[2]; // where the cell there costs the same,
    uint8_t turn[2]; // that step is left out
} AstarSideArrival;

// Fills in what to leave out, by the phase of the cell and the direction of arrival.
void astar_side_order_work_out(const AstarShape *shape,
                               AstarSideArrival arrivals[2][ASTAR_ARRIVALS]);

// The steps that need not be followed. 'same' are the free neighbours that cost what the cell does.
static inline unsigned astar_side_order_left_out(const AstarSideArrival *arrival, unsigned same)
{
    return ((same & arrival->past[0]) != 0 ? arrival->turn[0] : 0u) |
           ((same & arrival->past[1]) != 0 ? arrival->turn[1] : 0u);
}

#endif
