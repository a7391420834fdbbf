// sight.h -- whether a unit can go straight from one cell to another: what its body needs.
//
// The body of a unit of size n is a square of n x n cells. While the unit goes along a straight
// line, no cell that the square covers, even in part, may be one that the unit cannot enter. A
// diagonal step between two cells that both free corners allow is such a line.
//
// A rule that cuts corners lets a diagonal step lead the square over the corner of a blocked cell.
// Under such a rule a line may do so no farther than a diagonal step does: it goes between two
// cells side by side only where the unit may step from one to the other.
//
// Both have the same form for the unit's north-west cell, if a cell is called blocked where the
// unit does not fit. The middle of that cell stays out of the open square, two cells wide, around
// the middle of every blocked cell; under a rule that cuts corners out of the open diamond that has
// its corners in the middles of the four cells beside the blocked one. The corners of those squares
// and diamonds are middles of cells: therefore a shortest route turns at middles of cells only.
//
// A margin widens the square on each side, whatever the rule. What lies beyond the map does not
// count for that.
//
// On hexagons a line goes between two neighbours only where the unit may step from one to the
// other. It then keeps as far from a blocked hexagon as a step past it does.

#ifndef ASTAR_SIGHT_H
#define ASTAR_SIGHT_H

#include "base/bits.h"
#include "base/line.h"
#include "finder/costs.h"
#include "finder/finder.h"

// Whether the bitmap and the rule tell of all lines, and a line costs no more than any path between
// its ends: ground of one cost, no callbacks, walls or field to avoid.
bool astar_sight_is_plain(const AstarFinder *finder);

// Whether lines go past blocked cells by diamonds, not by squares.
static inline bool astar_body_cuts_corners(const AstarCornerRule *rule)
{
    return rule->has_diagonals && rule->corners != ASTAR_CORNERS_BOTH_FREE;
}

// Whether the unit can go straight from (x0, y0), where it is, to another cell, and the steps along
// the line cost no more than 'limit'. Adds the work that this took to '*spent', in cells.
AstarStatus astar_sees(AstarCosts *costs, int x0, int y0, int x1, int y1, double limit, bool *sees,
                       uint64_t *spent);
// The same of a finder whose sight is plain, where every clear line is cheap enough.
bool astar_sees_plainly(const AstarFinder *finder, int x0, int y0, int x1, int y1, uint64_t *spent);

// Whether a way over three cells, both lines of which are clear, is as short as any that passes the
// same side of each obstacle, where sight is plain and there is no margin: an obstacle lies within
// the turn.
bool astar_is_taut(const AstarFinder *finder, AstarCell from, AstarCell turn, AstarCell to);

// Goes along such a line until something stops the unit: '*stopped', and the cell that does.
AstarStatus astar_sweep_line(AstarCosts *costs, int x0, int y0, int x1, int y1, bool *stopped,
                             AstarCell *stop);

// A line that the body goes along one step at a time, as the cells of the line come.
typedef struct AstarLeg {
    AstarLine line;
    bool is_slanted; // else the rule for steps tells all
    int64_t step;    // steps made
    int64_t i, j;    // columns and rows crossed by then
    AstarCell stop;  // where the last step was not clear, a cell that is in the way
} AstarLeg;

// Begins with the line's step after 'step' others.
AstarLeg astar_leg_at(const AstarFinder *finder, const AstarLine *line, int64_t step);
// Makes the next step; '*clear' tells whether the body can, apart from the rule for the step
// itself.
AstarStatus astar_leg_step(AstarCosts *costs, AstarLeg *leg, bool *clear);

// ---- rows of cells where the unit can be ----

// Whether all cells from 'first' to 'last' of a row are set; of none true.
static inline bool astar_row_is_full(const uint64_t *row, int64_t first, int64_t last)
{
    if (first > last)
        return true;
    size_t from = (size_t)(first + 1), to = (size_t)(last + 1), word = from >> 6, end = to >> 6;
    uint64_t missing = ~row[word] & UINT64_MAX << (from & 63);
    for (; word < end; missing = ~row[word])
        if (missing != 0)
            return false;
        else
            word++;
    return (missing & UINT64_MAX >> (63 - (to & 63))) == 0;
}

// The same of two rows at once, of one cell at least.
static inline bool astar_rows_are_full(const uint64_t *row, const uint64_t *other, int64_t first,
                                       int64_t last)
{
    size_t from = (size_t)(first + 1), to = (size_t)(last + 1), word = from >> 6, end = to >> 6;
    uint64_t missing = ~(row[word] & other[word]) & UINT64_MAX << (from & 63);
    for (; word < end; missing = ~(row[word] & other[word]))
        if (missing != 0)
            return false;
        else
            word++;
    return (missing & UINT64_MAX >> (63 - (to & 63))) == 0;
}

#endif
