// covered.c -- the dearest ground that a unit wider than a cell covers.
//
// A byte a cell, like the ground itself, so that searches look up the cost of a step for a large
// unit as they do for one of a single cell. Terrains are ranked by cost, and the greatest rank of
// a square is that of its columns of the greatest of their rows: a sliding maximum, first along
// rows, then down columns. Of n numbers it is the greater of two overlapping stretches of n/2 or
// more, so log2(n) passes do. The first half is kept, so that an edit repairs only what covers it.

#include "covered.h"

#include <assert.h>
#include <string.h>

enum {
    SPARES = 2,        // layers kept though no finder uses them
    LARGE_EDIT = 4096, // squares from which on a rebuild is cheaper than repairs
    LONGEST = LARGE_EDIT + ASTAR_MAX_SIZE
};

static void free_layer(const AstarGrid *grid, AstarCovered *covered)
{
    astar_release(&grid->allocator, covered->along, grid->cells, 1);
    astar_release(&grid->allocator, covered->ground, grid->cells, 1);
    astar_release(&grid->allocator, covered, 1, sizeof *covered);
}

// Sorts the terrains by cost, equal ones by number.
static void rank_terrains(AstarCovered *covered, const double cost[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        int place = i;
        for (; place > 0 && cost[covered->terrain[place - 1]] > cost[i]; place--)
            covered->terrain[place] = covered->terrain[place - 1];
        covered->terrain[place] = (uint8_t)i;
    }
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        covered->rank[covered->terrain[i]] = (uint8_t)i;
}

static AstarStatus new_layer(AstarGrid *grid, const AstarCovered *like, AstarCovered **out)
{
    AstarCovered *covered = astar_alloc(&grid->allocator, 1, sizeof *covered);
    if (covered == NULL)
        return ASTAR_NO_MEMORY;
    *covered = *like;
    covered->stale = true;
    covered->along = astar_alloc(&grid->allocator, grid->cells, 1);
    covered->ground = astar_alloc(&grid->allocator, grid->cells, 1);
    if (covered->along == NULL || covered->ground == NULL) {
        free_layer(grid, covered);
        return ASTAR_NO_MEMORY;
    }
    covered->next = grid->covered;
    grid->covered = covered;
    *out = covered;
    return ASTAR_OK;
}

static bool is_like(const AstarCovered *a, const AstarCovered *b)
{
    return a->size == b->size && memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0;
}

static const AstarAttachment attachment = {
    astar_covered_edited,
    astar_covered_bytes,
    astar_covered_free,
};

AstarStatus astar_covered_acquire(AstarGrid *grid, const double cost[ASTAR_MAX_TERRAINS], int size,
                                  AstarCovered **out)
{
    AstarCovered like = {.size = size};
    rank_terrains(&like, cost);
    AstarCovered *covered = grid->covered;
    while (covered != NULL && !is_like(covered, &like))
        covered = covered->next;
    if (covered == NULL) {
        AstarStatus status = new_layer(grid, &like, &covered);
        if (status != ASTAR_OK)
            return status;
    }
    grid->attachments[ASTAR_COVERED] = &attachment;
    covered->references++;
    *out = covered;
    return ASTAR_OK;
}

void astar_covered_release(AstarGrid *grid, AstarCovered *covered)
{
    if (covered == NULL || --covered->references > 0)
        return;
    int spares = 0;
    for (AstarCovered **link = &grid->covered; *link != NULL;) {
        AstarCovered *each = *link;
        if (each->references == 0 && ++spares > SPARES) {
            *link = each->next;
            free_layer(grid, each);
        } else {
            link = &each->next;
        }
    }
}

void astar_covered_free(AstarGrid *grid)
{
    while (grid->covered != NULL) {
        AstarCovered *covered = grid->covered;
        assert(covered->references == 0);
        grid->covered = covered->next;
        free_layer(grid, covered);
    }
}

size_t astar_covered_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarCovered *each = grid->covered; each != NULL; each = each->next)
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

void astar_covered_update(const AstarGrid *grid, AstarCovered *covered)
{
    if (!covered->stale)
        return;
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        covered->along[cell] = covered->rank[grid->ground[cell]];
    for (int y = 0; y < grid->height; y++)
        slide(covered->along + astar_cell(grid, 0, y), grid->width, covered->size);
    memcpy(covered->ground, covered->along, grid->cells);
    slide_rows(covered->ground, grid->width, grid->height, covered->size);
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        covered->ground[cell] = covered->terrain[covered->ground[cell]];
    covered->stale = false;
}

// ---- edits ----

// From 'first' on those that an edit has changed, and from there to 'end' what they depend on.
typedef struct Stretch {
    int first, changed, end;
} Stretch;

static Stretch stretch_of(int size, int from, int count, int limit)
{
    int first = from - size + 1 > 0 ? from - size + 1 : 0, end = from + count + size - 1;
    return (Stretch){first, from + count - first, end < limit ? end : limit};
}

// True if that changed anything, as no edit of blocks does.
static bool repair_row(const AstarGrid *grid, AstarCovered *covered, int y, Stretch columns)
{
    uint8_t ranks[LONGEST];
    const uint8_t *ground = grid->ground + astar_cell(grid, columns.first, y);
    for (int i = 0; i < columns.end - columns.first; i++)
        ranks[i] = covered->rank[ground[i]];
    slide(ranks, columns.end - columns.first, covered->size);
    uint8_t *along = covered->along + astar_cell(grid, columns.first, y);
    bool changed = memcmp(along, ranks, (size_t)columns.changed) != 0;
    memcpy(along, ranks, (size_t)columns.changed);
    return changed;
}

static void repair_column(const AstarGrid *grid, AstarCovered *covered, int x, Stretch rows)
{
    uint8_t ranks[LONGEST];
    for (int i = 0; i < rows.end - rows.first; i++)
        ranks[i] = covered->along[astar_cell(grid, x, rows.first + i)];
    slide(ranks, rows.end - rows.first, covered->size);
    for (int i = 0; i < rows.changed; i++)
        covered->ground[astar_cell(grid, x, rows.first + i)] = covered->terrain[ranks[i]];
}

static void repair(const AstarGrid *grid, AstarCovered *covered, int x, int y, int width,
                   int height)
{
    Stretch columns = stretch_of(covered->size, x, width, grid->width);
    Stretch rows = stretch_of(covered->size, y, height, grid->height);
    bool changed = false;
    for (int row = y; row < y + height; row++)
        changed |= repair_row(grid, covered, row, columns);
    for (int i = 0; i < columns.changed && changed; i++)
        repair_column(grid, covered, columns.first + i, rows);
}

void astar_covered_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarCovered *each = grid->covered; each != NULL; each = each->next) {
        int64_t more = each->size - 1;
        if ((width + more) * (height + more) >= LARGE_EDIT)
            each->stale = true;
        else if (!each->stale)
            repair(grid, each, x, y, width, height);
    }
}
