// canonical.h -- canonical ordering: of equally good ways to a cell, all but one are left out.

#ifndef ASTAR_CANONICAL_H
#define ASTAR_CANONICAL_H

#include "base/bits.h"
#include "rules/corner_rules.h"

// What to leave out after one direction of arrival, as sets of directions.
typedef struct AstarArrival {
    uint8_t ahead;                 // the others lead to neighbours of the parent
    uint8_t left, right;           // two turns aside
    uint8_t all, if_free, if_same; // which cells three turns aside open the way to those
    uint8_t sides, fore;           // what may be left out of those two turns aside, and one turn
} AstarArrival;

// By direction of arrival; the last two are of those that come from nowhere, and over a link.
enum { ASTAR_ARRIVALS = ASTAR_DIRECTIONS + 2 };

// Fills in the table of a rule. Where 'exact' is false, equally good ways are kept: a search that
// takes what is not the best cannot tell them apart, nor one that may meet another in a cell.
void astar_canonical_work_out(const AstarCornerRule *rule, double diagonal_cost, bool exact,
                              AstarArrival arrivals[ASTAR_ARRIVALS]);

// The steps that need not be followed. 'free' are the neighbours that can be entered, 'same' those
// of them that cost what the cell itself does.
static inline unsigned astar_canonical_left_out(const AstarArrival *arrival, unsigned free,
                                                unsigned same)
{
    unsigned opened = arrival->all | (arrival->if_free & free) | (arrival->if_same & same);
    unsigned left = arrival->left & astar_rotate(opened, 1) & same;
    unsigned right = arrival->right & astar_rotate(opened, 7) & same;
    unsigned fore = (astar_rotate(left, 1) | astar_rotate(right, 7)) & same & arrival->fore;
    return ((left | right) & arrival->sides) | fore;
}

// Which of three cells of a row have a terrain, bit 0 for the first.
static inline unsigned astar_canonical_row(const uint8_t *row, uint8_t terrain)
{
    return (unsigned)(row[0] == terrain) | (unsigned)(row[1] == terrain) << 1 |
           (unsigned)(row[2] == terrain) << 2;
}

// The steps worth following over ground of one cost, 'legal' ones from among the free neighbours.
static inline unsigned astar_canonical_uniform(const AstarArrival *arrival, unsigned free,
                                               unsigned legal)
{
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, free);
}

// Those of the free neighbours of a cell that have its ground: 'ground' points to the cell's own
// on a map of that width.
static inline unsigned astar_canonical_same(const uint8_t *ground, int width, unsigned free)
{
    if (free == 0xFF) { // so none of them lies outside the grid
        const uint8_t *row = ground - 1;
        unsigned above = astar_canonical_row(row - width, ground[0]);
        unsigned beside = astar_canonical_row(row, ground[0]);
        unsigned below = astar_canonical_row(row + width, ground[0]);
        return astar_bits_ring(above, beside, below);
    }
    unsigned same = 0;
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        same |= (unsigned)(ground[astar_dy[d] * width + astar_dx[d]] == ground[0]) << d;
    }
    return same;
}

#endif
