// shape.h -- the shapes of cells: squares, or hexagons in one of four layouts.
//
// A map of hexagons is stored by columns and rows as one of squares is, every other row or column
// pushed on by half a cell (offset coordinates). So a hexagon's six neighbours are six of the eight
// cells around it on the lattice of directions.h, which six goes by whether its row or column is
// one of those pushed: its phase. Rectangles, bitmaps and steps along the lattice are as of
// squares.
//
// Beside its direction on the lattice a step has a side: the one it leaves the cell by, as a map
// shows it, numbered as directions are. Of squares both are the same; of hexagons a side stays the
// same along a straight line, where the directions alternate.

#ifndef ASTAR_SHAPE_H
#define ASTAR_SHAPE_H

#include "base/directions.h"

#include <stdlib.h>

// In place of a direction or side that there is not.
enum { ASTAR_NO_SIDE = -1 };

// What is told of cells of a shape; whoever needs to know asks here, not which shape it is.
typedef struct AstarShape {
    AstarOffset offset;
    const char *offset_name;  // as options have it
    const char *name, *cells; // the option shape, and what messages say
    bool has_corners; // cells meet at corners, too: corner rules, diagonal steps, units of any
                      // size; else all steps lead over sides and are of one length
    bool by_halves;   // of hexagons: a line's cells lie beside the halves of those of the next
    bool has_gaps;    // of a line, not only neighbours may be within so many steps of a cell
    bool in_columns;  // lines are columns
    uint8_t wraps;    // the map goes round: 1: columns, 2: rows
    struct {
        uint8_t by_column, by_row; // 1: it goes by that
        uint8_t flip;              // 1: those with even numbers are pushed on
    } phase;
    uint8_t around[2];                      // by phase: the directions of the neighbours
    uint8_t sides;                          // that there are
    uint8_t to_lines[2], to_places[2];      // to the line before and after; along it
    int8_t sides_of[2][ASTAR_DIRECTIONS];   // by phase: the side of each direction
    int8_t steps_over[2][ASTAR_DIRECTIONS]; // by phase: the direction over each side
    uint8_t order[ASTAR_DIRECTIONS];        // of sides: the later is taken of equal ones
    // What a step over each side adds to the place of a middle, as AstarMiddle has it.
    int8_t along[ASTAR_DIRECTIONS], across[ASTAR_DIRECTIONS];
    // How far columns and rows lie apart, and how far the middles of a phase are pushed on.
    struct {
        double column, row, push_x, push_y;
    } plane;
    // Of the line between the middles of two cells, that of neighbours over a side being 1.
    double (*length)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // How many steps over open ground; NULL: as many as columns or rows.
    int64_t (*apart)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    // A line, and its cell after 'step' steps; NULL: as on the lattice.
    AstarLine (*line)(const struct AstarShape *shape, int x0, int y0, int x1, int y1);
    void (*cell_of_line)(const AstarLine *line, int64_t step, int *x, int *y);
} AstarShape;

// By AstarOffset.
extern const AstarShape astar_shapes[];

// Whether a cell is one of those pushed on.
static inline unsigned astar_phase(const AstarShape *shape, int x, int y)
{
    return (((unsigned)x & shape->phase.by_column) ^ ((unsigned)y & shape->phase.by_row)) ^
           shape->phase.flip;
}

// The directions of a cell's neighbours, on a map without end.
static inline unsigned astar_shape_around(const AstarShape *shape, int x, int y)
{
    return shape->around[astar_phase(shape, x, y)];
}

// Where the middle of a cell is, on a plane in which the lines over sides are straight: 'across'
// the lines, by whole ones, and along them, by halves where those of the next line lie beside them.
typedef struct AstarMiddle {
    int64_t along, across;
} AstarMiddle;

static inline AstarMiddle astar_middle_by_halves(const AstarShape *shape, int x, int y)
{
    int64_t phase = astar_phase(shape, x, y);
    return shape->in_columns ? (AstarMiddle){2 * (int64_t)y + phase, x}
                             : (AstarMiddle){2 * (int64_t)x + phase, y};
}

static inline AstarMiddle astar_middle(const AstarShape *shape, int x, int y)
{
    return shape->by_halves ? astar_middle_by_halves(shape, x, y) : (AstarMiddle){x, y};
}

// The last cell of a line whose middle is not beyond.
static inline void astar_cell_by_halves(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    int line = (int)middle.across;
    int64_t along = middle.along - (int64_t)astar_phase(shape, line, line);
    int place = (int)((along - (along & 1)) / 2);
    *x = shape->in_columns ? line : place;
    *y = shape->in_columns ? place : line;
}

static inline void astar_cell_of_middle(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    *x = (int)middle.along;
    *y = (int)middle.across;
    if (shape->by_halves)
        astar_cell_by_halves(shape, middle, x, y);
}

enum { ASTAR_BEND_ANGLES = 4 };

// How sharply one way turns off another: 0: not at all, or either is none; 1: by up to 45 degrees,
// on hexagons 60; 2: 90; 3: 135, on hexagons 120; 4: by more.
static inline int astar_turn(const AstarShape *shape, AstarMiddle from, AstarMiddle to)
{
    int64_t dot = from.along * to.along + (shape->by_halves ? 3 : 1) * from.across * to.across;
    int64_t cross = llabs(from.along * to.across - from.across * to.along);
    if (dot >= cross)
        return cross != 0;
    return dot >= 0 ? 2 : -dot <= cross ? 3 : 4;
}

// The cell so many steps from another one, all of them over one side.
static inline void astar_shape_go(const AstarShape *shape, int *x, int *y, int side, int steps)
{
    AstarMiddle middle = astar_middle(shape, *x, *y);
    middle.along += (int64_t)steps * shape->along[side];
    middle.across += (int64_t)steps * shape->across[side];
    astar_cell_of_middle(shape, middle, x, y);
}

// The side over which a straight line leads from one cell to another; such a line there must be.
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

// The middle of a cell, as astar_grid_center has it; the cell whose middle is nearest to a point.
void astar_shape_center(const AstarShape *shape, int x, int y, double *center_x, double *center_y);
void astar_shape_cell_at(const AstarShape *shape, double point_x, double point_y, int *x, int *y);

// How many cells lie between two at most, one of them counted.
static inline int64_t astar_cells_apart(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    if (shape->apart != NULL)
        return shape->apart(shape, x0, y0, x1, y1);
    int64_t columns = llabs((int64_t)x0 - x1), rows = llabs((int64_t)y0 - y1);
    return columns > rows ? columns : rows;
}

// ---- units of any size ----
//
// A unit covers as many columns and rows as it is large, from where it is to the east and south. A
// range counts from the nearest cell that it covers.

// Of the columns that a unit covers, or of the rows, the nearest to another one.
static inline int astar_nearest_covered(int at, int size, int to)
{
    return to < at ? at : to < at + size ? to : at + size - 1;
}

// How many cells lie between a unit and a cell at most, one of them counted.
static inline int64_t astar_unit_apart(const AstarShape *shape, int x, int y, int size, int to_x,
                                       int to_y)
{
    return astar_cells_apart(shape, astar_nearest_covered(x, size, to_x),
                             astar_nearest_covered(y, size, to_y), to_x, to_y);
}

// The same of two units, along one axis.
static inline int astar_covered_apart(int at, int size, int other, int other_size)
{
    int nearest = astar_nearest_covered(at, size, other);
    return abs(nearest - astar_nearest_covered(other, other_size, nearest));
}

#endif
