// cells.h -- small functions on cell numbers of a grid: boxes around cells, the cells at which a
// unit has reached its goal, and distances in columns and rows. Used by all of the crowd's code.

#ifndef ASTAR_CELLS_H
#define ASTAR_CELLS_H

#include "base/bits.h"
#include "map/grid.h"

#include <stdlib.h>

// A rectangle of columns and rows of a grid, given by two opposite corners. Both corner cells
// belong to it.
typedef struct AstarCellBox {
    int x0, y0, x1, y1;
} AstarCellBox;

// Returns the rectangle of cells within 'reach' columns and rows of a square of cells. 'cell' is
// the north-west cell of the square, and 'size' is its side. The rectangle is clipped to the grid.
static inline AstarCellBox astar_cells_about(const AstarGrid *grid, uint32_t cell, int size,
                                             int reach)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    return (AstarCellBox){astar_greater(x - reach, 0), astar_greater(y - reach, 0),
                          astar_lesser(x + size - 1 + reach, grid->width - 1),
                          astar_lesser(y + size - 1 + reach, grid->height - 1)};
}

// The aim of a unit: a cell, or all cells within a range of a cell or of a target unit.
typedef struct AstarCrowdAim {
    uint32_t cell;
    // Greatest distance from the goal, in columns and in rows, at which the unit has arrived. The
    // distance is measured from the nearest cell that the unit covers. 0: the unit must reach the
    // goal cell itself.
    uint32_t range;
    uint32_t size; // if the unit chases a target unit: the size of that unit; otherwise 1
} AstarCrowdAim;

static inline bool astar_is_same_aim(const AstarCrowdAim *a, const AstarCrowdAim *b)
{
    return a->cell == b->cell && a->range == b->range && a->size == b->size;
}

// Returns the rectangle of cells in which the north-west cell of a unit of size 'size' may lie when
// the unit has arrived. The rectangle is clipped to the grid.
static inline AstarCellBox astar_cells_of_aim(const AstarGrid *grid, const AstarCrowdAim *aim,
                                              int size)
{
    int x, y, after = (int)(aim->range + aim->size) - 1;
    int before = (int)aim->range + (aim->range > 0 ? size - 1 : 0);
    astar_cell_xy(grid, aim->cell, &x, &y);
    return (AstarCellBox){astar_greater(x - before, 0), astar_greater(y - before, 0),
                          astar_lesser(x + after, grid->width - 1),
                          astar_lesser(y + after, grid->height - 1)};
}

// Returns the distance from a unit to its aim, in columns or in rows, whichever number is greater.
// 'cell' is the north-west cell of the unit.
static inline uint32_t astar_apart_from_aim(const AstarGrid *grid, uint32_t cell, int size,
                                            const AstarCrowdAim *aim)
{
    int x, y, aim_x, aim_y, wide = (int)aim->size;
    astar_cell_xy(grid, cell, &x, &y);
    astar_cell_xy(grid, aim->cell, &aim_x, &aim_y);
    size = aim->range > 0 ? size : 1;
    return (uint32_t)astar_greater(astar_covered_apart(x, size, aim_x, wide),
                                   astar_covered_apart(y, size, aim_y, wide));
}

// Returns the least number of steps from one cell to another if steps may be diagonal and no cell
// is blocked.
static inline uint32_t astar_steps_apart(const AstarGrid *grid, uint32_t a, uint32_t b)
{
    int ax, ay, bx, by;
    astar_cell_xy(grid, a, &ax, &ay);
    astar_cell_xy(grid, b, &bx, &by);
    return (uint32_t)astar_greater(abs(ax - bx), abs(ay - by));
}

static inline bool astar_bits_has(const AstarGrid *grid, const AstarBits *bits, uint32_t cell)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    return astar_bits_get(bits, x, y);
}

#endif
