// costs.h -- what cells and steps cost during one query, callbacks asked where there are any.

#ifndef ASTAR_COSTS_H
#define ASTAR_COSTS_H

#include "base/directions.h"
#include "base/pages.h"
#include "finder/finder.h"
#include "map/links_and_walls.h"

typedef struct AstarCosts {
    AstarFinder *finder;
    const AstarAllocator *allocator;
    void *context;      // handed to the callbacks
    uint64_t version;   // of grid and field when the query began
    AstarCell stands;   // where the unit is, whose place no supposed block takes; -1, -1: nowhere
    AstarPages answers; // what the cost callback has said, where there is one: of the dearest cell
                        // that the unit covers there
    AstarPages covered; // of each cell alone, where the unit is wider than one
} AstarCosts;

// The neighbours of a cell, as sets of directions.
typedef struct AstarAround {
    unsigned free;                  // not known to be closed to the unit
    unsigned known;                 // those of them whose cost is known
    unsigned same;                  // those of them that cost what the cell itself was said to
    double costs[ASTAR_DIRECTIONS]; // where known, finite
} AstarAround;

// Begins a query: nothing has been asked yet. The answers' memory comes from 'allocator', which
// must stay, the same each time.
AstarStatus astar_costs_begin(AstarCosts *costs, AstarFinder *finder,
                              const AstarAllocator *allocator);
// Gives back what is more than a map of middling size takes.
void astar_costs_rest(AstarCosts *costs, const AstarAllocator *allocator);
void astar_costs_free(AstarCosts *costs, const AstarAllocator *allocator);
size_t astar_costs_bytes(const AstarCosts *costs);

// The cost of a cell per unit of length, INFINITY where the unit cannot go.
AstarStatus astar_costs_cell(AstarCosts *costs, int x, int y, double *cost);
// The same of a cell that the query has learned can be entered.
static inline double astar_costs_known(const AstarCosts *costs, int x, int y)
{
    const AstarFinder *finder = costs->finder;
    return finder->options.cost != NULL
               ? astar_pages_value(&costs->answers, x, y)
               : astar_finder_cell_cost(finder, astar_cell(finder->grid, x, y));
}
// Whether the unit would stand there on what is supposed to be blocked.
bool astar_costs_suppose(const AstarCosts *costs, int x, int y);
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
// Which of the cells beside an illegal diagonal step is in its way, as a direction: the one to the
// east or west where both are. 'free' has the directions of those that are not.
int astar_stopping_corner(unsigned free, int direction);

// ---- steps over the edge of a map that wraps around ----

// Whether a cell may have such steps.
static inline bool astar_is_at_seam(const AstarGrid *grid, int x, int y)
{
    unsigned wraps = grid->shape->wraps;
    return wraps != 0 && (((wraps & 1) != 0 && (x == 0 || x == grid->width - 1)) ||
                          ((wraps & 2) != 0 && (y == 0 || y == grid->height - 1)));
}

#endif
