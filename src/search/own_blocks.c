// own_blocks.c -- how a search by jumps leaves the blocks that its unit stands among.
//
// Bitmaps tell where runs end on the map with all its blocks, and many units share them. To make
// some for one unit, without its own blocks, changes each row, column and diagonal that leads past
// these, and takes longer than most searches do. But few cells are free without them and not with
// them: those where the unit would still cover a part of its start.
//
// So a search takes single steps, on the map without these blocks, from every node that is no
// farther from the start, by cost, than the farthest of those cells; from all others it jumps, as
// on the map with them. That loses nothing: the best way to a cell that is farther leads past none
// of those once it is out of them, for what lies on it costs more and more to come to.
//
// How far they are is measured among themselves and their neighbours, which is no less than it is.
// If the unit can come to one of them only by a longer way round, it is no use to jump.

#include "search/own_blocks.h"

#include "base/directions.h"
#include "rules/corner_rules.h"

// Cells around them that are looked at, too: more where these do not do.
static const int margins[] = {1, 8, 48};
enum { MARGINS = sizeof margins / sizeof *margins };

// The cells about a unit, and what it costs at most to come to each; INFINITY: not known.
typedef struct Surroundings {
    const AstarFinder *finder;
    int x, y, width, height;
    double *costs;
} Surroundings;

static Surroundings surroundings_of(const AstarSearch *search, int margin)
{
    const AstarFinder *finder = search->finder;
    const AstarGrid *grid = search->grid;
    int reach = finder->options.size - 1 + margin;
    int x0 = search->start_x > reach ? search->start_x - reach : 0;
    int y0 = search->start_y > reach ? search->start_y - reach : 0;
    int x1 = grid->width - search->start_x > reach ? search->start_x + reach + 1 : grid->width;
    int y1 = grid->height - search->start_y > reach ? search->start_y + reach + 1 : grid->height;
    return (Surroundings){.finder = finder, .x = x0, .y = y0, .width = x1 - x0, .height = y1 - y0};
}

static double *cost_at(const Surroundings *around, int x, int y)
{
    return &around->costs[(size_t)(y - around->y) * (size_t)around->width + (size_t)(x - around->x)];
}

static bool is_around(const Surroundings *around, int x, int y)
{
    return x >= around->x && x < around->x + around->width && y >= around->y &&
           y < around->y + around->height;
}

// Follows the steps out of a cell; whether any led somewhere at less cost than was known.
static bool follow_steps(Surroundings *around, int x, int y)
{
    const AstarFinder *finder = around->finder;
    const AstarGrid *grid = finder->grid;
    double here = *cost_at(around, x, y);
    unsigned free = astar_bits_around(&finder->walkable->bits, x, y);
    unsigned legal = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    bool any = false;
    for (; legal != 0; legal &= legal - 1) {
        int d = astar_lowest_bit(legal), to_x = x + astar_dx[d], to_y = y + astar_dy[d];
        if (!is_around(around, to_x, to_y))
            continue;
        double cost = astar_finder_cell_cost(finder, astar_cell(grid, to_x, to_y));
        double there = here + (d & 1 ? cost * finder->options.diagonal_cost : cost);
        double *known = cost_at(around, to_x, to_y);
        any |= there < *known;
        *known = there < *known ? there : *known;
    }
    return any;
}

// Finds what it costs to come to each, by ways that do not leave them.
static void measure_surroundings(Surroundings *around)
{
    size_t last = (size_t)around->width * (size_t)around->height;
    bool goes_on = true;
    for (bool back = false; goes_on; back = !back) {
        goes_on = false;
        for (size_t i = 0; i < last; i++) {
            size_t cell = back ? last - 1 - i : i;
            int x = around->x + (int)(cell % (size_t)around->width);
            int y = around->y + (int)(cell / (size_t)around->width);
            goes_on |= isfinite(around->costs[cell]) && follow_steps(around, x, y);
        }
    }
}

// Whether the unit can stand at a cell, but for its own blocks, and may come there.
static bool is_own(const AstarSearch *search, const AstarComponents *components, int x, int y)
{
    const AstarWalkable *lifted = search->finder->walkable;
    return astar_bits_get(&lifted->bits, x, y) && !astar_bits_get(&lifted->base->bits, x, y) &&
           (astar_grid_has_links(search->grid) ||
            astar_components_join(components, search->start_x, search->start_y, x, y));
}

static double farthest_own(const AstarSearch *search, const AstarComponents *components,
                           const Surroundings *around)
{
    double farthest = 0;
    for (int y = around->y; y < around->y + around->height; y++)
        for (int x = around->x; x < around->x + around->width; x++)
            if (*cost_at(around, x, y) > farthest && is_own(search, components, x, y))
                farthest = *cost_at(around, x, y);
    return farthest;
}

// Stores how far they are by ways within so many cells around them.
static AstarStatus measure_within(const AstarSearch *search, const AstarComponents *components,
                                  int margin, double *farthest)
{
    Surroundings around = surroundings_of(search, margin);
    size_t count = (size_t)around.width * (size_t)around.height;
    around.costs = astar_alloc(&search->allocator, count, sizeof *around.costs);
    if (around.costs == NULL)
        return ASTAR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        around.costs[i] = INFINITY;
    *cost_at(&around, search->start_x, search->start_y) = 0;
    measure_surroundings(&around);
    *farthest = farthest_own(search, components, &around) * ASTAR_LENIENCE;
    astar_release(&search->allocator, around.costs, count, sizeof *around.costs);
    return ASTAR_OK;
}

AstarStatus astar_own_blocks_measure(AstarSearch *search)
{
    double *up_to = &search->jumps.steps_up_to;
    *up_to = -1;
    if (search->finder->plain == NULL)
        return ASTAR_OK;
    AstarComponents *components;
    AstarStatus status = astar_finder_components(search->finder, &components);
    *up_to = INFINITY;
    for (int i = 0; status == ASTAR_OK && i < MARGINS && isinf(*up_to); i++)
        status = measure_within(search, components, margins[i], up_to);
    return status;
}
