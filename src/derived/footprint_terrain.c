// footprint_terrain.c -- the dearest ground that a unit wider than a cell covers.
//
// A byte a cell, like the ground itself, so that searches look up the cost of a step for a large
// unit as they do for one of a single cell. Terrains are ranked by cost, and the greatest rank of
// a square is that of its columns of the greatest of their rows: a sliding maximum, first along
// rows, then down columns. Of n numbers it is the greater of two overlapping stretches of n/2 or
// more, so log2(n) passes do. The first half is kept, so that an edit repairs only what covers it.

#include "derived/walkable.h"

#include "map/blocks.h"

#include <string.h>

enum {
    ROWS_AT_ONCE = 64,
    LARGE_EDIT_OF_SQUARES = 4096, // squares from which on a rebuild is cheaper than repairs
    LONGEST_STRETCH = LARGE_EDIT_OF_SQUARES + ASTAR_MAX_SIZE
};

// Sorts the terrains by cost, equal ones by number, and those that the grid may get behind them.
static void rank_terrains(AstarFootprints *footprints, const double *cost, int count)
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        int place = i;
        for (; i < count && place > 0 && cost[footprints->terrain[place - 1]] > cost[i]; place--)
            footprints->terrain[place] = footprints->terrain[place - 1];
        footprints->terrain[place] = (uint8_t)i;
    }
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        footprints->rank[footprints->terrain[i]] = (uint8_t)i;
}

// ---- the sliding maximum ----

static void greater(uint8_t *values, const uint8_t *others, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] > others[i] ? values[i] : others[i];
}

// Makes each value the greatest of 'size' from it on, as far as there are.
static void slide(uint8_t *values, int count, int size)
{
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        greater(values, values + (shift < count ? shift : count), count - shift);
    }
}

// The same down all columns.
static void slide_rows(uint8_t *values, int width, int height, int size)
{
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        for (int y = 0; y < height - shift; y++) {
            uint8_t *row = values + (size_t)y * (size_t)width;
            greater(row, row + (size_t)shift * (size_t)width, width);
        }
    }
}

// The ranks of the next rows, slid along them.
static void build_along(const AstarGrid *grid, AstarFootprints *footprints, int y, int rows)
{
    for (; rows > 0; rows--, y++) {
        uint8_t *along = footprints->along + astar_cell(grid, 0, y);
        const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
        for (int x = 0; x < grid->width; x++)
            along[x] = footprints->rank[ground[x]];
        slide(along, grid->width, footprints->size);
    }
}

// Slides them down, too; 'strip' has room for those below that units reach.
static void build_down(const AstarGrid *grid, AstarFootprints *footprints, uint8_t *strip, int y,
                       int rows)
{
    int count = rows + footprints->size - 1;
    count = count < grid->height - y ? count : grid->height - y;
    memcpy(strip, footprints->along + astar_cell(grid, 0, y), (size_t)count * (size_t)grid->width);
    slide_rows(strip, grid->width, count, footprints->size);
    uint8_t *ground = footprints->ground + astar_cell(grid, 0, y);
    for (size_t i = 0; i < (size_t)rows * (size_t)grid->width; i++)
        ground[i] = footprints->terrain[strip[i]];
}

