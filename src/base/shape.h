// shape.h -- Shapes of cells: squares, or hexagons in one of four layouts.
//
// A map of hexagons is stored in columns and rows like a map of squares, with every second row or
// column shifted by half a cell (offset coordinates). The six neighbours of a hexagon are therefore
// six of the eight cells around it in the lattice of directions.h. Which six depends on its phase:
// whether its row or column is shifted. Rectangles, bitmaps and steps in the lattice work as for
// squares.
//
// A step has a direction in the lattice, and a side: the side of the cell that it crosses, as seen
// on a map. Sides are numbered like directions. For squares both numbers are equal. For hexagons
// the side stays the same along a straight line, while the directions alternate.

#ifndef ASTAR_SHAPE_H
#define ASTAR_SHAPE_H

#include "base/directions.h"

#include <stdlib.h>

// Value used when there is no direction or side.
enum { ASTAR_NO_SIDE = -1 };

// The properties of a shape. Code reads these properties instead of testing for a shape.
typedef struct AstarShape {
    AstarOffset offset;
    const char *offset_name;  // name of the layout as options spell it
    const char *name, *cells; // value of the option 'shape', and the word for the cells in messages
    bool has_corners; // cells also meet at corners, so there are corner rules, diagonal steps and
                      // units of several cells; otherwise all steps cross sides and have one length
    bool by_halves;   // hexagons: cells of neighbouring lines are shifted by half a cell
    bool has_gaps;    // the cells of a line within a distance in steps need not be contiguous
    bool in_columns;  // lines are columns
    uint8_t wraps;    // bits of axes that wrap around: 1 for columns, 2 for rows
    struct {
        uint8_t by_column, by_row; // 1: the phase depends on the column, or on the row
        uint8_t flip;              // 1: even ones are shifted
    } phase;
    uint8_t around[2];                      // by phase: directions of the neighbours
    uint8_t sides;                          // set of sides of a cell
    uint8_t to_lines[2], to_places[2];      // sets of directions: to the previous and next line;
                                            // backwards and forwards along a line
    int8_t sides_of[2][ASTAR_DIRECTIONS];   // by phase: side of each direction
    int8_t steps_over[2][ASTAR_DIRECTIONS]; // by phase: direction across each side
    uint8_t order[ASTAR_DIRECTIONS];        // order in which steps across sides are tried; among
                                            // equally good steps the first is taken
    // The change of AstarMiddle by a step across each side.
    int8_t along[ASTAR_DIRECTIONS], across[ASTAR_DIRECTIONS];
    // Distances between columns and between rows, and the shift of the middles of cells of phase 1.
    struct {
        double column, row, push_x, push_y;
    } plane;
    // Returns the length of the line between the middles of two cells. Neighbours across a side are
    // 1 apart.
    double (*length)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Returns the number of steps between two cells over open ground. NULL: the larger of the
    // distances in columns and rows.
    int64_t (*apart)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Returns a line between two cells. NULL: the line for squares.
    AstarLine (*line)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Stores the cell of a line after 'step' steps.
    void (*cell_of_line)(const AstarLine *line, int64_t step, int *x, int *y);
} AstarShape;

// Shapes, in the order of AstarOffset.
extern const AstarShape astar_shapes[];

// Returns the phase of a cell: 1 if its row or column is shifted.
static inline unsigned astar_phase(const AstarShape *shape, int x, int y)
{
    return (((unsigned)x & shape->phase.by_column) ^ ((unsigned)y & shape->phase.by_row)) ^
           shape->phase.flip;
}

// Returns the directions of a cell's neighbours, regardless of the edges of the map.
static inline unsigned astar_shape_around(const AstarShape *shape, int x, int y)
{
    return shape->around[astar_phase(shape, x, y)];
}

// The middle of a cell, in a plane in which lines across sides are straight. 'across' counts lines.
// 'along' is the position on a line, in half cells if neighbouring lines are shifted by half a
// cell.
typedef struct AstarMiddle {
    int64_t along, across;
} AstarMiddle;

// Returns the middle of a hexagon.
static inline AstarMiddle astar_middle_by_halves(const AstarShape *shape, int x, int y)
{
    int64_t phase = astar_phase(shape, x, y);
    return shape->in_columns ? (AstarMiddle){2 * (int64_t)y + phase, x}
                             : (AstarMiddle){2 * (int64_t)x + phase, y};
}

