// suppose.c -- queries about a map on which a few more cells are blocked (the option
// suppose_blocked), and the fewest blocks that separate two cells (finder:blockers).
//
// Supposed blocks only remove routes. A best route that crosses none of the supposed blocks is
// therefore still a best route. A query is therefore first answered without the supposed blocks,
// by the direct line or with the finder's plan if they apply.

#include "search/suppose.h"

#include "base/array.h"
#include "base/directions.h"
#include "finder/finder.h"
#include "map/links_and_walls.h"
#include "rules/corner_rules.h"
#include "search/reachable.h"
#include "search/run.h"
#include "search/search.h"

AstarStatus astar_finder_suppose(const AstarFinder *finder, const AstarRectangle *blocked,
                                 size_t count, AstarFinder **out)
{
    for (size_t i = 0; i < count; i++)
        if (!astar_grid_has_rectangle(finder->grid, blocked[i].x, blocked[i].y, blocked[i].width,
                                      blocked[i].height))
            return ASTAR_BAD_CELL;
    if (finder->grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    AstarFinder *made;
    AstarStatus status = astar_finder_new_supposing(finder, &made);
    if (status != ASTAR_OK)
        return status;
    made->supposed = astar_supposed_new(&made->grid->allocator, blocked, count);
    if (made->supposed == NULL) {
        astar_finder_release(made);
        return ASTAR_NO_MEMORY;
    }
    *out = made;
    return ASTAR_OK;
}

// Returns true if the unit, at (x, y), would cover a supposed block outside the cells that it
// covers at its start.
static bool is_barred_at(const AstarFinder *finder, const AstarPoint *start, int x, int y)
{
    const AstarBody body = astar_finder_body(finder);
    AstarRectangle own = {start->x, start->y, body.width, body.height};
    for (int row = y; row < y + body.height; row++)
        for (int column = x; column < x + body.width; column++)
            if (astar_supposed_has(finder->supposed, column, row) &&
                !astar_rectangle_has(&own, column, row))
                return true;
    return false;
}

bool astar_suppose_spares(const AstarFinder *supposing, const AstarPath *path)
{
    AstarPathCursor cursor = astar_path_cursor(path);
    int x, y, last_x = path->points[0].x, last_y = path->points[0].y;
    for (; astar_path_next(&cursor, &x, &y); last_x = x, last_y = y)
        if (is_barred_at(supposing, path->points, x, y) ||
            (x != last_x && y != last_y &&
             (is_barred_at(supposing, path->points, x, last_y) ||
              is_barred_at(supposing, path->points, last_x, y))))
            return false;
    return true;
}

bool astar_components_decide(const AstarFinder *finder)
{
    const AstarOptions *options = &finder->options;
    return (options->cost == NULL || options->cost == astar_cost_as_given) &&
           options->step_cost == NULL && finder->original == NULL &&
           !astar_grid_has_links_or_walls(finder->grid);
}

AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    AstarReachKnown *known)
{
    const AstarSupposed *supposed = finder->supposed;
    const AstarBits *bits = &finder->on.walkable->bits;
    const AstarBody body = astar_finder_body(finder);
    *known = ASTAR_REACH_UNKNOWN;
    if (supposed == NULL || !astar_components_decide(finder) || finder->query.range > 0 ||
        !astar_bits_get(bits, sx, sy) || astar_supposed_bars(supposed, body, sx, sy))
        return ASTAR_OK;
    *known = ASTAR_REACH_NO;
    if (!astar_bits_get(bits, gx, gy) || astar_supposed_bars(supposed, body, gx, gy))
        return ASTAR_OK;
    AstarComponents *components, *then;
    AstarStatus status = astar_finder_components(finder, &components);
    if (status != ASTAR_OK || !astar_components_join(components, sx, sy, gx, gy))
        return status;
    AstarComponentOverlay changed = {.changed = supposed->blocked,
                                     .count = supposed->count,
                                     .wider = body.width - 1,
                                     .higher = body.height - 1,
                                     .is_barred = true};
    status = astar_components_over(components, bits, &changed, &then);
    if (status != ASTAR_OK)
        return status;
    if (astar_components_join(then, sx, sy, gx, gy))
        *known = ASTAR_REACH_YES;
    astar_components_free(then);
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below find the fewest blocks that separate two cells.
//
// They search cells in the order of the number of blocks that must be removed to reach them (a 0-1
// search with a queue per number). Entering a cell costs the number of blocks on it, free cells
// cost nothing. The cost of entering a cell is the same from every side, so the first path to a
// cell is a best one, and each cell is recorded once.
//
// A connected region of free cells is flooded as a whole, 64 cells of a row per word, or cell by
// cell if there are walls. Only the blocked cells around the region are recorded, also by words.
// Most of these blocked cells lead to no new cells, as rocks in a field do. One test shows whether
// any cell of a word leads to new cells.
// ------------------------------------------------------------------------------------------------

enum {
    NUMBERS = ASTAR_MAX_LAYERS + 2, // number of queues; a cell has at most one block per layer
    NO_ENTRY = -1
};

// The cells of one word of a row from which the flooding of free cells has to continue.
typedef struct FloodedWord {
    uint64_t bits;
    int32_t y;
    uint32_t column;
} FloodedWord;

// Cells of one word of a row that the search reaches by removing equally many blocks.
typedef struct LiftingEntry {
    FloodedWord cells;
    int32_t parent,
        next; // the entry from which one of the cells was reached, and the next entry of its queue
} LiftingEntry;

typedef struct Lifting {
    const AstarFinder *finder;
    const AstarBits *free;
    AstarBits seen;
    // For even and odd rows: a mask of the cells of a word that have a neighbour in each direction.
    uint64_t meeting[2][ASTAR_DIRECTIONS];
    LiftingEntry *entries;
    size_t count, capacity;
    FloodedWord *flood;
    size_t flood_count, flood_capacity;
    int32_t first[NUMBERS],
        last[NUMBERS]; // first and last entry of each queue, by number modulo NUMBERS
    int number;        // the number of blocks that the search has now reached
    int32_t at;        // the entry being processed
    FloodedWord goal_cell;
    int32_t goal;   // the goal's entry; NO_ENTRY: not found yet
    bool is_asking; // true while new cells are only asked for, not recorded
    bool lacks_memory;
} Lifting;

static FloodedWord word_of_cell(int x, int y)
{
    uint32_t bit = (uint32_t)x + 1; // column 0 is bit 1
    return (FloodedWord){UINT64_C(1) << (bit & 63), y, bit >> 6};
}

static int first_of_word(FloodedWord cells)
{
    return (int)(cells.column << 6) + astar_lowest_bit(cells.bits) - 1;
}

static bool bars_by_ground(const AstarFinder *finder, int x, int y)
{
    return isinf(finder->costs.cell[finder->grid->ground[astar_cell(finder->grid, x, y)]]);
}

// Returns the number of blocks that bar the unit from a cell.
static int blocks_on(const AstarFinder *finder, int x, int y)
{
    return (int)astar_blocks_list(finder->grid, finder->options.ignore, x, y, NULL, 0, 0);
}

// Appends an entry with some cells of a word. If these cells contain the goal, the entry gets the
// goal alone, since no other cell is needed any more.
static int32_t new_entry(Lifting *lifting, FloodedWord cells, int32_t parent)
{
    FloodedWord goal = lifting->goal_cell;
    if (!ASTAR_RESERVE(&lifting->finder->grid->allocator, lifting->entries, lifting->count, 1,
                       &lifting->capacity, 256)) {
        lifting->lacks_memory = true;
        return NO_ENTRY;
    }
    int32_t made = (int32_t)lifting->count++;
    if (cells.y == goal.y && cells.column == goal.column && (cells.bits & goal.bits) != 0) {
        cells = goal;
        lifting->goal = made;
    }
    lifting->entries[made] = (LiftingEntry){cells, parent, NO_ENTRY};
    return made;
}

static void note_cells(Lifting *lifting, FloodedWord cells, int blocks)
{
    int queue = (lifting->number + blocks) % NUMBERS;
    int32_t made = new_entry(lifting, cells, lifting->at), *end = &lifting->first[queue];
    if (made == NO_ENTRY)
        return;
    end = *end != NO_ENTRY ? &lifting->entries[lifting->last[queue]].next : end;
    *end = lifting->last[queue] = made;
}

// Records blocked cells: all cells with a single block as one entry, each of the other cells as an
// entry of its own.
static void note_barred(Lifting *lifting, FloodedWord cells)
{
    const AstarFinder *finder = lifting->finder;
    const uint64_t ignored = finder->options.ignore;
    uint64_t any = 0, several = 0;
    const AstarBlocks *each = astar_blocks_first(finder->grid, ignored);
    for (; each != NULL; each = astar_blocks_next(each, ignored)) {
        uint64_t blocks = astar_bits_row(&each->bits, cells.y)[cells.column] & cells.bits;
        several |= any & blocks;
        any |= blocks;
    }
    cells.bits = any & ~several;
    if (cells.bits != 0)
        note_cells(lifting, cells, 1);
    for (; several != 0; several &= several - 1) {
        cells.bits = several & -several;
        note_cells(lifting, cells, blocks_on(finder, first_of_word(cells), cells.y));
    }
}

// Returns the runs of set bits of 'word' that contain at least one bit of 'bits'.
static uint64_t runs_of_word(uint64_t word, uint64_t bits)
{
    if (~word == 0)
        return word;
    uint64_t runs = word & (((word + bits) ^ word) | bits); // the sum carries to the end of a run
    for (int by = 1; by < 64; by <<= 1) {
        runs |= word & runs >> by;
        word &= word >> by;
    }
    return runs;
}

// Marks some cells of a word as reached: floods the free cells, and records the blocked cells.
// While 'is_asking' is true, changes nothing. Returns the cells that were not reached before.
static uint64_t come_to_word(Lifting *lifting, int y, uint32_t column, uint64_t bits)
{
    const AstarGrid *grid = lifting->finder->grid;
    size_t last = (size_t)grid->width;
    if (y < 0 || y >= grid->height || column > last >> 6)
        return 0;
    uint64_t *seen = astar_bits_row(&lifting->seen, y) + column;
    uint64_t free = astar_bits_row(lifting->free, y)[column];
    bits &= ~*seen & astar_bits_mask(column, 1, last);
    if (bits == 0 || lifting->is_asking)
        return bits;
    uint64_t runs = bits & free;
    if (runs != 0 && !astar_grid_has_walls(grid))
        runs = runs_of_word(free, runs);
    *seen |= runs | bits;
    if ((bits & ~free) != 0)
        note_barred(lifting, (FloodedWord){bits & ~free, y, column});
    if (runs == 0)
        return bits;
    if (!ASTAR_RESERVE(&grid->allocator, lifting->flood, lifting->flood_count, 1,
                       &lifting->flood_capacity, 64)) {
        lifting->lacks_memory = true;
        return bits;
    }
    lifting->flood[lifting->flood_count++] = (FloodedWord){runs, y, column};
    FloodedWord goal = lifting->goal_cell;
    if (y == goal.y && column == goal.column && (runs & goal.bits) != 0)
        note_cells(lifting, goal, 0);
    return bits;
}

static void come_to_cell(Lifting *lifting, int x, int y)
{
    FloodedWord to = word_of_cell(x, y);
    come_to_word(lifting, y, to.column, to.bits);
}

// Follows the steps out of a single cell on a map with walls. The cell is passed as a word with one
// bit set.
static void look_past_walls(Lifting *lifting, FloodedWord at)
{
    const AstarGrid *grid = lifting->finder->grid;
    int x = first_of_word(at);
    unsigned inside = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        inside |= (unsigned)astar_inside(grid, x + astar_dx[d], at.y + astar_dy[d]) << d;
    unsigned moves = astar_legal_moves_on(grid, lifting->finder->rule, x, at.y, inside, false);
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if ((moves >> d & 1) != 0 && (lifting->meeting[at.y & 1][d] & at.bits) != 0)
            come_to_cell(lifting, x + astar_dx[d], at.y + astar_dy[d]);
}

// Follows the links that leave the cells of a word.
static void lift_over_links(Lifting *lifting, FloodedWord at)
{
    const AstarGrid *grid = lifting->finder->grid;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    uint64_t ends = at.bits & astar_bits_row(&links->ends, at.y)[at.column];
    for (; ends != 0; ends &= ends - 1) {
        int x = (int)(at.column << 6) + astar_lowest_bit(ends) - 1, y;
        uint32_t from = astar_cell(grid, x, at.y), i = astar_arcs_first_from(links, from);
        const AstarArc *arc;
        for (; (arc = astar_arc_at(&links->arcs, i)) != NULL && arc->from == from; i++) {
            astar_cell_xy(grid, arc->to, &x, &y);
            come_to_cell(lifting, x, y);
        }
    }
}

// Follows the steps out of the cells of a word, on a map without walls. Returns the cells of the
// word from which a step led to a cell not reached before.
static uint64_t look_around_word(Lifting *lifting, FloodedWord at)
{
    const uint64_t *meeting = lifting->meeting[at.y & 1];
    uint64_t leading = 0;
    for (int i = 0; i < 3; i++) { // the cell's own row first, which holds the cells straight ahead
        int y = at.y + (i < 2 ? -i : 1);
        uint64_t east = at.bits & meeting[astar_direction(1, y - at.y)];
        uint64_t west = at.bits & meeting[astar_direction(-1, y - at.y)];
        uint64_t to = come_to_word(lifting, y, at.column, at.bits | east << 1 | west >> 1);
        leading |= (at.bits & to) | (east & to >> 1) | (west & to << 1);
        if (east >> 63 != 0)
            leading |= come_to_word(lifting, y, at.column + 1, 1) << 63;
        if ((west & 1) != 0)
            leading |= come_to_word(lifting, y, at.column - 1, UINT64_C(1) << 63) >> 63;
    }
    return leading;
}

// Floods the connected free cells around the cell of an entry.
static void flood_from_cell(Lifting *lifting, FloodedWord at)
{
    const AstarGrid *grid = lifting->finder->grid;
    size_t next = lifting->flood_count = 0;
    do {
        at = next > 0 ? lifting->flood[next - 1] : at;
        if (astar_grid_has_walls(grid))
            look_past_walls(lifting, at);
        else
            look_around_word(lifting, at);
        if (astar_grid_has_links(grid))
            lift_over_links(lifting, at);
    } while (lifting->goal == NO_ENTRY && next++ < lifting->flood_count);
}

// Continues the search from each cell of an entry that leads to new cells. Each such cell gets an
// entry of its own.
static void lift_cells(Lifting *lifting, int32_t entry)
{
    FloodedWord cells = lifting->entries[entry].cells;
    uint64_t left = cells.bits;
    lifting->is_asking = true;
    if (!astar_grid_has_links(lifting->finder->grid))
        left = look_around_word(lifting, cells);
    lifting->is_asking = false;
    for (; left != 0 && lifting->goal == NO_ENTRY && !lifting->lacks_memory; left &= left - 1) {
        cells.bits = left & -left;
        if (bars_by_ground(lifting->finder, first_of_word(cells), cells.y))
            continue;
        lifting->at = new_entry(lifting, cells, lifting->entries[entry].parent);
        flood_from_cell(lifting, cells);
    }
}

// Sets which neighbours of a cell the search follows. On squares these are the four neighbours
// beside the cell, unless the corner rule connects cells that touch only at a corner: because
// blocked cells can be entered here, two straight steps can replace every other diagonal step.
static void choose_meeting(Lifting *lifting)
{
    const AstarShape *shape = lifting->finder->grid->shape;
    bool by_sides = shape->has_corners && !lifting->finder->rule->joins_corners;
    for (int i = 0; i < 4; i++) {
        unsigned around = astar_shape_around(shape, i & 1, i >> 1);
        around &= by_sides ? ASTAR_STRAIGHTS : 0xFF;
        for (int d = 0; d < ASTAR_DIRECTIONS; d++) // column 0 is bit 1
            lifting->meeting[i >> 1][d] |= (around >> d & 1) * UINT64_C(0xAAAAAAAAAAAAAAAA) >>
                                           (i & 1);
    }
}

// Searches until the goal is recorded or no entry is left.
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
        int32_t entry = *first;
        empty = 0;
        *first = lifting->entries[entry].next;
        lift_cells(lifting, entry);
    }
}

