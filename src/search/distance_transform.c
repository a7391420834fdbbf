// distance_transform.c -- how near every cell of a map lies to the nearest of many, as the crow
// flies.
//
// Two passes over the cells, whatever the number of those to measure from: a distance that is the
// length of the shortest way by straight and diagonal steps can take all its steps to the east and
// south first, and then those to the west and north (the chamfer distances of A. Rosenfeld and J.
// Pfaltz, 1968, and G. Borgefors, 1986). The lengths are such that their sums are exact, see
// heuristic.c, so they equal what astar_estimate() says.

#include "search/goal_set.h"
#include "search/search.h"

#include <math.h>

enum { WORK_A_CELL = 8 };

void astar_near_clear_row(AstarNear *cells, const AstarGrid *grid, AstarNearMeasuring *measuring,
                          int64_t *work)
{
    AstarNear *row = cells + astar_cell(grid, 0, measuring->cleared++);
    for (int x = 0; x < grid->width; x++)
        row[x] = (AstarNear){INFINITY, 0};
    *work -= WORK_A_CELL * (int64_t)grid->width;
}

static inline void offer_near(AstarNear *best, const AstarNear *from, double step)
{
    AstarNear offer = {from->distance + step, from->cell};
    if (astar_is_nearer(&offer, best))
        *best = offer;
}

// Offers a cell what three neighbours have in the row before, and one in its own: the one at x - by
// comes before it in both.
static inline void improve_near(AstarNear *row, const AstarNear *before, int width, int x, int by,
                                double straight, double diagonal)
{
    AstarNear best = row[x];
    bool has_back = x - by >= 0 && x - by < width, has_ahead = x + by >= 0 && x + by < width;
    if (has_back)
        offer_near(&best, &row[x - by], straight);
    if (before != NULL) {
        offer_near(&best, &before[x], straight);
        if (has_back)
            offer_near(&best, &before[x - by], diagonal);
        if (has_ahead)
            offer_near(&best, &before[x + by], diagonal);
    }
    row[x] = best;
}

// Offers a cell what its neighbours over some of its sides have.
static void improve_over_sides(AstarNear *cells, const AstarGrid *grid, int x, int y,
                               unsigned sides, double step)
{
    const int8_t *steps_over = grid->shape->steps_over[astar_phase(grid->shape, x, y)];
    AstarNear *near = &cells[astar_cell(grid, x, y)];
    for (; sides != 0; sides &= sides - 1) {
        int d = steps_over[astar_lowest_bit(sides)];
        if (d == ASTAR_NO_SIDE || !astar_inside(grid, x + astar_dx[d], y + astar_dy[d]))
            continue;
        offer_near(near, &cells[astar_cell(grid, x + astar_dx[d], y + astar_dy[d])], step);
    }
}

// The same of a line of cells without corners: a shortest way never goes back across the lines, and
// what of it lies in one line comes from the cells before or after.
static void measure_line_by_sides(AstarNear *cells, const AstarGrid *grid, int line, bool backward,
                                  double step)
{
    const AstarShape *shape = grid->shape;
    int length = shape->in_columns ? grid->height : grid->width;
    unsigned before = shape->to_lines[backward] | shape->to_places[0];
    for (int i = 0; i < 2 * length; i++) {
        int place = i < length ? i : 2 * length - 1 - i;
        improve_over_sides(cells, grid, shape->in_columns ? line : place,
                           shape->in_columns ? place : line,
                           i < length ? before : shape->to_places[1], step);
    }
}

static void measure_row_of_squares(AstarNear *cells, const AstarGrid *grid, int y, bool backward,
                                   const AstarHeuristic *distance)
{
    double straight = distance->along, diagonal = distance->along + distance->across;
    int width = grid->width;
    AstarNear *row = cells + astar_cell(grid, 0, y);
    if (backward)
        for (int x = width - 1; x >= 0; x--)
            improve_near(row, y < grid->height - 1 ? row + width : NULL, width, x, -1, straight,
                         diagonal);
    else
        for (int x = 0; x < width; x++)
            improve_near(row, y > 0 ? row - width : NULL, width, x, 1, straight, diagonal);
}

bool astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance,
                        AstarNearMeasuring *measuring, int64_t *work)
{
    assert(!distance->euclidean);
    int lines = grid->shape->in_columns ? grid->width : grid->height;
    for (; measuring->lines < 2 * lines; measuring->lines++) {
        bool backward = measuring->lines >= lines;
        int line = backward ? 2 * lines - 1 - measuring->lines : measuring->lines;
        if (*work <= 0)
            return false;
        if (grid->shape->has_corners)
            measure_row_of_squares(cells, grid, line, backward, distance);
        else
            measure_line_by_sides(cells, grid, line, backward, distance->along);
        *work -= WORK_A_CELL * (int64_t)(grid->cells / (uint32_t)lines);
    }
    return true;
}

// ---- units that cover more than a cell ----

static void keep_nearer(AstarNear *near, const AstarNear *other)
{
    if (astar_is_nearer(other, near))
        *near = *other;
}

// How far a pass looks that begins with the least of so many cells each: with the last of them all
// are the least of 'size'.
static int stride_of_pass(int width, int size)
{
    return astar_lesser(width, size - width);
}

// Gives each cell of a row the least of those from it on, or of those up to it.
static void widen_row(AstarNear *row, int width, int size, bool covered)
{
    for (int wide = 1, by; wide < size; wide += by) {
        by = stride_of_pass(wide, size);
        if (covered)
            for (int x = width - 1; x >= by; x--)
                keep_nearer(&row[x], &row[x - by]);
        else
            for (int x = 0; x < width - by; x++)
                keep_nearer(&row[x], &row[x + by]);
    }
}

// The same of the columns, by a pass that looks so many rows on; one row of it.
static void widen_down(AstarNear *cells, const AstarGrid *grid, int y, int by)
{
    if (y + by < 0 || y + by >= grid->height)
        return;
    AstarNear *row = cells + astar_cell(grid, 0, y);
    for (int x = 0; x < grid->width; x++)
        keep_nearer(&row[x], &row[x + (ptrdiff_t)by * grid->width]);
}

bool astar_near_widen(AstarNear *cells, const AstarGrid *grid, int size, bool covered,
                      AstarNearMeasuring *measuring, int64_t *work)
{
    int64_t first = 0, rows = grid->height; // of a pass: the rows, then the columns by strides
    for (int wide = 0, by = 1; wide < size && size > 1; wide += by, first += rows) {
        by = wide == 0 ? 1 : stride_of_pass(wide, size);
        for (; measuring->widened < first + rows; measuring->widened++) {
            int y = (int)(measuring->widened - first);
            y = covered ? grid->height - 1 - y : y;
            if (*work <= 0)
                return false;
            if (wide == 0)
                widen_row(cells + astar_cell(grid, 0, y), grid->width, size, covered);
            else
                widen_down(cells, grid, y, covered ? -by : by);
            *work -= WORK_A_CELL * (int64_t)grid->width;
        }
    }
    return true;
}
