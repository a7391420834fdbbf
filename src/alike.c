// alike.c -- where a cell and all eight around it cost a unit the same, as bits.
//
// A search over ground of several costs need not look at such a cell to go on through it: see
// expand_runs.c. Terrains that cost the same are one here, so many kinds of grass make one meadow.
//
// Four squares of 2 x 2 cells lie in the 3 x 3 cells around a cell, all with it as a corner; the
// nine are alike if each of the four is. So one sweep finds the squares by comparing neighbours,
// and another ands four of them, a word of cells at a time.

#include "alike.h"

#include "moves.h"
#include "turn.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SPARES = 2,       // kept though no finder uses them
    LARGE_EDIT = 2048 // cells from which on a rebuild is cheaper than repairs
};

static void free_alike(AstarGrid *grid, AstarAlike *alike)
{
    astar_bits_free(&grid->allocator, &alike->rows);
    astar_bits_free(&grid->allocator, &alike->columns);
    astar_walkable_release(grid, alike->walkable);
    astar_covered_release(grid, alike->covered);
    astar_release(&grid->allocator, alike, 1, sizeof *alike);
}

// A terrain that cannot be entered is like no other.
static void classify(const AstarGrid *grid, const double cost[ASTAR_MAX_TERRAINS],
                     uint8_t classes[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        classes[i] = (uint8_t)i;
    for (int i = 0; i < grid->terrain_count; i++)
        for (int like = 0; like < i && classes[i] == i; like++)
            if (cost[like] == cost[i] && isfinite(cost[i]))
                classes[i] = (uint8_t)like;
}

static AstarStatus new_alike(AstarGrid *grid, const AstarAlike *like, AstarAlike **out)
{
    AstarAlike *alike = astar_alloc(&grid->allocator, 1, sizeof *alike);
    if (alike == NULL)
        return ASTAR_NO_MEMORY;
    *alike = *like;
    alike->stale = true;
    alike->walkable->references++;
    if (alike->covered != NULL)
        alike->covered->references++;
    alike->rows = astar_bits_new(&grid->allocator, grid->width, grid->height);
    alike->columns = astar_bits_new(&grid->allocator, grid->height, grid->width);
    if (alike->rows.words == NULL || alike->columns.words == NULL) {
        free_alike(grid, alike);
        return ASTAR_NO_MEMORY;
    }
    alike->next = grid->alikes;
    grid->alikes = alike;
    *out = alike;
    return ASTAR_OK;
}

static bool is_for(const AstarAlike *a, const AstarAlike *b)
{
    return a->walkable == b->walkable && a->covered == b->covered &&
           memcmp(a->classes, b->classes, sizeof a->classes) == 0;
}

static const AstarAttachment attachment = {
    astar_alikes_edited,
    astar_alikes_bytes,
    astar_alikes_free,
};

AstarStatus astar_alike_acquire(AstarGrid *grid, AstarWalkable *walkable, AstarCovered *covered,
                                const double cost[ASTAR_MAX_TERRAINS], AstarAlike **out)
{
    AstarAlike like = {.walkable = walkable, .covered = covered};
    classify(grid, cost, like.classes);
    AstarAlike *alike = grid->alikes;
    while (alike != NULL && !is_for(alike, &like))
        alike = alike->next;
    if (alike == NULL) {
        AstarStatus status = new_alike(grid, &like, &alike);
        if (status != ASTAR_OK)
            return status;
    }
    grid->attachments[ASTAR_ALIKES] = &attachment;
    alike->references++;
    *out = alike;
    return ASTAR_OK;
}

void astar_alike_release(AstarGrid *grid, AstarAlike *alike)
{
    if (alike == NULL || --alike->references > 0)
        return;
    int spares = 0;
    for (AstarAlike **link = &grid->alikes; *link != NULL;) {
        AstarAlike *each = *link;
        if (each->references == 0 && ++spares > SPARES) {
            *link = each->next;
            free_alike(grid, each);
        } else {
            link = &each->next;
        }
    }
}

void astar_alikes_free(AstarGrid *grid)
{
    while (grid->alikes != NULL) {
        AstarAlike *alike = grid->alikes;
        assert(alike->references == 0);
        grid->alikes = alike->next;
        free_alike(grid, alike);
    }
}

size_t astar_alikes_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarAlike *each = grid->alikes; each != NULL; each = each->next)
        bytes += sizeof *each + (each->rows.count + each->columns.count) * sizeof(uint64_t);
    return bytes;
}

// ---- building ----

static const uint8_t *ground_of(const AstarGrid *grid, const AstarAlike *alike)
{
    return alike->covered != NULL ? alike->covered->ground : grid->ground;
}

