// shape.c -- Shapes of cells: one object for each.

#include "base/shape.h"

#include <assert.h>
#include <math.h>

#define NO ASTAR_NO_SIDE

// The following definitions describe the shape of squares.

static double length_over_squares(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    (void)shape;
    double dx = (double)x1 - x0, dy = (double)y1 - y0;
    return sqrt(dx * dx + dy * dy);
}

#define SQUARES                                                                                    \
    .has_corners = true, .around = {0xFF, 0xFF}, .sides = ASTAR_STRAIGHTS,                         \
    .sides_of = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},                              \
    .steps_over = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}},                            \
    .order = {1, 3, 5, 7, 0, 2, 4, 6}, .along = {0, 1, 1, 1, 0, -1, -1, -1},                       \
    .across = {-1, -1, 0, 1, 1, 1, 0, -1}, .plane = {.column = 1, .row = 1},                       \
    .length = length_over_squares

// The following definitions describe the shapes of hexagons.

static AstarMiddle way_over_hexagons(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle from = astar_middle_by_halves(shape, x0, y0);
    AstarMiddle to = astar_middle_by_halves(shape, x1, y1);
    return (AstarMiddle){to.along - from.along, to.across - from.across};
}

static double length_over_hexagons(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle way = way_over_hexagons(shape, x0, y0, x1, y1);
    double along = (double)way.along, across = (double)way.across;
    return sqrt(along * along + 3 * across * across) / 2; // exact if the length is a whole number
}

// Returns the number of steps between two hexagons. Each step to another line also moves half a
// cell along the line.
static int64_t hexagons_apart(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle way = way_over_hexagons(shape, x0, y0, x1, y1);
    int64_t along = llabs(way.along), across = llabs(way.across);
    return along > across ? (along + across) / 2 : across;
}

// Returns the line between two hexagons. Hexagons lie in rows along three axes. With each step the
// line crosses one row of one axis. In that row the line is nearest to one cell or to two cells. If
// there are two, the line contains the cell farther along the axis, whatever the direction of the
// line.
static AstarLine line_over_hexagons(const AstarShape *shape, int x0, int y0, int x1, int y1)
{
    AstarMiddle way = way_over_hexagons(shape, x0, y0, x1, y1);
    AstarLine line = {.x = x0, .y = y0, .offset = shape->offset};
    line.dx = (way.along - way.across) / 2;
    line.dy = way.across;
    line.steps = hexagons_apart(shape, x0, y0, x1, y1);
    return line;
}

// Returns the change of one coordinate after 'step' of 'n' steps of a line. 'all' is the change
// over the whole line. The result is rounded to the nearest integer, halves up.
static int64_t part_of_way(int64_t step, int64_t n, int64_t all)
{
    if (n == 0 || llabs(all) == n)
        return all < 0 ? -step : step;
    // Adding 2 * n * n keeps the dividend positive.
    return (2 * step * all + n + 2 * n * n) / (2 * n) - n;
}

// Stores the cell of a line over hexagons after 'step' steps. At most two of the three coordinates
// have to be rounded, because one changes by a whole number with each step.
static void cell_of_hexagon_line(const AstarLine *line, int64_t step, int *x, int *y)
{
    const AstarShape *shape = &astar_shapes[line->offset];
    AstarMiddle at = astar_middle_by_halves(shape, line->x, line->y);
    int64_t n = line->steps, both = line->dx + line->dy;
    int64_t across = part_of_way(step, n, line->dy), aside = part_of_way(step, n, line->dx);
    if (llabs(line->dx) != n && llabs(line->dy) != n)
        across = (both < 0 ? -step : step) - aside;
    at.across += across;
    at.along += 2 * aside + across;
    astar_cell_by_halves(shape, at, x, y);
}

// Distance between the middles of two neighbouring lines of hexagons.
#define LINES 0.86602540378443864676

#define HEXAGONS                                                                                   \
    "hex", "hexagons", .by_halves = true, .order = {0, 1, 2, 3, 4, 5, 6, 7},                       \
                       .length = length_over_hexagons, .apart = hexagons_apart,                    \
                       .line = line_over_hexagons, .cell_of_line = cell_of_hexagon_line

