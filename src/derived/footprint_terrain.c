// footprint_terrain.c -- the dearest ground that a unit wider than a cell covers.
//
// A byte a cell, like the ground itself, so that searches look up the cost of a step for a large
// unit as they do for one of a single cell. Terrains are ranked by cost, and the greatest rank of
// a square is that of its columns of the greatest of their rows: a sliding maximum, first along
// rows, then down columns. Of n numbers it is the greater of two overlapping stretches of n/2 or
// more, so log2(n) passes do. The first half is kept, so that an edit repairs only what covers it.

#include "derived/footprint_terrain.h"

#include <assert.h>
#include <string.h>

enum {
    SPARE_FOOTPRINTS = 2,         // layers kept though no finder uses them
    LARGE_EDIT_OF_SQUARES = 4096, // squares from which on a rebuild is cheaper than repairs
    LONGEST_STRETCH = LARGE_EDIT_OF_SQUARES + ASTAR_MAX_SIZE
};

static void free_layer(const AstarGrid *grid, AstarFootprints *footprints)
{
    astar_release(&grid->allocator, footprints->along, grid->cells, 1);
    astar_release(&grid->allocator, footprints->ground, grid->cells, 1);
    astar_release(&grid->allocator, footprints, 1, sizeof *footprints);
}

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

static AstarStatus new_layer(AstarGrid *grid, const AstarFootprints *like, AstarFootprints **out)
{
    AstarFootprints *footprints = astar_alloc(&grid->allocator, 1, sizeof *footprints);
    if (footprints == NULL)
        return ASTAR_NO_MEMORY;
    *footprints = *like;
    astar_put(&footprints->stale, true);
    footprints->along = astar_alloc(&grid->allocator, grid->cells, 1);
    footprints->ground = astar_alloc(&grid->allocator, grid->cells, 1);
    if (footprints->along == NULL || footprints->ground == NULL) {
        free_layer(grid, footprints);
        return ASTAR_NO_MEMORY;
    }
    footprints->next = grid->footprints;
    grid->footprints = footprints;
    *out = footprints;
    return ASTAR_OK;
}

static bool is_like(const AstarFootprints *a, const AstarFootprints *b)
{
    return a->size == b->size && memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0;
}

static const AstarAttachment footprints_attachment = {
    astar_footprints_edited,
    astar_footprints_bytes,
    astar_footprints_free,
};

AstarStatus astar_footprints_acquire(AstarGrid *grid, const double *cost, int size,
                                     AstarFootprints **out)
{
    AstarFootprints like = {.size = size};
    rank_terrains(&like, cost, grid->terrain_count);
    astar_grid_lock(grid);
    AstarStatus status = ASTAR_OK;
    AstarFootprints *footprints = grid->footprints;
    while (footprints != NULL && !is_like(footprints, &like))
        footprints = footprints->next;
    if (footprints == NULL)
        status = new_layer(grid, &like, &footprints);
    if (status == ASTAR_OK) {
        grid->attachments[ASTAR_FOOTPRINTS] = &footprints_attachment;
        footprints->references++;
        *out = footprints;
    }
    astar_grid_unlock(grid);
    return status;
}

void astar_footprints_retain(AstarGrid *grid, AstarFootprints *footprints)
{
    astar_grid_lock(grid);
    footprints->references++;
    astar_grid_unlock(grid);
}

void astar_footprints_release(AstarGrid *grid, AstarFootprints *footprints)
{
    if (footprints == NULL)
        return;
    astar_grid_lock(grid);
    astar_footprints_drop(grid, footprints);
    astar_grid_unlock(grid);
}

void astar_footprints_drop(AstarGrid *grid, AstarFootprints *footprints)
{
    if (--footprints->references > 0)
        return;
    int spares = 0;
    for (AstarFootprints **link = &grid->footprints; *link != NULL;) {
        AstarFootprints *each = *link;
        if (each->references == 0 && ++spares > SPARE_FOOTPRINTS) {
            *link = each->next;
            free_layer(grid, each);
        } else {
            link = &each->next;
        }
    }
}

void astar_footprints_free(AstarGrid *grid)
{
    while (grid->footprints != NULL) {
        AstarFootprints *footprints = grid->footprints;
        assert(footprints->references == 0);
        grid->footprints = footprints->next;
        free_layer(grid, footprints);
    }
}

size_t astar_footprints_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarFootprints *each = grid->footprints; each != NULL; each = each->next)
        bytes += sizeof *each + 2 * (size_t)grid->cells;
    return bytes;
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

static void build_footprints(const AstarGrid *grid, AstarFootprints *footprints)
{
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        footprints->along[cell] = footprints->rank[grid->ground[cell]];
    for (int y = 0; y < grid->height; y++)
        slide(footprints->along + astar_cell(grid, 0, y), grid->width, footprints->size);
    memcpy(footprints->ground, footprints->along, grid->cells);
    slide_rows(footprints->ground, grid->width, grid->height, footprints->size);
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        footprints->ground[cell] = footprints->terrain[footprints->ground[cell]];
    astar_put(&footprints->stale, false);
}

void astar_footprints_update(const AstarGrid *grid, AstarFootprints *footprints)
{
    if (!astar_get(&footprints->stale))
        return;
    astar_grid_lock(grid);
    if (astar_get(&footprints->stale))
        build_footprints(grid, footprints);
    astar_grid_unlock(grid);
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

// True if that changed anything, as no edit of blocks does.
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

static void repair(const AstarGrid *grid, AstarFootprints *footprints, int x, int y, int width,
                   int height)
{
    EditedStretch columns = stretch_of(footprints->size, x, width, grid->width);
    EditedStretch rows = stretch_of(footprints->size, y, height, grid->height);
    bool changed = false;
    for (int row = y; row < y + height; row++)
        changed |= repair_row(grid, footprints, row, columns);
    for (int i = 0; i < columns.changed && changed; i++)
        repair_column(grid, footprints, columns.first + i, rows);
}

void astar_footprints_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarFootprints *each = grid->footprints; each != NULL; each = each->next) {
        int64_t more = each->size - 1;
        if ((width + more) * (height + more) >= LARGE_EDIT_OF_SQUARES)
            astar_put(&each->stale, true);
        else if (!astar_get(&each->stale))
            repair(grid, each, x, y, width, height);
    }
}
