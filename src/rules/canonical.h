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

// The steps worth following over ground of one cost, 'legal' ones from among the free neighbours.
static inline unsigned astar_canonical_uniform(const AstarArrival *arrival, unsigned free,
                                               unsigned legal)
{
    return legal & arrival->ahead & ~astar_canonical_left_out(arrival, free, free);
}

// Those of the free neighbours of a cell that have its ground, of the ground of a map's cells.
static inline unsigned astar_canonical_same(const uint8_t *ground, const AstarGrid *grid,
                                            uint32_t cell, unsigned free)
{
    const uint8_t *here = ground + cell, own = *here;
    const size_t width = (size_t)grid->width, row = width + 1;
    unsigned same = 0;
    // Past a row's end lies a cell of the next, which is not among the free ones.
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

// ---- the same over sides ----

// What to leave out after one direction of arrival, as sets of directions.
typedef struct AstarSideArrival {
    uint8_t ahead;   // the others lead to neighbours of the parent, or back
    uint8_t past[2]; // where the cell there costs the same,
    uint8_t turn[2]; // that step is left out
} AstarSideArrival;

// Fills in what to leave out, by the phase of the cell and the direction of arrival.
void astar_side_order_work_out(const AstarShape *shape,
                               AstarSideArrival arrivals[2][ASTAR_ARRIVALS]);

// Whether canonical ordering prefers routes whose last step crosses this side. Going round a cell,
// every other side is preferred.
static inline bool astar_side_is_better(const AstarShape *shape, int side)
{
    return (astar_count_bits(shape->sides & ((1u << side) - 1)) & 1) != 0;
}

// The steps that need not be followed. 'same' are the free neighbours that cost what the cell does.
static inline unsigned astar_side_order_left_out(const AstarSideArrival *arrival, unsigned same)
{
    return ((same & arrival->past[0]) != 0 ? arrival->turn[0] : 0u) |
           ((same & arrival->past[1]) != 0 ? arrival->turn[1] : 0u);
}

#endif
