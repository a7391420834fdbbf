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

void astar_near_clear(AstarNear *cells, const AstarGrid *grid)
{
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        cells[cell] = (AstarNear){INFINITY, 0};
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

// The same of hexagons, line by line of those that are pushed on together: a shortest way goes over
// two sides next to each other at most, so that it can take first what leads on in the order of the
// first pass, over three sides, and it leaves no rectangle between its ends that way.
static void measure_hexagons(AstarNear *cells, const AstarGrid *grid, double step)
{
    bool by_row = grid->shape->by_row;
    unsigned before = by_row ? 1u << 6 | 1u << 7 | 1u << 1 : 1u << 0 | 1u << 7 | 1u << 5;
    int lines = by_row ? grid->height : grid->width, length = by_row ? grid->width : grid->height;
    for (int line = 0; line < lines; line++)
        for (int place = 0; place < length; place++)
            improve_hexagon(cells, grid, by_row ? place : line, by_row ? line : place, before,
                            step);
    for (int line = lines - 1; line >= 0; line--)
        for (int place = length - 1; place >= 0; place--)
            improve_hexagon(cells, grid, by_row ? place : line, by_row ? line : place,
                            astar_rotate(before, 4), step);
}

void astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance)
{
    assert(!distance->euclidean);
    if (astar_is_hexagonal(grid->shape)) {
        measure_hexagons(cells, grid, distance->along);
        return;
    }
    double straight = distance->along, diagonal = distance->along + distance->across;
    int width = grid->width;
    for (int y = 0; y < grid->height; y++) {
        AstarNear *row = cells + astar_cell(grid, 0, y);
        for (int x = 0; x < width; x++)
            improve_near(row, y > 0 ? row - width : NULL, width, x, 1, straight, diagonal);
    }
    for (int y = grid->height - 1; y >= 0; y--) {
        AstarNear *row = cells + astar_cell(grid, 0, y);
        for (int x = width - 1; x >= 0; x--)
            improve_near(row, y < grid->height - 1 ? row + width : NULL, width, x, -1, straight,
                         diagonal);
    }
}
