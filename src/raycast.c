// raycast.c -- lines of sight.
//
// One cell sees another when the unit could walk the straight line between them: each step along
// the line's cells must be legal by the finder's corner rule. Where no corner may be cut, a line
// therefore touches no blocked cell at all. Both directions see alike, for a line has the same
// cells in both, unless a step_cost callback says otherwise.

#include "raycast.h"

#include "line.h"
#include "moves.h"

#include <math.h>

AstarStatus astar_cast(AstarCosts *costs, int x0, int y0, int x1, int y1, double limit,
                       AstarRay *ray)
{
    const AstarFinder *finder = costs->finder;
    bool orthogonal = finder->options.diagonals == ASTAR_NEVER;
    AstarLine line = astar_line(x0, y0, x1, y1, orthogonal);
    *ray = (AstarRay){false, x0, y0, 0};
    int x = x0, y = y0;
    for (int64_t i = 1; i <= line.steps && ray->cost <= limit; i++) {
        int next_x, next_y, stop;
        astar_line_cell(&line, i, &next_x, &next_y);
        double step;
        AstarStatus status = astar_costs_step(costs, x, y, astar_direction(next_x - x, next_y - y),
                                              &step, &stop);
        if (status != ASTAR_OK)
            return status;
        if (isinf(step)) {
            *ray = (AstarRay){true, x + astar_dx[stop], y + astar_dy[stop], ray->cost};
            return ASTAR_OK;
        }
        ray->cost += astar_finder_round(finder, step);
        x = next_x;
        y = next_y;
    }
    return ASTAR_OK;
}