// The layout of hexagons in which rows are shifted to the east. Each hexagon has a corner at its
// top and at its bottom.
#define ROWS                                                                                       \
    HEXAGONS, .phase.by_row = 1, .around = {0xF5, 0x5F}, .sides = 0xEE, .to_lines = {0x82, 0x28},  \
              .to_places = {0x40, 0x04},                                                           \
              .sides_of = {{1, NO, 2, NO, 3, 5, 6, 7}, {7, 1, 2, 3, 5, NO, 6, NO}},                \
              .steps_over = {{NO, 0, 2, 4, NO, 5, 6, 7}, {NO, 1, 2, 3, NO, 4, 6, 0}},              \
              .along = {0, 1, 2, 1, 0, -1, -2, -1}, .across = {0, -1, 0, 1, 0, 1, 0, -1},          \
              .plane = {.column = 1, .row = LINES, .push_x = 0.5}

// The layout of hexagons in which columns are shifted to the south. Each hexagon has a side at its
// top and at its bottom.
#define COLUMNS                                                                                    \
    HEXAGONS, .in_columns = true, .phase.by_column = 1, .around = {0xD7, 0x7D}, .sides = 0xBB,     \
              .to_lines = {0xA0, 0x0A}, .to_places = {0x01, 0x10},                                 \
              .sides_of = {{0, 1, 3, NO, 4, NO, 5, 7}, {0, NO, 1, 3, 4, 5, 7, NO}},                \
              .steps_over = {{0, 1, NO, 2, 4, 6, NO, 7}, {0, 2, NO, 3, 4, 5, NO, 6}},              \
              .along = {-2, -1, 0, 1, 2, 1, 0, -1}, .across = {0, 1, 0, 1, 0, -1, 0, -1},          \
              .plane = {.column = LINES, .row = 1, .push_y = 0.5}

// The table of all shapes.

// Shapes in the order of AstarOffset.
const AstarShape astar_shapes[] = {
    {ASTAR_NO_OFFSET, "none", "square", "squares", SQUARES},
    {ASTAR_ODD_R, "odd_r", ROWS},
    {ASTAR_EVEN_R, "even_r", ROWS, .phase.flip = 1},
    {ASTAR_ODD_Q, "odd_q", COLUMNS},
    {ASTAR_EVEN_Q, "even_q", COLUMNS, .phase.flip = 1},
    {ASTAR_WRAP_X, "none", "square", "maps that wrap around", SQUARES, .wraps = 1},
    {ASTAR_WRAP_Y, "none", "square", "maps that wrap around", SQUARES, .wraps = 2},
    {ASTAR_WRAP_BOTH, "none", "square", "maps that wrap around", SQUARES, .wraps = 3},
};
static_assert(sizeof astar_shapes / sizeof *astar_shapes == ASTAR_OFFSET_COUNT,
              "a shape for each of AstarOffset");

const char *astar_offset_name(AstarOffset offset)
{
    return offset < ASTAR_OFFSET_COUNT ? astar_shapes[offset].offset_name : NULL;
}

const char *astar_offset_shape(AstarOffset offset)
{
    return offset < ASTAR_OFFSET_COUNT ? astar_shapes[offset].name : NULL;
}

const char *astar_offset_cells(AstarOffset offset)
{
    return offset < ASTAR_OFFSET_COUNT ? astar_shapes[offset].cells : NULL;
}

const char *astar_offset_wrap(AstarOffset offset)
{
    static const char *const names[] = {NULL, "x", "y", "both"};
    return offset < ASTAR_OFFSET_COUNT ? names[astar_shapes[offset].wraps] : NULL;
}

void astar_shape_center(const AstarShape *shape, int x, int y, double *center_x, double *center_y)
{
    unsigned phase = astar_phase(shape, x, y);
    *center_x = x * shape->plane.column + phase * shape->plane.push_x;
    *center_y = y * shape->plane.row + phase * shape->plane.push_y;
}

void astar_shape_cell_at(const AstarShape *shape, double point_x, double point_y, int *x, int *y)
{
    int column = (int)floor(point_x / shape->plane.column),
        row = (int)floor(point_y / shape->plane.row);
    double nearest = INFINITY, center_x, center_y;
    for (int i = 0; i < 9; i++) { // if two cells are equally near, the later one is taken
        int near_x = column - 1 + i % 3, near_y = row - 1 + i / 3;
        astar_shape_center(shape, near_x, near_y, &center_x, &center_y);
        double dx = point_x - center_x, dy = point_y - center_y, apart = dx * dx + dy * dy;
        if (apart > nearest)
            continue;
        nearest = apart;
        *x = near_x;
        *y = near_y;
    }
}
