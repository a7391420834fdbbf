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
    // True if cells also meet at corners, so that there are corner rules, diagonal steps and units
    // of several cells. Otherwise all steps cross sides and have one length.
    bool has_corners;
    // True for hexagons: each line of cells is shifted by half a cell against the next line.
    bool by_halves;
    // True if a line can have cells within a given number of steps of a cell, and between these
    // cells others that are farther away.
    bool has_gaps;
    bool in_columns; // true if lines are columns, false if lines are rows
    uint8_t
        wraps; // bit set of the axes along which the map wraps around: 1 for columns, 2 for rows
    struct {
        uint8_t by_column,
            by_row;   // 1 if the phase depends on the column; 1 if it depends on the row
        uint8_t flip; // 1 if the even columns or rows are shifted, 0 if the odd ones are
    } phase;
    uint8_t around[2]; // directions of the neighbours of a cell, by phase
    uint8_t sides;     // set of sides of a cell
    // Sets of directions of steps: to the previous line and to the next line; backwards and
    // forwards along a line.
    uint8_t to_lines[2], to_places[2];
    int8_t sides_of[2][ASTAR_DIRECTIONS];   // side that a step in each direction crosses, by phase
    int8_t steps_over[2][ASTAR_DIRECTIONS]; // direction of the step across each side, by phase
    // Sides in the order in which steps across them are tried. Among equally good steps the first
    // one is chosen.
    uint8_t order[ASTAR_DIRECTIONS];
    // Change of 'along' and of 'across' in AstarMiddle by a step across each side.
    int8_t along[ASTAR_DIRECTIONS], across[ASTAR_DIRECTIONS];
    // Distance between columns, distance between rows, and shift of the middles of cells of phase
    // 1.
    struct {
        double column, row, push_x, push_y;
    } plane;
    // Returns the length of the line between the middles of two cells. Neighbours across a side are
    // 1 apart.
    double (*length)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Returns the number of steps between two cells over open ground. NULL: the larger of the
    // distances in columns and rows.
    int64_t (*apart)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Returns the line between two cells. NULL: the line is computed as for squares.
    AstarLine (*line)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // Stores the cell of a line after 'step' steps. NULL: the cell is computed as for squares.
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

// Returns true if the cells of a shape have a side.
static inline bool astar_has_side(const AstarShape *shape, AstarSide side)
{
    return (unsigned)side < ASTAR_DIRECTIONS && (shape->sides >> side & 1) != 0;
}

// Returns the directions of a cell's neighbours, including neighbours beyond the edges of the map.
static inline unsigned astar_shape_around(const AstarShape *shape, int x, int y)
{
    return shape->around[astar_phase(shape, x, y)];
}

// The middle of a cell, in coordinates in which lines across sides are straight. 'across' is the
// number of the line. 'along' is the position on that line, in half cells if neighbouring lines are
// shifted by half a cell.
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

// Stores the hexagon that lies at 'middle' or, if no hexagon does, the one before it on the same
// line.
static inline void astar_cell_by_halves(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    int line = (int)middle.across;
    int64_t along = middle.along - (int64_t)astar_phase(shape, line, line);
    int place = (int)((along - (along & 1)) / 2);
    *x = shape->in_columns ? line : place;
    *y = shape->in_columns ? place : line;
}

// Stores the cell with the given middle.
static inline void astar_cell_of_middle(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    *x = (int)middle.along;
    *y = (int)middle.across;
    if (shape->by_halves)
        astar_cell_by_halves(shape, middle, x, y);
}

// Number of angles by which costs of bends differ.
enum { ASTAR_BEND_ANGLES = 4 };

// Returns how sharply a route bends between two directions: 0 if it does not bend, or if one of the
// directions is zero; 1 by up to 45 degrees (60 on hexagons); 2 by up to 90; 3 by up to 135 (120 on
// hexagons); 4 by more.
static inline int astar_turn(const AstarShape *shape, AstarMiddle from, AstarMiddle to)
{
    int64_t dot = from.along * to.along + (shape->by_halves ? 3 : 1) * from.across * to.across;
    int64_t cross = llabs(from.along * to.across - from.across * to.along);
    if (dot >= cross)
        return cross != 0;
    return dot >= 0 ? 2 : -dot <= cross ? 3 : 4;
}

// Moves the cell ('*x', '*y') by 'steps' steps, each across the side 'side'.
static inline void astar_shape_go(const AstarShape *shape, int *x, int *y, int side, int steps)
{
    AstarMiddle middle = astar_middle(shape, *x, *y);
    middle.along += (int64_t)steps * shape->along[side];
    middle.across += (int64_t)steps * shape->across[side];
    astar_cell_of_middle(shape, middle, x, y);
}

// Returns the side that the steps of a straight line from one cell to another cross. There must be
// a straight line between the two cells.
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

// Stores the coordinates of the middle of a cell, as astar_grid_center does.
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

// The following functions are about units of several cells. A unit covers the columns and rows of
// its body, from its position to the east and south. The range of a goal is measured from the
// covered cell that is nearest to the goal.

// The cells that a unit covers: 'width' columns and 'height' rows, whose north-west cell is the
// position of the unit.
typedef struct AstarBody {
    int32_t width, height;
} AstarBody;

// The body of a unit of one cell.
#define ASTAR_ONE_CELL ((AstarBody){1, 1})

// Returns true if a body has one cell.
static inline bool astar_is_one_cell(AstarBody body)
{
    return body.width == 1 && body.height == 1;
}

// Returns the longer side of a body.
static inline int astar_longer_side(AstarBody body)
{
    return body.width > body.height ? body.width : body.height;
}

// Returns the column (or row) nearest to 'to' among those that a unit of 'size' cells covers from
// 'at' on.
static inline int astar_nearest_covered(int at, int size, int to)
{
    return to < at ? at : to < at + size ? to : at + size - 1;
}

// Returns the number of steps between a cell and the nearest cell that a unit covers.
static inline int64_t astar_unit_apart(const AstarShape *shape, int x, int y, AstarBody body,
                                       int to_x, int to_y)
{
    return astar_cells_apart(shape, astar_nearest_covered(x, body.width, to_x),
                             astar_nearest_covered(y, body.height, to_y), to_x, to_y);
}

// Returns the distance along one axis, in cells, between the nearest cells of two units; 0 if the
// units overlap there.
static inline int astar_covered_apart(int at, int size, int other, int other_size)
{
    int nearest = astar_nearest_covered(at, size, other);
    return abs(nearest - astar_nearest_covered(other, other_size, nearest));
}

#endif
