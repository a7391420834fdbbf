// canonical.h -- Canonical ordering: among equally cheap paths into a cell, successors are pruned
// so that one path is left (Sturtevant and Rabin, 2016).

#ifndef ASTAR_CANONICAL_H
#define ASTAR_CANONICAL_H

#include "base/bits.h"
#include "rules/corner_rules.h"

// The steps that can be pruned after a step in one direction; all fields are sets of directions.
typedef struct AstarArrival {
    uint8_t ahead;       // steps that do not lead to a neighbour of the previous cell
    uint8_t left, right; // the step two turns to the left; the step two turns to the right
    // Directions of cells over which another path around the corner can lead: in any case; if the
    // cell is free; or only if the cell is free and costs as much as the present cell.
    uint8_t all, if_free, if_same;
    // Steps that may be pruned. 'sides': those two turns to the left or right of the step that led
    // to the cell. 'fore': those one turn to the left or right.
    uint8_t sides, fore;
} AstarArrival;

// Number of directions of arrival. The last two are for the start and for the arrival over a link.
enum { ASTAR_ARRIVALS = ASTAR_DIRECTIONS + 2 };

// Fills in the table of a corner rule. If 'exact' is false, equally cheap paths are kept. This is
// for searches that cannot determine which path is best: a search with a weight, and a search that
// meets another search in a cell.
void astar_canonical_work_out(const AstarCornerRule *rule, double diagonal_cost, bool exact,
                              AstarArrival arrivals[ASTAR_ARRIVALS]);

// Returns the steps out of a cell that can be pruned. 'free' is the set of neighbours that can be
// entered, and 'same' the set of free neighbours that cost as much as the cell.
static inline unsigned astar_canonical_left_out(const AstarArrival *arrival, unsigned free,
                                                unsigned same)
{
    unsigned opened = arrival->all | (arrival->if_free & free) | (arrival->if_same & same);
    unsigned left = arrival->left & astar_rotate(opened, 1) & same;
    unsigned right = arrival->right & astar_rotate(opened, 7) & same;
    unsigned fore = (astar_rotate(left, 1) | astar_rotate(right, 7)) & same & arrival->fore;
    return ((left | right) & arrival->sides) | fore;
}

// Returns the steps left after pruning on ground of one cost. 'legal' are the legal steps to free
// neighbours.
static inline unsigned astar_canonical_uniform(const AstarArrival *arrival, unsigned free,
                                               unsigned legal)
{
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, free);
}

// Returns the neighbours in 'free' that have the same terrain as the cell. 'ground' is the terrain
// of all cells of the map.
static inline unsigned astar_canonical_same(const uint8_t *ground, const AstarGrid *grid,
                                            uint32_t cell, unsigned free)
{
    const uint8_t *here = ground + cell, own = *here;
    const size_t width = (size_t)grid->width, row = width + 1;
    unsigned same = 0;
    // At the end of a row, the byte after the cell belongs to the next row; the mask 'free'
    // excludes it.
    if (cell >= row && cell + row < grid->cells) {
        const uint8_t *north = here - width, *south = here + width;
        same = (unsigned)(north[0] == own) | (unsigned)(north[1] == own) << 1 |
               (unsigned)(here[1] == own) << 2 | (unsigned)(south[1] == own) << 3 |
               (unsigned)(south[0] == own) << 4 | (unsigned)(south[-1] == own) << 5 |
               (unsigned)(here[-1] == own) << 6 | (unsigned)(north[-1] == own) << 7;
        return same & free;
    }
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        same |= (unsigned)(here[astar_dy[d] * grid->width + astar_dx[d]] == own) << d;
    }
    return same;
}

// The following declarations are for canonical ordering on hexagons.

// The steps that can be pruned after a step in one direction; all fields are sets of directions.
typedef struct AstarSideArrival {
    uint8_t ahead; // steps that lead neither back nor to a neighbour of the parent
    // Pruning has two conditions: the cell in this direction is free, and it costs as much as the
    // present cell.
    uint8_t past[2];
    uint8_t turn[2]; // steps that are pruned under each of the conditions in 'past'
} AstarSideArrival;

// Fills in the tables of steps that can be pruned, by the phase of the cell and the direction of
// arrival.
void astar_side_order_work_out(const AstarShape *shape,
                               AstarSideArrival arrivals[2][ASTAR_ARRIVALS]);

// Returns true if canonical ordering prefers routes whose last step crosses 'side'. Every second
// one of the six sides of a hexagon is preferred.
static inline bool astar_side_is_better(const AstarShape *shape, int side)
{
    return (astar_count_bits(shape->sides & ((1u << side) - 1)) & 1) != 0;
}

// Returns the steps out of a hexagon that can be pruned. 'same' is the set of free neighbours that
// cost as much as the cell.
static inline unsigned astar_side_order_left_out(const AstarSideArrival *arrival, unsigned same)
{
    return ((same & arrival->past[0]) != 0 ? arrival->turn[0] : 0u) |
           ((same & arrival->past[1]) != 0 ? arrival->turn[1] : 0u);
}

#endif