// First all rows are slid along, then all down.
static AstarStatus build_footprints(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarFootprints *footprints = layer;
    int32_t *built = &footprints->layer.built;
    int most = footprints->size + ROWS_AT_ONCE;
    size_t bytes = (size_t)(most + footprints->size) * (size_t)grid->width;
    uint8_t *strip = astar_alloc(&grid->allocator, bytes, 1);
    if (strip == NULL)
        return ASTAR_NO_MEMORY;
    while (*built<2 * grid->height && * work> 0) {
        int y = *built % grid->height;
        int rows = most < grid->height - y ? most : grid->height - y;
        if (*built < grid->height)
            build_along(grid, footprints, y, rows);
        else
            build_down(grid, footprints, strip, y, rows);
        *built += rows;
        *work -= rows * (int64_t)grid->width;
    }
    astar_release(&grid->allocator, strip, bytes, 1);
    return *built < 2 * grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

// ---- edits ----

// From 'first' on those that an edit has changed, and from there to 'end' what they depend on.
typedef struct EditedStretch {
    int first, changed, end;
} EditedStretch;

static EditedStretch stretch_of(int size, int from, int count, int limit)
{
    int first = from - size + 1 > 0 ? from - size + 1 : 0, end = from + count + size - 1;
    return (EditedStretch){first, from + count - first, end < limit ? end : limit};
}

// True if that changed anything.
static bool repair_row(const AstarGrid *grid, AstarFootprints *footprints, int y,
                       EditedStretch columns)
{
    uint8_t ranks[LONGEST_STRETCH];
    const uint8_t *ground = grid->ground + astar_cell(grid, columns.first, y);
    for (int i = 0; i < columns.end - columns.first; i++)
        ranks[i] = footprints->rank[ground[i]];
    slide(ranks, columns.end - columns.first, footprints->size);
    uint8_t *along = footprints->along + astar_cell(grid, columns.first, y);
    bool changed = memcmp(along, ranks, (size_t)columns.changed) != 0;
    memcpy(along, ranks, (size_t)columns.changed);
    return changed;
}

static void repair_column(const AstarGrid *grid, AstarFootprints *footprints, int x,
                          EditedStretch rows)
{
    uint8_t ranks[LONGEST_STRETCH];
    for (int i = 0; i < rows.end - rows.first; i++)
        ranks[i] = footprints->along[astar_cell(grid, x, rows.first + i)];
    slide(ranks, rows.end - rows.first, footprints->size);
    for (int i = 0; i < rows.changed; i++)
        footprints->ground[astar_cell(grid, x, rows.first + i)] = footprints->terrain[ranks[i]];
}

static bool is_large_for_footprints(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    (void)grid;
    int64_t more = ((const AstarFootprints *)layer)->size - 1;
    return (edit->width + more) * (edit->height + more) >= LARGE_EDIT_OF_SQUARES;
}

static void repair_footprints(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarFootprints *footprints = layer;
    EditedStretch columns = stretch_of(footprints->size, edit->x, edit->width, grid->width);
    EditedStretch rows = stretch_of(footprints->size, edit->y, edit->height, grid->height);
    bool changed = false;
    for (int row = edit->y; row < edit->y + edit->height; row++)
        changed |= repair_row(grid, footprints, row, columns);
    for (int i = 0; i < columns.changed && changed; i++)
        repair_column(grid, footprints, columns.first + i, rows);
}

// ---- the layer ----

static bool is_same_order(const void *layer, const void *key)
{
    const AstarFootprints *a = layer, *b = key;
    return a->size == b->size && memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0;
}

static bool open_footprints(const AstarGrid *grid, void *layer)
{
    AstarFootprints *footprints = layer;
    footprints->along = astar_alloc(&grid->allocator, grid->cells, 1);
    footprints->ground = astar_alloc(&grid->allocator, grid->cells, 1);
    return footprints->along != NULL && footprints->ground != NULL;
}

static void close_footprints(const AstarGrid *grid, void *layer)
{
    AstarFootprints *footprints = layer;
    astar_release(&grid->allocator, footprints->along, grid->cells, 1);
    astar_release(&grid->allocator, footprints->ground, grid->cells, 1);
}

static size_t footprints_bytes(const AstarGrid *grid, const void *layer)
{
    (void)layer;
    return 2 * (size_t)grid->cells;
}

static const AstarLayerKind footprints_kind = {
    .size = sizeof(AstarFootprints),
    .list = ASTAR_FOOTPRINTS,
    .spares = 2,
    .is_like = is_same_order,
    .open = open_footprints,
    .close = close_footprints,
    .bytes = footprints_bytes,
    .build = build_footprints,
    .is_outdated = is_large_for_footprints,
    .repair = repair_footprints,
};

AstarStatus astar_footprints_acquire(const AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out)
{
    AstarFootprints key = {.layer = {.kind = &footprints_kind, .ignored = ASTAR_ALL_BLOCKS},
                           .size = size};
    rank_terrains(&key, cost, grid->terrains.count);
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}
