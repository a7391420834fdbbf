// line_of_sight.h -- lines of sight between the centres of two cells. finder:sees and fields of
// view use it.
//
// The plane around a viewer is divided into sectors, eight on squares, six on hexagons. Row d of a
// sector holds the cells 0 to d. A line of slope s from 0 to 1 crosses row d at s * d. The line
// passes the row if sight passes the cell of the row whose centre is less than half a cell away
// from the line. If the line runs exactly between two cells, one of them suffices. Only the rows
// between the two ends count, so the ends may be blocked.
//
// From one row to the next a line makes a straight or a slanted step. A slanted step between
// squares crosses a third square: "early" if it crosses the border of the columns before that of
// the rows, else "late". A thin wall that is closed in both directions stops a line that crosses
// it. A line over a blocked third square is also stopped if a wall bars the path over the other
// square, so a wall that ends at a blocked cell leaves no gap. A line exactly through a corner
// passes if it passes over one of the two squares.
//
// The rows and steps of a line are the same from either end. Therefore sight is symmetric: if one
// of two cells sees the other, the other sees it, too.

#ifndef ASTAR_LINE_OF_SIGHT_H
#define ASTAR_LINE_OF_SIGHT_H

#include "base/bits.h"
#include "base/shape.h"
#include "finder/finder.h"
#include "map/grid.h"

// The kinds of steps of a line from a row to the next row. A straight step leads to the cell of the
// same number. An early or a late step leads to the cell of the next number; on hexagons these two
// are the same.
typedef enum AstarSightStep {
    ASTAR_SIGHT_STRAIGHT,
    ASTAR_SIGHT_EARLY,
    ASTAR_SIGHT_LATE
} AstarSightStep;

// The position of a cell in the plane: its column and row, or on hexagons its coordinates as in
// AstarMiddle.
typedef struct AstarSightPlace {
    int along, across;
} AstarSightPlace;

typedef struct AstarSightSector {
    const AstarGrid *grid;
    const AstarBits *bits; // 1: sight passes the cell
    // The viewer's position, the step to the next row, and the step to the next cell of a row.
    AstarSightPlace eye, step, aside;
    // Side of a cell that the step to the next row crosses. 'diagonal' is the side that the step to
    // the next cell of a row crosses. On hexagons two steps lead to the next row, and 'diagonal' is
    // the side that the second one crosses.
    int side, diagonal;
    bool has_walls; // true if walls exist and stop sight
} AstarSightSector;

// Returns the view around the cell (x, y), for a finder that is up to date. astar_sight_to_sector
// then selects the sector 'number' of the view; it returns false if there are not so many sectors.
AstarSightSector astar_sight_around(const AstarFinder *finder, int x, int y, bool through_walls);
bool astar_sight_to_sector(AstarSightSector *sector, int number);

// Stores the coordinates of the cell 'number' of a row. Returns false if the cell lies outside the
// map.
bool astar_sight_cell(const AstarSightSector *sector, int row, int64_t number, int *x, int *y);
// Returns true if walls stop the step from a cell of a row to the next row.
bool astar_sight_is_walled(const AstarSightSector *sector, int row, int64_t number,
                           AstarSightStep step);
// Returns true if the line of slope rise / run from the viewer passes all rows before 'row', and
// all steps from the viewer to 'row'.
bool astar_sight_line_is_open(const AstarSightSector *sector, int64_t rise, int64_t run, int row);

#endif
