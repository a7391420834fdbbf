// costs.h -- what cells and steps cost during one query, callbacks asked where there are any.

#ifndef ASTAR_COSTS_H
#define ASTAR_COSTS_H

#include "base/directions.h"
#include "unit/finder.h"

// What a callback said of a cell, remembered for the rest of the query.
typedef struct AstarAnswer {
    double cost;
    uint32_t stamp; // of the query it belongs to
} AstarAnswer;

typedef struct AstarCosts {
    AstarFinder *finder;
    void *context;        // handed to the callbacks
    uint64_t version;     // of grid and field when the query began
    AstarAnswer *answers; // a cell each, once a finder with a cost callback needed them: of the
                          // dearest cell that the unit covers there
    AstarAnswer *covered; // of each cell alone, once a unit wider than a cell needed them
    uint32_t stamp;
} AstarCosts;

// The neighbours of a cell, as sets of directions.
typedef struct AstarAround {
    unsigned free;                  // not known to be closed to the unit
    unsigned known;                 // those of them whose cost is known
    unsigned same;                  // those of them that cost what the cell itself was said to
    double costs[ASTAR_DIRECTIONS]; // where known, finite
} AstarAround;

// Begins a query: nothing has been asked yet. The answers' memory, from 'allocator', is for 'cells'
// or more than the grid has, as many each time.
AstarStatus astar_costs_begin(AstarCosts *costs, AstarFinder *finder,
                              const AstarAllocator *allocator, uint32_t cells);
void astar_costs_free(AstarCosts *costs, const AstarAllocator *allocator, uint32_t cells);
size_t astar_costs_bytes(const AstarCosts *costs, uint32_t cells);

// The cost of a cell per unit of length, INFINITY where the unit cannot go.
AstarStatus astar_costs_cell(AstarCosts *costs, int x, int y, double *cost);
// The same of a cell that the query has learned can be entered.
static inline double astar_costs_known(const AstarCosts *costs, uint32_t cell)
{
    return costs->finder->options.cost != NULL ? costs->answers[cell].cost
                                               : astar_finder_cell_cost(costs->finder, cell);
}
// Learns about the neighbours of a cell what tells which of the steps 'wanted' out of it are legal,
// leaves those, and learns what the cells they enter cost.
AstarStatus astar_costs_around(AstarCosts *costs, uint32_t cell, int x, int y, bool backward,
                               unsigned *wanted, AstarAround *around);
// The full cost of stepping from a cell in a direction, 'step' being what the entered cell makes
// it: the step_cost callback's word, where there is one.
AstarStatus astar_costs_of_step(AstarCosts *costs, int x, int y, int direction, double *step);
// The same for the step over a link, from one cell to another.
AstarStatus astar_costs_of_link(AstarCosts *costs, uint32_t from, uint32_t to, double *step);
// The full cost of any step, INFINITY where it cannot be made; '*stop', unless NULL, is then the
// direction of the cell that stops it.
AstarStatus astar_costs_step(AstarCosts *costs, int x, int y, int direction, double *step,
                             int *stop);

#endif
