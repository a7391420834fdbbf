// raycast.c -- finder:raycast and finder:sweep, which find out how far a unit could walk along a
// straight line.
//
// The line between two cells is clear if the unit could walk straight along it. A block on the
// first cell is ignored, because it may be the unit itself. Each step along the line's cells must
// be legal by the finder's corner rule. If no corner may be cut, a clear line thus touches no
// blocked cell at all. A line has the same cells in both directions. The result is therefore the
// same in both directions if the unit can enter both ends, unless a one-way wall or a step_cost
// callback makes a difference.

#include "base/directions.h"
#include "base/line.h"
#include "search/reachable.h"
#include "search/search.h"
#include "search/sight.h"

#include <math.h>

typedef struct AstarRay {
    bool stopped;
    int x, y; // the cell that stops the line
} AstarRay;

// Follows a line from cell to cell until a step is not legal. The result is in 'ray'.
static AstarStatus follow_ray(AstarCosts *costs, int x0, int y0, int x1, int y1, AstarRay *ray)
{
    bool orthogonal = !costs->finder->rule->has_diagonals;
    AstarLine line = astar_line_on(costs->finder->grid->shape, x0, y0, x1, y1, orthogonal);
    int x = x0, y = y0;
    for (int64_t i = 1; i <= line.steps; i++) {
        int next_x, next_y, stop;
        astar_line_cell(&line, i, &next_x, &next_y);
        double step;
        AstarStatus status = astar_costs_step(costs, x, y, astar_direction(next_x - x, next_y - y),
                                              &step, &stop);
        if (status != ASTAR_OK)
            return status;
        if (isinf(step)) {
            *ray = (AstarRay){true, x + astar_dx[stop], y + astar_dy[stop]};
            return ASTAR_OK;
        }
        x = next_x;
        y = next_y;
    }
    return ASTAR_OK;
}

// Prepares a search for following a line that begins at (x0, y0). Sets '*stopped' if the unit
// cannot be at that cell.
static AstarStatus begin_line(AstarSearch *search, int x0, int y0, int x1, int y1, void *context,
                              bool *stopped)
{
    if (!astar_inside(search->grid, x0, y0) || !astar_inside(search->grid, x1, y1))
        return ASTAR_BAD_CELL;
    if (search->grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    search->costs.context = context;
    AstarStatus status = astar_ignore_own_blocks(search, x0, y0, false);
    *stopped = status == ASTAR_OK && !astar_terrain_allows(search->finder, x0, y0);
    return status;
}

AstarStatus astar_search_sweep(AstarSearch *search, int x0, int y0, int x1, int y1, void *context,
                               bool *stopped, int *x, int *y)
{
    AstarCell stop = {x0, y0};
    AstarStatus status = begin_line(search, x0, y0, x1, y1, context, stopped);
    if (status == ASTAR_OK && !*stopped)
        status = astar_sweep_line(&search->costs, x0, y0, x1, y1, stopped, &stop);
    *x = stop.x;
    *y = stop.y;
    return status;
}

ASTAR_COLD AstarStatus astar_search_raycast(AstarSearch *search, int x0, int y0, int x1, int y1,
                                            void *context, bool *stopped, int *x, int *y)
{
    AstarRay ray = {false, x0, y0};
    AstarStatus status = begin_line(search, x0, y0, x1, y1, context, &ray.stopped);
    if (status == ASTAR_OK && !ray.stopped)
        status = follow_ray(&search->costs, x0, y0, x1, y1, &ray);
    *stopped = ray.stopped;
    *x = ray.x;
    *y = ray.y;
    return status;
}
