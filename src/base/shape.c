// shape.c -- the shapes of cells: their tables.

#include "base/shape.h"

#include <assert.h>
#include <math.h>

#define NO ASTAR_NO_SIDE

// Rows pushed on to the east: hexagons that stand on a corner.
#define ROWS                                                                                       \
    .by_row = 1, .around = {0xF5, 0x5F}, .sides = 0xEE,                                            \
    .sides_of = {{1, NO, 2, NO, 3, 5, 6, 7}, {7, 1, 2, 3, 5, NO, 6, NO}},                          \
    .steps_over = {{NO, 0, 2, 4, NO, 5, 6, 7}, {NO, 1, 2, 3, NO, 4, 6, 0}},                        \
    .along = {0, 1, 2, 1, 0, -1, -2, -1}, .across = {0, -1, 0, 1, 0, 1, 0, -1}

// Columns pushed on to the south: hexagons that lie on a side.
#define COLUMNS                                                                                    \
    .by_column = 1, .around = {0xD7, 0x7D}, .sides = 0xBB,                                         \
    .sides_of = {{0, 1, 3, NO, 4, NO, 5, 7}, {0, NO, 1, 3, 4, 5, 7, NO}},                          \
    .steps_over = {{0, 1, NO, 2, 4, 6, NO, 7}, {0, 2, NO, 3, 4, 5, NO, 6}},                        \
    .along = {-2, -1, 0, 1, 2, 1, 0, -1}, .across = {0, 1, 0, 1, 0, -1, 0, -1}

// In the order of AstarOffset.
const AstarShape astar_shapes[] = {
    {ASTAR_NO_OFFSET, "none", .around = {0xFF, 0xFF}, .sides = ASTAR_STRAIGHTS,
     .sides_of = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},
     .steps_over = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}}},
    {ASTAR_ODD_R, "odd_r", ROWS},
    {ASTAR_EVEN_R, "even_r", .flip = 1, ROWS},
    {ASTAR_ODD_Q, "odd_q", COLUMNS},
    {ASTAR_EVEN_Q, "even_q", .flip = 1, COLUMNS},
};
static_assert(sizeof astar_shapes / sizeof *astar_shapes == ASTAR_OFFSET_COUNT,
              "a shape for each of AstarOffset");

const char *astar_offset_name(AstarOffset offset)
{
    return offset < ASTAR_OFFSET_COUNT ? astar_shapes[offset].name : NULL;
}

double astar_shape_length(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    if (!astar_is_hexagonal(shape))
        return sqrt(dx * dx + dy * dy);
    AstarMiddle a = astar_middle(shape, x0, y0), b = astar_middle(shape, x1, y1);
    double along = (double)(b.along - a.along), across = (double)(b.across - a.across);
    return sqrt(along * along + 3 * across * across) / 2; // exact where it is a whole number
}

void astar_shape_center(const AstarShape *shape, int x, int y, double *center_x, double *center_y)
{
    double half = astar_phase(shape, x, y) * 0.5;
    *center_x = shape->by_column ? x * ASTAR_HEXAGON_LINES : x + half * shape->by_row;
    *center_y = shape->by_row ? y * ASTAR_HEXAGON_LINES : y + half * shape->by_column;
}

int64_t astar_hexagons_apart(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle a = astar_middle(shape, x0, y0), b = astar_middle(shape, x1, y1);
    int64_t along = llabs(a.along - b.along), across = llabs(a.across - b.across);
    return along > across ? (along + across) / 2 : across;
}
