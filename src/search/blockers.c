// blockers.c -- the fewest blocks that part two cells.
//
// A search over cells by how many blocks must be lifted to come there: what stands on a cell is
// what it costs to enter, free cells cost nothing (a 0-1 search, with a queue for each number). A
// cell's own blocks are all it costs, from whichever side it is entered, so the first way to it is
// a best one, and each cell is noted once. Where steps are plain, free cells are gone through by
// runs of a row, sixty-four of them at a time.

#include "base/array.h"
#include "base/directions.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/clearance.h"

enum {
    NUMBERS = ASTAR_MAX_LAYERS + 2, // of queues: no cell has more blocks than there are layers
    NO_ENTRY = -1
};

// A cell, or the run of free cells that it begins.
typedef struct LiftingEntry {
    uint32_t cell;
    int32_t parent, next; // the entry it was come to from, and after it in its queue
} LiftingEntry;

typedef struct Lifting {
    const AstarFinder *finder;
    const AstarBits *free;
    AstarBits seen;
    LiftingEntry *entries;
    size_t count, capacity;
    int32_t first[NUMBERS], last[NUMBERS]; // of each queue, by number modulo NUMBERS
    int number;                            // of blocks lifted where the search is
    int32_t at;                            // the entry it goes on from
    int goal_x, goal_y;
    int32_t goal; // its entry; NO_ENTRY: not found yet
    bool has_runs, lacks_memory;
} Lifting;

// How many blocks bar the unit from a cell that is not free; 0: the ground does.
static int blocks_on(const AstarFinder *finder, int x, int y)
{
    int terrain = finder->grid->ground[astar_cell(finder->grid, x, y)];
    if (isinf(finder->cell_cost[terrain]))
        return 0;
    return (int)astar_blocks_list(finder->grid, finder->options.ignore, x, y, NULL, 0, 0);
}

static void note_entry(Lifting *lifting, int x, int y, int blocks)
{
    if (!ASTAR_RESERVE(&lifting->finder->grid->allocator, lifting->entries, lifting->count, 1,
                       &lifting->capacity, 256)) {
        lifting->lacks_memory = true;
        return;
    }
    int32_t made = (int32_t)lifting->count++;
    int queue = (lifting->number + blocks) % NUMBERS;
    lifting->entries[made] = (LiftingEntry){astar_cell(lifting->finder->grid, x, y), lifting->at,
                                            NO_ENTRY};
    if (lifting->first[queue] == NO_ENTRY)
        lifting->first[queue] = made;
    else
        lifting->entries[lifting->last[queue]].next = made;
    lifting->last[queue] = made;
    lifting->goal = x == lifting->goal_x && y == lifting->goal_y ? made : lifting->goal;
}

// Notes the run of free cells, none of them seen, that (x, y) is of.
static void note_run_of_free(Lifting *lifting, int x, int y)
{
    const AstarGrid *grid = lifting->finder->grid;
    int west = x, width = 1;
    while (lifting->has_runs && astar_bits_get(lifting->free, west - 1, y))
        west--;
    if (lifting->has_runs)
        width = x - west + astar_bits_run(lifting->free, x, y, grid->width);
    astar_bits_put_row(&lifting->seen, west, y, width, true);
    note_entry(lifting, west, y, 0);
    if (lifting->goal_y == y && lifting->goal_x >= west && lifting->goal_x < west + width)
        lifting->goal = (int32_t)lifting->count - 1;
}

// Notes what can be entered of the cells of a row from 'x' to before 'end'.
static void note_cells_of_row(Lifting *lifting, int y, int x, int end)
{
    const AstarGrid *grid = lifting->finder->grid;
    size_t first = x > 0 ? (size_t)x + 1 : 1,
           last = (size_t)(end < grid->width ? end : grid->width);
    if (y < 0 || y >= grid->height)
        return;
    uint64_t *seen = astar_bits_row(&lifting->seen, y);
    const uint64_t *free = astar_bits_row(lifting->free, y);
    for (size_t word = first >> 6; word <= last >> 6 && first <= last; word++) {
        uint64_t mask = astar_bits_mask(word, first, last), rest;
        while ((rest = ~seen[word] & mask) != 0) {
            int bit = astar_lowest_bit(rest), at = (int)(word << 6) + bit - 1;
            if ((free[word] >> bit & 1) != 0) {
                note_run_of_free(lifting, at, y);
                continue;
            }
            seen[word] |= UINT64_C(1) << bit;
            int blocks = blocks_on(lifting->finder, at, y);
            if (blocks > 0)
                note_entry(lifting, at, y, blocks);
        }
    }
}

// Where a run, or a cell, leads by plain steps.
static void look_around_run(Lifting *lifting, int x, int y)
{
    int corner = lifting->finder->rule->joins_corners;
    bool is_free = astar_bits_get(lifting->free, x, y);
    int end = x + (is_free ? astar_bits_run(lifting->free, x, y, lifting->finder->grid->width) : 1);
    for (int row = y - 1; row <= y + 1; row++) {
        int wider = row == y ? 1 : corner;
        note_cells_of_row(lifting, row, x - wider, end + wider);
    }
}