// Returns the middle of a cell of any shape.
static inline AstarMiddle astar_middle(const AstarShape *shape, int x, int y)
{
    return shape->by_halves ? astar_middle_by_halves(shape, x, y) : (AstarMiddle){x, y};
}

// Stores the last cell of a line whose middle does not lie beyond a middle.
static inline void astar_cell_by_halves(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    int line = (int)middle.across;
    int64_t along = middle.along - (int64_t)astar_phase(shape, line, line);
    int place = (int)((along - (along & 1)) / 2);
    *x = shape->in_columns ? line : place;
    *y = shape->in_columns ? place : line;
}

// Stores the cell with a middle.
static inline void astar_cell_of_middle(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    *x = (int)middle.along;
    *y = (int)middle.across;
    if (shape->by_halves)
        astar_cell_by_halves(shape, middle, x, y);
}

// Number of angles of bends.
enum { ASTAR_BEND_ANGLES = 4 };

// Returns how sharply a route bends from one direction to another: 0 not at all, or one of them is
// zero; 1 by up to 45 degrees (60 on hexagons); 2 by up to 90; 3 by up to 135 (120 on hexagons); 4
// by more.
static inline int astar_turn(const AstarShape *shape, AstarMiddle from, AstarMiddle to)
{
    int64_t dot = from.along * to.along + (shape->by_halves ? 3 : 1) * from.across * to.across;
    int64_t cross = llabs(from.along * to.across - from.across * to.along);
    if (dot >= cross)
        return cross != 0;
    return dot >= 0 ? 2 : -dot <= cross ? 3 : 4;
}

// Moves a cell by a number of steps across the same side.
static inline void astar_shape_go(const AstarShape *shape, int *x, int *y, int side, int steps)
{
    AstarMiddle middle = astar_middle(shape, *x, *y);
    middle.along += (int64_t)steps * shape->along[side];
    middle.across += (int64_t)steps * shape->across[side];
    astar_cell_of_middle(shape, middle, x, y);
}

// Returns the side that a straight line from one cell to another crosses. There must be such a
// line.
static inline int astar_shape_side(const AstarShape *shape, int x, int y, int to_x, int to_y)
{
    AstarMiddle from = astar_middle(shape, x, y), to = astar_middle(shape, to_x, to_y);
    int64_t along = to.along - from.along, across = to.across - from.across;
    int dx = (along > 0) - (along < 0), dy = (across > 0) - (across < 0), side = 0;
    if (!shape->by_halves)
        return astar_direction(dx, dy);
    while (shape->along[side] != dx * (across == 0 ? 2 : 1) || shape->across[side] != dy)
        side++;
    return side;
}

// Stores the middle of a cell, as in astar_grid_center.
void astar_shape_center(const AstarShape *shape, int x, int y, double *center_x, double *center_y);
// Stores the cell whose middle is nearest to a point.
void astar_shape_cell_at(const AstarShape *shape, double point_x, double point_y, int *x, int *y);

// Returns the distance between two cells: the number of steps over open ground.
static inline int64_t astar_cells_apart(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    if (shape->apart != NULL)
        return shape->apart(shape, x0, y0, x1, y1);
    int64_t columns = llabs((int64_t)x0 - x1), rows = llabs((int64_t)y0 - y1);
    return columns > rows ? columns : rows;
}

// Units of several cells. A unit covers as many columns and rows as its size, from its position to
// the east and south. A range counts from the nearest cell that it covers.

// Returns the column (or row) that a unit covers nearest to another one.
static inline int astar_nearest_covered(int at, int size, int to)
{
    return to < at ? at : to < at + size ? to : at + size - 1;
}

// Returns the distance between a unit and a cell, in steps.
static inline int64_t astar_unit_apart(const AstarShape *shape, int x, int y, int size, int to_x,
                                       int to_y)
{
    return astar_cells_apart(shape, astar_nearest_covered(x, size, to_x),
                             astar_nearest_covered(y, size, to_y), to_x, to_y);
}

// Returns the distance between two units along one axis, in cells.
static inline int astar_covered_apart(int at, int size, int other, int other_size)
{
    int nearest = astar_nearest_covered(at, size, other);
    return abs(nearest - astar_nearest_covered(other, other_size, nearest));
}

#endif