// Stores the 'total' blocks on the path to the goal, from the last block to the first.
static void list_lifted(const Lifting *lifting, size_t total, AstarBlock *blocks, size_t room)
{
    const AstarGrid *grid = lifting->finder->grid;
    const uint64_t ignored = lifting->finder->options.ignore;
    const LiftingEntry *entry = &lifting->entries[lifting->goal];
    for (; entry->parent != NO_ENTRY; entry = &lifting->entries[entry->parent]) {
        int x = first_of_word(entry->cells), y = entry->cells.y;
        total -= (size_t)blocks_on(lifting->finder, x, y);
        astar_blocks_list(grid, ignored, x, y, blocks, room, total);
    }
}

// Sets '*joined' to true if the connected components show that no block needs to be removed. If
// '*joined' stays false, there may still be a free path.
static AstarStatus test_components(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                   bool *joined)
{
    const AstarBits *bits = &finder->on.walkable->bits;
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
    if (!astar_is_one_cell(astar_finder_body(finder)) || astar_finder_has_callbacks(finder))
        return ASTAR_BAD_OPTION;
    if (grid->shape->wraps != 0)
        return ASTAR_BAD_WRAP;
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    if (!astar_terrain_allows(finder, sx, sy) || bars_by_ground(finder, gx, gy))
        return ASTAR_UNREACHABLE;
    bool hangs_together = false;
    status = test_components(finder, sx, sy, gx, gy, &hangs_together);
    if (status != ASTAR_OK || hangs_together) {
        *count = 0;
        return status;
    }
    Lifting lifting = {.finder = finder,
                       .free = &finder->on.walkable->bits,
                       .seen = astar_bits_new(&grid->allocator, grid->width, grid->height),
                       .at = NO_ENTRY,
                       .goal_cell = word_of_cell(gx, gy),
                       .goal = NO_ENTRY};
    for (int i = 0; i < NUMBERS; i++)
        lifting.first[i] = NO_ENTRY;
    if (lifting.seen.words == NULL)
        return ASTAR_NO_MEMORY;
    choose_meeting(&lifting);
    astar_bits_put(&lifting.seen, sx, sy, true);
    note_cells(&lifting, word_of_cell(sx, sy), 0);
    lift_on(&lifting);
    status = lifting.lacks_memory       ? ASTAR_NO_MEMORY
             : lifting.goal == NO_ENTRY ? ASTAR_UNREACHABLE
                                        : ASTAR_OK;
    if (status == ASTAR_OK) {
        *count = lifting.goal == 0 ? 0 : (size_t)(lifting.number + blocks_on(finder, gx, gy));
        list_lifted(&lifting, *count, blocks, room);
    }
    astar_bits_free(&grid->allocator, &lifting.seen);
    astar_release(&grid->allocator, lifting.flood, lifting.flood_capacity, sizeof *lifting.flood);
    astar_release(&grid->allocator, lifting.entries, lifting.capacity, sizeof *lifting.entries);
    return status;
}