// Where a cell leads, past walls, over sides of hexagons and over links. What a diagonal step joins
// two straight ones do as well, by cells to be lifted too, unless a rule has it join corners.
static void look_around_cell(Lifting *lifting, uint32_t cell, int x, int y)
{
    const AstarFinder *finder = lifting->finder;
    const AstarGrid *grid = finder->grid;
    unsigned inside = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        inside |= (unsigned)astar_inside(grid, x + astar_dx[d], y + astar_dy[d]) << d;
    unsigned moves = astar_legal_moves_on(grid, finder->rule, x, y, inside, false);
    if (grid->shape->has_corners && !finder->rule->joins_corners)
        moves &= ASTAR_STRAIGHTS;
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        note_cells_of_row(lifting, y + astar_dy[d], x + astar_dx[d], x + astar_dx[d] + 1);
    }
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArc *arc;
    for (uint32_t i = astar_grid_has_links(grid) ? astar_arcs_first_from(links, cell) : UINT32_MAX;
         i != UINT32_MAX && (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == cell;
         i++) {
        astar_cell_xy(grid, arc->to, &x, &y);
        note_cells_of_row(lifting, y, x, x + 1);
    }
}

// Searches until the goal is noted or nothing is left.
static void lift_on(Lifting *lifting)
{
    int empty = 0;
    while (lifting->goal == NO_ENTRY && empty < NUMBERS && !lifting->lacks_memory) {
        int32_t *first = &lifting->first[lifting->number % NUMBERS];
        if (*first == NO_ENTRY) {
            lifting->number++;
            empty++;
            continue;
        }
        int x, y;
        uint32_t cell = lifting->entries[*first].cell;
        empty = 0;
        lifting->at = *first;
        *first = lifting->entries[*first].next;
        astar_cell_xy(lifting->finder->grid, cell, &x, &y);
        if (lifting->has_runs)
            look_around_run(lifting, x, y);
        else
            look_around_cell(lifting, cell, x, y);
    }
}

// Stores the blocks of the cells on the way to the goal, 'total' of them, from its end.
static void list_lifted(const Lifting *lifting, size_t total, AstarBlock *blocks, size_t room)
{
    const AstarGrid *grid = lifting->finder->grid;
    const uint64_t ignored = lifting->finder->options.ignore;
    const LiftingEntry *entry = &lifting->entries[lifting->goal];
    for (; entry->parent != NO_ENTRY; entry = &lifting->entries[entry->parent]) {
        int x, y;
        astar_cell_xy(grid, entry->cell, &x, &y);
        total -= (size_t)blocks_on(lifting->finder, x, y);
        astar_blocks_list(grid, ignored, x, y, blocks, room, total);
    }
}

// Whether nothing needs to be lifted, where components tell; else they may not know of a way.
static AstarStatus ask_components(AstarFinder *finder, int sx, int sy, int gx, int gy, bool *joined)
{
    const AstarBits *bits = &finder->walkable->bits;
    AstarComponents *components;
    if (astar_grid_has_walls(finder->grid) || !astar_bits_get(bits, sx, sy) ||
        !astar_bits_get(bits, gx, gy))
        return ASTAR_OK;
    AstarStatus status = astar_finder_components(finder, &components);
    *joined = status == ASTAR_OK && astar_components_join(components, sx, sy, gx, gy);
    return status;
}

AstarStatus astar_blockers(AstarFinder *finder, int sx, int sy, int gx, int gy, AstarBlock *blocks,
                           size_t room, size_t *count)
{
    const AstarGrid *grid = finder->grid;
    if (!astar_inside(grid, sx, sy) || !astar_inside(grid, gx, gy))
        return ASTAR_BAD_CELL;
    if (finder->options.size > 1 || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (grid->shape->wraps != 0)
        return ASTAR_BAD_SEAM;
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    if (!astar_can_stand(finder, sx, sy))
        return ASTAR_UNREACHABLE;
    bool hangs_together = false;
    status = ask_components(finder, sx, sy, gx, gy, &hangs_together);
    if (status != ASTAR_OK || hangs_together) {
        *count = 0;
        return status;
    }
    Lifting lifting = {.finder = finder,
                       .free = &finder->walkable->bits,
                       .seen = astar_bits_new(&grid->allocator, grid->width, grid->height),
                       .at = NO_ENTRY,
                       .goal_x = gx,
                       .goal_y = gy,
                       .goal = NO_ENTRY,
                       .has_runs = grid->shape->has_corners &&
                                   !astar_grid_has_links_or_walls(grid)};
    for (int i = 0; i < NUMBERS; i++)
        lifting.first[i] = NO_ENTRY;
    if (lifting.seen.words == NULL)
        return ASTAR_NO_MEMORY;
    astar_bits_put(&lifting.seen, sx, sy, true);
    note_entry(&lifting, sx, sy, 0);
    lift_on(&lifting);
    status = lifting.lacks_memory       ? ASTAR_NO_MEMORY
             : lifting.goal == NO_ENTRY ? ASTAR_UNREACHABLE
                                        : ASTAR_OK;
    if (status == ASTAR_OK) {
        *count = lifting.goal == 0 ? 0 : (size_t)(lifting.number + blocks_on(finder, gx, gy));
        list_lifted(&lifting, *count, blocks, room);
    }
    astar_bits_free(&grid->allocator, &lifting.seen);
    astar_release(&grid->allocator, lifting.entries, lifting.capacity, sizeof *lifting.entries);
    return status;
}
