// line_of_sight.h -- lines of sight between the middles of two cells, as fields of view have them.
//
// Around a viewer lie sectors, eight of squares, six of hexagons. In a sector row d holds the cells
// 0 to d, and a line of slope s from 0 to 1 crosses row d at cell s * d. A line passes a row if
// sight passes the cell whose middle is less than half a cell away; if the line runs between two
// cells, one of both will do. Only the rows between both ends count, so the ends may be blocked.
//
// From one row to the next a line steps straight or aslant. A line that steps aslant between
// squares passes over a third one: early, if it crosses the border of columns before that of rows,
// else late. A thin wall that is closed both ways stops a line that crosses it. What passes over a
// blocked third square is stopped, too, if a wall stops the way over the other one: a wall beside a
// blocked cell leaves no gap. A line through a corner passes if it does either way.
//
// The rows and steps of a line are the same from either end. So of two cells each sees the other,
// or neither does.

#ifndef ASTAR_LINE_OF_SIGHT_H
#define ASTAR_LINE_OF_SIGHT_H

#include "base/bits.h"
#include "base/shape.h"
#include "finder/finder.h"
#include "map/grid.h"

// How a line comes from a row to the next: from the cell of one number to that of the same number,
// or to the one after; of hexagons the last two are the same.
typedef enum AstarSightStep {
    ASTAR_SIGHT_STRAIGHT,
    ASTAR_SIGHT_EARLY,
    ASTAR_SIGHT_LATE
} AstarSightStep;

// A place by columns and rows, of hexagons as AstarMiddle has it.
typedef struct AstarSightPlace {
    int along, across;
} AstarSightPlace;

typedef struct AstarSightSector {
    const AstarGrid *grid;
    const AstarBits *bits;            // 1: sight passes
    AstarSightPlace eye, step, aside; // where the viewer is, to the next row, to a row's next cell
    int side, slant; // the sides that a straight step, and one aside, of hexagons aslant, lead over
    bool has_walls;  // that count
} AstarSightSector;

// The sectors around a cell for a finder that is up to date, the first of them; false after the
// last, of which there are 'number'.
AstarSightSector astar_sight_around(const AstarFinder *finder, int x, int y, bool through_walls);
bool astar_sight_to_sector(AstarSightSector *sector, int number);

// The cell of a row; false if it lies outside the map.
bool astar_sight_cell(const AstarSightSector *sector, int row, int64_t number, int *x, int *y);
// Whether walls stop such a step from a cell of a row to the next row.
bool astar_sight_is_walled(const AstarSightSector *sector, int row, int64_t number,
                           AstarSightStep step);
// Whether the line of slope rise / run from the viewer passes all rows before 'row', and the steps
// up to it.
bool astar_sight_line_is_open(const AstarSightSector *sector, int64_t rise, int64_t run, int row);

#endif
