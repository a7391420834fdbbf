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

// Where units are to come: to a cell, or within range of it, or of a unit that is there.
typedef struct AstarCrowdAim {
    uint32_t cell;
    uint32_t range; // so many columns and rows, from the nearest cell that a unit covers; 0: to the
                    // cell itself
    uint32_t size;  // of the unit that is there, if one is chased; else 1
} AstarCrowdAim;

static inline bool astar_is_same_aim(const AstarCrowdAim *a, const AstarCrowdAim *b)
{
    return a->cell == b->cell && a->range == b->range && a->size == b->size;
}

// The cells at which a unit of some size has come there.
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

// How many columns or rows lie between a unit of some size and what it aims at, the more of them.
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
