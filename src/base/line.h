// line.h -- The cells of a straight line between two cells.
//
// After k of n steps a line is at the cell nearest to the point at the fraction k / n of the line
// (Bresenham, 1965). With diagonal steps n is the larger of the distances in x and y. Without
// diagonal steps n is their sum, and the cells are those that the line passes through. Fractions of
// one half are rounded so that a line has the same cells in both directions.

#ifndef ASTAR_LINE_H
#define ASTAR_LINE_H

#include "base/shape.h"

// Returns the line between two cells of a grid of squares. With 'orthogonal' the line has no
// diagonal steps.
static inline AstarLine astar_line(int x0, int y0, int x1, int y1, bool orthogonal)
{
    AstarLine line = {.x = x0, .y = y0, .orthogonal = orthogonal};
    line.sign_x = x1 < x0 ? -1 : 1;
    line.sign_y = y1 < y0 ? -1 : 1;
    line.dx = llabs((long long)x1 - x0);
    line.dy = llabs((long long)y1 - y0);
    line.steps = orthogonal ? line.dx + line.dy : line.dx > line.dy ? line.dx : line.dy;
    bool backwards = y1 < y0 || (y1 == y0 && x1 < x0);
    line.half = backwards ? line.steps - 1 : line.steps;
    return line;
}

// Returns a line that is a single step between two cells, as over a link.
static inline AstarLine astar_line_jump(int x0, int y0, int x1, int y1)
{
    AstarLine line = {.x = x0, .y = y0, .sign_x = x1 < x0 ? -1 : 1, .sign_y = y1 < y0 ? -1 : 1};
    line.dx = llabs((long long)x1 - x0);
    line.dy = llabs((long long)y1 - y0);
    line.steps = 1;
    line.jump = true;
    return line;
}

// Returns the line between two cells of a shape. With 'orthogonal' a line over squares has no
// diagonal steps.
static inline AstarLine astar_line_on(const AstarShape *shape, int x0, int y0, int x1, int y1,
                                      bool orthogonal)
{
    return shape->line != NULL ? shape->line(shape, x0, y0, x1, y1)
                               : astar_line(x0, y0, x1, y1, orthogonal);
}

// Stores the cell of a line after 'step' steps, 0 to line->steps.
static inline void astar_line_cell(const AstarLine *line, int64_t step, int *x, int *y)
{
    if (line->offset != ASTAR_NO_OFFSET) {
        astar_shapes[line->offset].cell_of_line(line, step, x, y);
        return;
    }
    int64_t along_x = step, along_y = step, twice = 2 * line->steps;
    if (line->orthogonal || line->dx < line->dy)
        along_x = twice == 0 ? 0 : (2 * step * line->dx + line->half) / twice;
    if (line->orthogonal)
        along_y = step - along_x;
    else if (line->dy < line->dx)
        along_y = (2 * step * line->dy + line->half) / twice;
    if (line->jump) {
        along_x = step * line->dx;
        along_y = step * line->dy;
    }
    *x = line->x + line->sign_x * (int)along_x;
    *y = line->y + line->sign_y * (int)along_y;
}

#endif
