// distance_transform.c -- how near every cell of a map lies to the nearest of many, as the crow
// flies.
//
// Two passes over the cells, whatever the number of those to measure from: a distance that is the
// length of the shortest way by straight and diagonal steps can take all its steps to the east and
// south first, and then those to the west and north (the chamfer distances of A. Rosenfeld and J.
// Pfaltz, 1968, and G. Borgefors, 1986). The lengths are such that their sums are exact, see
// heuristic.c, so they equal what astar_estimate() says.

#include "search/distance_transform.h"

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

// Offers a hexagon what its neighbours over some of its sides have.
static void improve_hexagon(AstarNear *cells, const AstarGrid *grid, int x, int y, unsigned sides,
                            double step)
{
    const int8_t *steps_over = grid->shape->steps_over[astar_phase(grid->shape, x, y)];
    AstarNear *near = &cells[astar_cell(grid, x, y)];
    for (; sides != 0; sides &= sides - 1) {
        int d = steps_over[astar_lowest_bit(sides)];
        int from_x = x + astar_dx[d], from_y = y + astar_dy[d];
        if (astar_inside(grid, from_x, from_y))
            offer_near(near, &cells[astar_cell(grid, from_x, from_y)], step);
    }
}

// The same of a line of hexagons that are pushed on together: a shortest way goes over
// two sides next to each other at most, so that it can take first what leads on in the order of the
// first pass, over three sides, and it leaves no rectangle between its ends that way.
static void measure_hexagon_line(AstarNear *cells, const AstarGrid *grid, int line, bool backward,
                                 double step)
{
    bool by_row = grid->shape->by_row;
    unsigned before = by_row ? 1u << 6 | 1u << 7 | 1u << 1 : 1u << 0 | 1u << 7 | 1u << 5;
    int length = by_row ? grid->width : grid->height;
    unsigned sides = backward ? astar_rotate(before, 4) : before;
    for (int i = 0; i < length; i++) {
        int place = backward ? length - 1 - i : i;
        improve_hexagon(cells, grid, by_row ? place : line, by_row ? line : place, sides, step);
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
    bool is_hexagonal = astar_is_hexagonal(grid->shape);
    bool by_column = is_hexagonal && !grid->shape->by_row;
    int lines = by_column ? grid->width : grid->height;
    for (; measuring->lines < 2 * lines; measuring->lines++) {
        bool backward = measuring->lines >= lines;
        int line = backward ? 2 * lines - 1 - measuring->lines : measuring->lines;
        if (*work <= 0)
            return false;
        if (is_hexagonal)
            measure_hexagon_line(cells, grid, line, backward, distance->along);
        else
            measure_row_of_squares(cells, grid, line, backward, distance);
        *work -= WORK_A_CELL * (int64_t)(grid->cells / (uint32_t)lines);
    }
    return true;
}
