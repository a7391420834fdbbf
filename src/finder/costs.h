// costs.h -- The costs of cells and steps during one query, including the results of cost
// callbacks.

#ifndef ASTAR_COSTS_H
#define ASTAR_COSTS_H

#include "base/directions.h"
#include "base/pages.h"
#include "finder/finder.h"
#include "map/links_and_walls.h"

typedef struct AstarCosts {
    AstarFinder *finder;
    const AstarAllocator *allocator;
    void *context;    // argument that is passed to the callbacks
    uint64_t version; // version of the grid and field when the query began
    // Position of the unit at the start, where supposed blocks are ignored. (-1, -1) means that
    // there is no such position.
    AstarCell own_start;
    // Results of the cost callback by cell; for a unit of several cells the highest result among
    // the cells that it covers. Unused without a callback.
    AstarPages answers;
    // Results of the cost callback for single cells; only used for units of several cells.
    AstarPages covered;
} AstarCosts;

// The neighbours of a cell, as sets of directions, and their costs.
typedef struct AstarAround {
    // Set of the neighbours that are not known to be blocked for the unit.
    unsigned free;
    // Set of the neighbours in 'free' whose cost is known.
    unsigned known;
    // Set of the neighbours in 'known' that cost as much as the cell itself.
    unsigned same;
    // Costs of the neighbours in 'known', if they are finite.
    double costs[ASTAR_DIRECTIONS];
} AstarAround;

// Begins a query without any stored results of callbacks. Results are stored in memory of
// 'allocator', which must be the same in each call and outlive the costs.
AstarStatus astar_costs_begin(AstarCosts *costs, AstarFinder *finder,
                              const AstarAllocator *allocator);
// Frees memory beyond what a map of medium size needs.
void astar_costs_rest(AstarCosts *costs, const AstarAllocator *allocator);
void astar_costs_free(AstarCosts *costs, const AstarAllocator *allocator);
size_t astar_costs_bytes(const AstarCosts *costs);

// Stores the cost of a cell per unit of length; INFINITY if the unit cannot enter the cell.
AstarStatus astar_costs_cell(AstarCosts *costs, int x, int y, double *cost);
// Returns the cost of a cell that astar_costs_cell or astar_costs_around has found to be enterable.
static inline double astar_costs_known(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    return finder->options.cost != NULL
               ? astar_pages_value(&costs->answers, x, y)
               : astar_finder_cell_cost(finder, astar_cell(finder->grid, x, y));
}
// Returns true if a unit at (x, y) would cover a cell that the finder supposes to be blocked.
bool astar_costs_suppose(const AstarCosts *costs, int x, int y);
// Removes from 'wanted' the steps that are not legal, and stores the costs of the cells that the
// remaining steps enter. With 'backward' the steps lead into the cell, not out of it.
AstarStatus astar_costs_around(AstarCosts *costs, uint32_t cell, int x, int y, bool backward,
                               unsigned *wanted, AstarAround *around);
// Returns the least cost that the step_cost callback may return for a step whose cost is 'step'
// without callbacks.
double astar_costs_least_of_step(const AstarFinder *finder, int direction, double step);
// Replaces '*step', the cost of a step without callbacks, by the result of the step_cost callback.
// Does nothing if there is no such callback.
AstarStatus astar_costs_of_step(AstarCosts *costs, int x, int y, int direction, double *step);
// Replaces '*step', the cost of a link, by the result of the step_cost callback, if there is one.
AstarStatus astar_costs_of_link(AstarCosts *costs, uint32_t from, uint32_t to, double *step);
// Stores the full cost of a step; INFINITY if the step cannot be made. In that case it stores in
// '*stop', unless 'stop' is NULL, the direction of the cell that prevents the step.
AstarStatus astar_costs_step(AstarCosts *costs, int x, int y, int direction, double *step,
                             int *stop);

// The following function is about steps over the edge of a map that wraps around.

// Returns true if steps over the edge of the map may lead out of a cell.
static inline bool astar_is_at_wrap(const AstarGrid *grid, int x, int y)
{
    unsigned wraps = grid->shape->wraps;
    return wraps != 0 && (((wraps & 1) != 0 && (x == 0 || x == grid->width - 1)) ||
                          ((wraps & 2) != 0 && (y == 0 || y == grid->height - 1)));
}

#endif
