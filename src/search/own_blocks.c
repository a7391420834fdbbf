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

#include "search/jps.h"

#include "base/directions.h"
#include "rules/corner_rules.h"

// Cells around them that are looked at, too: more where these do not do.
static const int margins[] = {0, 4, 48};
enum { MARGINS = sizeof margins / sizeof *margins };

// A cell about a unit, and what it costs at most to come there; INFINITY: not known.
typedef struct Nearby {
    double cost;
    uint32_t next; // to be looked at after it, as a number from 1 on; 0: it is not to be
} Nearby;

// All of these, and those whose steps are to be followed: the first to wait, and the last.
typedef struct Surroundings {
    const AstarFinder *finder;
    int x, y, width, height;
    Nearby *cells;
    uint32_t first, last; // numbers from 1 on; of the last one 'next' is its own
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

// The number of a cell, from 1 on; 0 for others.
static uint32_t nearby_number(const Surroundings *around, int x, int y)
{
    int column = x - around->x, row = y - around->y;
    bool is_around = column >= 0 && column < around->width && row >= 0 && row < around->height;
    return is_around ? (uint32_t)row * (uint32_t)around->width + (uint32_t)column + 1 : 0;
}

// Notes a way to a cell; its steps are followed, again if they were before, if it is a better one.
static void note_nearby_way(Surroundings *around, uint32_t number, double cost)
{
    Nearby *cell = &around->cells[number - 1];
    if (cell->cost <= cost)
        return;
    cell->cost = cost;
    if (cell->next != 0)
        return;
    cell->next = number;
    if (around->first == 0)
        around->first = number;
    else
        around->cells[around->last - 1].next = number;
    around->last = number;
}

static void follow_nearby_steps(Surroundings *around, int x, int y, double here)
{
    const AstarFinder *finder = around->finder;
    const AstarGrid *grid = finder->grid;
    unsigned free = astar_bits_around(&finder->on.walkable->bits, x, y);
    unsigned legal = astar_legal_moves_on(grid, finder->rule, x, y, free, false);
    for (; legal != 0; legal &= legal - 1) {
        int d = astar_lowest_bit(legal);
        uint32_t number = nearby_number(around, x + astar_dx[d], y + astar_dy[d]);
        if (number == 0)
            continue;
        uint32_t cell = astar_cell(grid, x + astar_dx[d], y + astar_dy[d]);
        double cost = astar_finder_cell_cost(finder, cell);
        note_nearby_way(around, number,
                        here + (d & 1 ? cost * finder->options.diagonal_cost : cost));
    }
}

// Finds what it costs to come to each, by ways that do not leave them.
static void follow_nearby_ways(Surroundings *around)
{
    while (around->first != 0) {
        uint32_t number = around->first;
        Nearby *cell = &around->cells[number - 1];
        around->first = cell->next != number ? cell->next : 0;
        cell->next = 0;
        follow_nearby_steps(around, around->x + (int)((number - 1) % (uint32_t)around->width),
                            around->y + (int)((number - 1) / (uint32_t)around->width), cell->cost);
    }
}

// Whether the unit can stand at a cell, but for its own blocks, and may come there.
static bool is_own(const AstarSearch *search, const AstarComponents *components, int x, int y)
{
    const AstarWalkable *lifted = search->finder->on.walkable;
    return astar_bits_get(&lifted->bits, x, y) && !astar_bits_get(&lifted->base->bits, x, y) &&
           (astar_grid_has_links(search->grid) ||
            astar_components_join(components, search->start_x, search->start_y, x, y));
}

static double farthest_own(const AstarSearch *search, const AstarComponents *components,
                           const Surroundings *around)
{
    double farthest = 0;
    const Nearby *cell = around->cells;
    for (int y = around->y; y < around->y + around->height; y++)
        for (int x = around->x; x < around->x + around->width; x++, cell++)
            if (cell->cost > farthest && is_own(search, components, x, y))
                farthest = cell->cost;
    return farthest;
}

// Stores how far they are by ways within so many cells around them.
static AstarStatus measure_within(const AstarSearch *search, const AstarComponents *components,
                                  int margin, double *farthest)
{
    Surroundings around = surroundings_of(search, margin);
    size_t count = (size_t)around.width * (size_t)around.height;
    around.cells = astar_alloc(&search->allocator, count, sizeof *around.cells);
    if (around.cells == NULL)
        return ASTAR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        around.cells[i].cost = INFINITY;
    note_nearby_way(&around, nearby_number(&around, search->start_x, search->start_y), 0);
    follow_nearby_ways(&around);
    *farthest = farthest_own(search, components, &around) * ASTAR_LENIENCE;
    astar_release(&search->allocator, around.cells, count, sizeof *around.cells);
    return ASTAR_OK;
}

AstarStatus astar_own_blocks_measure(AstarSearch *search)
{
    double *up_to = &search->jumps.steps_up_to;
    *up_to = -1;
    if (search->finder->original == NULL)
        return ASTAR_OK;
    AstarComponents *components;
    AstarStatus status = astar_finder_components(search->finder, &components);
    *up_to = INFINITY;
    for (int i = 0; status == ASTAR_OK && i < MARGINS && isinf(*up_to); i++)
        status = measure_within(search, components, margins[i], up_to);
    return status;
}
