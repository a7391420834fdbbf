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

void astar_near_measure(AstarNear *cells, const AstarGrid *grid, const AstarHeuristic *distance)
{
    assert(!distance->euclidean);
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
