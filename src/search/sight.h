// sight.h -- whether a unit can go straight from one cell to another: what its body needs.
//
// The body of a unit of size n is a square of n x n cells. While the unit moves along a straight
// line, the square must cover no part of a cell that the unit cannot enter. A diagonal step with
// two free cells beside it is such a line.
//
// A rule that cuts corners lets a diagonal step move the square over the corner of a blocked cell.
// Under such a rule a line may do this no farther than a diagonal step does: it may cross between
// two neighbouring cells only if the unit may step from one to the other.
//
// Both conditions have the same form for the unit's north-west cell, if every cell where the unit
// does not fit is treated as blocked. The centre of that cell must stay out of an open square, two
// cells wide, around the centre of every blocked cell. Under a rule that cuts corners it must stay
// out of an open diamond, whose corners are the centres of the four cells beside the blocked one.
// The corners of these squares and diamonds are centres of cells. Therefore a shortest route turns
// at centres of cells only.
//
// A margin widens the square on each side, under every rule. The margin may extend beyond the map.
//
// On hexagons a line may cross between two neighbours only if the unit may step from one to the
// other. The line thus keeps as far from a blocked hexagon as a step past the hexagon does.

#ifndef ASTAR_SIGHT_H
#define ASTAR_SIGHT_H

#include "base/bits.h"
#include "base/line.h"
#include "finder/costs.h"
#include "finder/finder.h"

// Returns true if the bitmap and the corner rule decide all lines, and no line costs more than
// another path between its ends. Both conditions are met on uniform ground without callbacks, walls
// or a field to avoid.
bool astar_sight_is_plain(const AstarFinder *finder);

// Returns true if the obstacles that lines must avoid are diamonds rather than squares.
static inline bool astar_body_cuts_corners(const AstarCornerRule *rule)
{
    return rule->has_diagonals && rule->corners != ASTAR_CORNERS_BOTH_FREE;
}

// Sets '*sees' to true if the unit, whose cell is (x0, y0), can go straight to (x1, y1) and the
// steps along the line cost at most 'limit'. Adds the work done to '*spent', as a number of cells.
AstarStatus astar_sees(AstarCosts *costs, int x0, int y0, int x1, int y1, double limit, bool *sees,
                       uint64_t *spent);
// Returns true if the unit can go straight from one cell to another. May be called only if
// astar_sight_is_plain returns true; then every clear line is cheap enough.
bool astar_sees_plainly(const AstarFinder *finder, int x0, int y0, int x1, int y1, uint64_t *spent);

// Returns true if a route of two lines, which bends at the cell 'turn', is taut: an obstacle lies
// within the bend, so no path on the same side of each obstacle is shorter. The two lines of the
// route must be clear. May be called only if sight is plain and there is no margin.
bool astar_is_taut(const AstarFinder *finder, AstarCell from, AstarCell turn, AstarCell to);

// A line that the body follows step by step, over the cells of the line.
typedef struct AstarLeg {
    AstarLine line;
    bool is_diagonal; // false: the rule for single steps decides everything
    int64_t step;     // steps made
    int64_t i, j;     // columns and rows of centres crossed by then
    AstarCell stop;   // a cell that blocks the last step, if any does
} AstarLeg;

// Returns a leg of a line whose next step is the step number 'step', counted from 0.
AstarLeg astar_leg_at(const AstarFinder *finder, const AstarLine *line, int64_t step);
// Makes the next step of a leg. Sets '*clear' to false if the body cannot make the step. The rule
// for the step from cell to cell is not checked.
AstarStatus astar_leg_step(AstarCosts *costs, AstarLeg *leg, bool *clear);

// The functions below examine rows of the bitmap of cells where the unit can be.

// Returns true if all cells from 'first' to 'last' of a row are set, or if there are none.
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

// Returns true if all cells from 'first' to 'last' are set in both rows; 'last' is at least
// 'first'.
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
