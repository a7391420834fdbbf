// cells.h -- cells of a grid, by their numbers.

#ifndef ASTAR_CELLS_H
#define ASTAR_CELLS_H

#include "base/bits.h"
#include "map/grid.h"

#include <stdlib.h>

// Some of the columns and rows of a grid, both corners included.
typedef struct AstarCellBox {
    int x0, y0, x1, y1;
} AstarCellBox;

// Those within reach of a square of cells, by its north-west one.
static inline AstarCellBox astar_cells_about(const AstarGrid *grid, uint32_t cell, int size,
                                             int reach)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    return (AstarCellBox){astar_greater(x - reach, 0), astar_greater(y - reach, 0),
                          astar_lesser(x + size - 1 + reach, grid->width - 1),
                          astar_lesser(y + size - 1 + reach, grid->height - 1)};
}

// How many steps lead from one to another at least, diagonal ones among them.
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
