// hexagons.h -- canonical ordering on hexagons: of equally good ways to a cell all but one are left
// out.

#ifndef ASTAR_HEXAGONS_H
#define ASTAR_HEXAGONS_H

#include "rules/canonical.h"

// What to leave out after one direction of arrival, as sets of directions.
typedef struct AstarHexagonArrival {
    uint8_t ahead;   // the others lead to neighbours of the parent, or back
    uint8_t past[2]; // where the cell there costs the same,
    uint8_t turn[2]; // that step is left out
} AstarHexagonArrival;

// Fills in what to leave out, by the phase of the cell and the direction of arrival.
void astar_hexagons_work_out(const AstarShape *shape,
                             AstarHexagonArrival arrivals[2][ASTAR_ARRIVALS]);

// The steps that need not be followed. 'same' are the free neighbours that cost what the cell does.
static inline unsigned astar_hexagons_left_out(const AstarHexagonArrival *arrival, unsigned same)
{
    return ((same & arrival->past[0]) != 0 ? arrival->turn[0] : 0u) |
           ((same & arrival->past[1]) != 0 ? arrival->turn[1] : 0u);
}

#endif