// Which of 'count' cells have the same class in two lists.
static uint64_t compare(const uint8_t *classes, const uint8_t *a, const uint8_t *b, int count)
{
    uint64_t same = 0;
    for (int i = 0; i < count; i++)
        same |= (uint64_t)(classes[a[i]] == classes[b[i]]) << i;
    return same;
}

// Sets the bits of the cells of a row whose square of 2 x 2 to the south-east is of one class. The
// row below must be there.
static void find_squares(const AstarGrid *grid, AstarAlike *alike, int y)
{
    const uint8_t *here = ground_of(grid, alike) + astar_cell(grid, 0, y);
    const uint8_t *below = here + grid->width;
    const uint64_t *free = astar_bits_row(&alike->walkable->bits, y);
    uint64_t *row = astar_bits_row(&alike->rows, y);
    for (size_t i = 0; i < alike->rows.stride; i++) {
        int bit = i == 0, x = (int)(i << 6) - 1 + bit; // bit 0 of the first word is the border's
        int count = grid->width - x < 64 - bit ? grid->width - x : 64 - bit;
        int pairs = x + count < grid->width ? count : count - 1;
        uint64_t down = compare(alike->classes, here + x, below + x, count) << bit;
        down &= free[i] & free[i + alike->rows.stride];
        row[i] = compare(alike->classes, here + x, here + x + 1, pairs) << bit;
        row[i] &= down & (down >> 1 | (uint64_t)1 << 63);
        if (i > 0 && (down & 1) == 0)
            row[i - 1] &= ~((uint64_t)1 << 63);
    }
}

// Makes the squares whose corners are the cells of a row and the row above into the bits of cells
// amid four of them.
static void join_squares(AstarAlike *alike, int y)
{
    uint64_t *row = astar_bits_row(&alike->rows, y);
    const uint64_t *above = row - alike->rows.stride;
    for (size_t i = alike->rows.stride; i-- > 0;) {
        uint64_t both = row[i] & above[i];
        uint64_t carried = i > 0 ? (row[i - 1] & above[i - 1]) >> 63 : 0;
        row[i] = both & (both << 1 | carried);
    }
}

static uint32_t count_row(const uint64_t *row, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t word = row[i]; word != 0; word &= word - 1)
            count++;
    return count;
}

void astar_alike_update(const AstarGrid *grid, AstarAlike *alike)
{
    if (!alike->stale)
        return;
    int last = grid->height - 1;
    size_t stride = alike->rows.stride;
    for (int y = 0; y < last; y++)
        find_squares(grid, alike, y);
    memset(astar_bits_row(&alike->rows, last), 0, stride * sizeof(uint64_t));
    alike->count = 0;
    for (int y = last; y >= 0; y--) {
        join_squares(alike, y);
        alike->count += count_row(astar_bits_row(&alike->rows, y), stride);
    }
    astar_bits_turn(&alike->rows, grid->height, &alike->columns);
    alike->stale = false;
}

// ---- edits ----

static bool is_alike(const AstarGrid *grid, const AstarAlike *alike, int x, int y)
{
    const AstarBits *free = &alike->walkable->bits;
    if (!astar_bits_get(free, x, y) || astar_bits_around(free, x, y) != 0xFF)
        return false;
    const uint8_t *ground = ground_of(grid, alike) + astar_cell(grid, x, y);
    uint8_t class = alike->classes[*ground];
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if (alike->classes[ground[astar_dy[d] * grid->width + astar_dx[d]]] != class)
            return false;
    return true;
}

static void repair_cell(const AstarGrid *grid, AstarAlike *alike, int x, int y)
{
    bool is = is_alike(grid, alike, x, y);
    if (astar_bits_get(&alike->rows, x, y) == is)
        return;
    astar_bits_put(&alike->rows, x, y, is);
    astar_bits_put(&alike->columns, y, x, is);
    alike->count += is ? 1 : UINT32_MAX;
}

static int at_least(int value, int least)
{
    return value > least ? value : least;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

void astar_alikes_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarAlike *each = grid->alikes; each != NULL; each = each->next) {
        int more = each->walkable->size; // to the west and north, and a cell around
        int first = at_least(x - more, 0), last = at_most(x + width, grid->width - 1);
        int top = at_least(y - more, 0), bottom = at_most(y + height, grid->height - 1);
        each->stale = each->stale || each->walkable->stale ||
                      (each->covered != NULL && each->covered->stale) ||
                      (int64_t)(last - first + 1) * (bottom - top + 1) > LARGE_EDIT;
        for (int row = top; row <= bottom && !each->stale; row++)
            for (int column = first; column <= last; column++)
                repair_cell(grid, each, column, row);
    }
}
