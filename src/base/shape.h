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

typedef struct AstarShape {
    AstarOffset offset;
    const char *name;                       // of the offset, as options have it
    uint8_t by_column, by_row;              // 1: the phase goes by that
    uint8_t flip;                           // 1: those with even numbers are pushed on
    uint8_t around[2];                      // by phase: the directions of the neighbours
    uint8_t sides;                          // that there are
    int8_t sides_of[2][ASTAR_DIRECTIONS];   // by phase: the side of each direction
    int8_t steps_over[2][ASTAR_DIRECTIONS]; // by phase: the direction over each side
    // What a step over each side adds to the place of a middle, as AstarMiddle has it, of hexagons.
    int8_t along[ASTAR_DIRECTIONS], across[ASTAR_DIRECTIONS];
} AstarShape;

// By AstarOffset.
extern const AstarShape astar_shapes[];

// How far apart lines of hexagons lie.
static const double ASTAR_HEXAGON_LINES = 0.86602540378443864676;

static inline bool astar_is_hexagonal(const AstarShape *shape)
{
    return shape->offset != ASTAR_NO_OFFSET;
}

// Whether a cell is one of those pushed on.
static inline unsigned astar_phase(const AstarShape *shape, int x, int y)
{
    return (((unsigned)x & shape->by_column) | ((unsigned)y & shape->by_row)) ^ shape->flip;
}

// The directions of a cell's neighbours, on a map without end.
static inline unsigned astar_shape_around(const AstarShape *shape, int x, int y)
{
    return shape->around[astar_phase(shape, x, y)];
}

// Where the middle of a hexagon is: 'across' the lines of those that are pushed on together, by
// whole ones, and along them, by halves.
typedef struct AstarMiddle {
    int64_t along, across;
} AstarMiddle;

static inline AstarMiddle astar_middle(const AstarShape *shape, int x, int y)
{
    int64_t phase = astar_phase(shape, x, y);
    return shape->by_row ? (AstarMiddle){2 * (int64_t)x + phase, y}
                         : (AstarMiddle){2 * (int64_t)y + phase, x};
}

// The hexagon whose middle that is.
static inline void astar_cell_of_middle(const AstarShape *shape, AstarMiddle middle, int *x, int *y)
{
    int line = (int)middle.across;
    int64_t along = (middle.along - (int64_t)astar_phase(shape, line, line)) / 2;
    *x = shape->by_row ? (int)along : line;
    *y = shape->by_row ? line : (int)along;
}

// The cell so many steps from another one, all of them over one side.
static inline void astar_shape_go(const AstarShape *shape, int *x, int *y, int side, int steps)
{
    if (!astar_is_hexagonal(shape)) {
        *x += steps * astar_dx[side];
        *y += steps * astar_dy[side];
        return;
    }
    AstarMiddle middle = astar_middle(shape, *x, *y);
    middle.along += (int64_t)steps * shape->along[side];
    middle.across += (int64_t)steps * shape->across[side];
    astar_cell_of_middle(shape, middle, x, y);
}

// The side over which a straight line leads from one cell to another; such a line there must be.
static inline int astar_shape_side(const AstarShape *shape, int x, int y, int to_x, int to_y)
{
    int64_t dx = (int64_t)to_x - x, dy = (int64_t)to_y - y;
    if (!astar_is_hexagonal(shape))
        return astar_direction((dx > 0) - (dx < 0), (dy > 0) - (dy < 0));
    AstarMiddle from = astar_middle(shape, x, y), to = astar_middle(shape, to_x, to_y);
    int64_t along = to.along - from.along, across = to.across - from.across;
    int way = across == 0 ? 2 : 1, side = 0;
    while (shape->along[side] != ((along > 0) - (along < 0)) * way ||
           shape->across[side] != (across > 0) - (across < 0))
        side++;
    return side;
}

// The middle of a cell, as astar_grid_center has it.
void astar_shape_center(const AstarShape *shape, int x, int y, double *center_x, double *center_y);

// How many steps from one hexagon to another, over open ground: of those from line to line each
// takes half a cell along as well.
int64_t astar_hexagons_apart(const AstarShape *shape, int x0, int y0, int x1, int y1);

// How many cells lie between two at most, one of them counted: of squares by columns and rows.
static inline int64_t astar_cells_apart(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    if (astar_is_hexagonal(shape))
        return astar_hexagons_apart(shape, x0, y0, x1, y1);
    int64_t columns = llabs((int64_t)x0 - x1), rows = llabs((int64_t)y0 - y1);
    return columns > rows ? columns : rows;
}

// The length of the line between the middles of two cells, that of neighbours over a side being 1.
double astar_shape_length(const AstarShape *shape, int x0, int y0, int x1, int y1);

#endif
