// uniform_areas.c -- where a cell and all eight around it cost a unit the same, as bits.
//
// A search over ground of several costs need not look at such a cell to go on through it: see
// jpsw.c. Terrains that cost the same are one here, so many kinds of grass make one meadow.
//
// Four squares of 2 x 2 cells lie in the 3 x 3 cells around a cell, all with it as a corner; the
// nine cost the same if each of the four does. So one sweep finds the squares by comparing
// neighbours, and another ands four of them, a word of cells at a time.

#include "derived/uniform_areas.h"

#include "base/directions.h"
#include "base/transpose.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SPARE_AREAS = 2,           // kept though no finder uses them
    LARGE_EDIT_OF_AREAS = 2048 // cells from which on a rebuild is cheaper than repairs
};

static void free_areas(AstarGrid *grid, AstarUniformAreas *areas)
{
    astar_bits_free(&grid->allocator, &areas->rows);
    astar_bits_free(&grid->allocator, &areas->columns);
    astar_walkable_drop(grid, areas->walkable);
    if (areas->footprints != NULL)
        astar_footprints_drop(grid, areas->footprints);
    astar_release(&grid->allocator, areas, 1, sizeof *areas);
}

// A terrain that cannot be entered is like no other.
static void classify(const AstarGrid *grid, const double *cost, uint8_t classes[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        classes[i] = (uint8_t)i;
    for (int i = 0; i < grid->terrain_count; i++)
        for (int like = 0; like < i && classes[i] == i; like++)
            if (cost[like] == cost[i] && isfinite(cost[i]))
                classes[i] = (uint8_t)like;
}

static AstarStatus new_areas(AstarGrid *grid, const AstarUniformAreas *like,
                             AstarUniformAreas **out)
{
    AstarUniformAreas *areas = astar_alloc(&grid->allocator, 1, sizeof *areas);
    if (areas == NULL)
        return ASTAR_NO_MEMORY;
    *areas = *like;
    astar_put(&areas->stale, true);
    areas->walkable->references++;
    if (areas->footprints != NULL)
        areas->footprints->references++;
    areas->rows = astar_bits_new(&grid->allocator, grid->width, grid->height);
    areas->columns = astar_bits_new(&grid->allocator, grid->height, grid->width);
    if (areas->rows.words == NULL || areas->columns.words == NULL) {
        free_areas(grid, areas);
        return ASTAR_NO_MEMORY;
    }
    areas->next = grid->uniform_areas;
    grid->uniform_areas = areas;
    *out = areas;
    return ASTAR_OK;
}

static bool is_for(const AstarUniformAreas *a, const AstarUniformAreas *b)
{
    return a->walkable == b->walkable && a->footprints == b->footprints &&
           memcmp(a->classes, b->classes, sizeof a->classes) == 0;
}

static const AstarAttachment uniform_areas_attachment = {
    astar_uniform_areas_edited,
    astar_uniform_areas_bytes,
    astar_uniform_areas_free,
};

AstarStatus astar_uniform_areas_acquire(AstarGrid *grid, AstarWalkable *walkable,
                                        AstarFootprints *footprints, const double *cost,
                                        AstarUniformAreas **out)
{
    AstarUniformAreas like = {.walkable = walkable, .footprints = footprints};
    classify(grid, cost, like.classes);
    astar_grid_lock(grid);
    AstarStatus status = ASTAR_OK;
    AstarUniformAreas *areas = grid->uniform_areas;
    while (areas != NULL && !is_for(areas, &like))
        areas = areas->next;
    if (areas == NULL)
        status = new_areas(grid, &like, &areas);
    if (status == ASTAR_OK) {
        grid->attachments[ASTAR_UNIFORM_AREAS] = &uniform_areas_attachment;
        areas->references++;
        *out = areas;
    }
    astar_grid_unlock(grid);
    return status;
}

static void drop_areas(AstarGrid *grid, AstarUniformAreas *areas)
{
    if (--areas->references > 0)
        return;
    int spares = 0;
    for (AstarUniformAreas **link = &grid->uniform_areas; *link != NULL;) {
        AstarUniformAreas *each = *link;
        if (each->references == 0 && ++spares > SPARE_AREAS) {
            *link = each->next;
            free_areas(grid, each);
        } else {
            link = &each->next;
        }
    }
}

void astar_uniform_areas_release(AstarGrid *grid, AstarUniformAreas *areas)
{
    if (areas == NULL)
        return;
    astar_grid_lock(grid);
    drop_areas(grid, areas);
    astar_grid_unlock(grid);
}

void astar_uniform_areas_free(AstarGrid *grid)
{
    while (grid->uniform_areas != NULL) {
        AstarUniformAreas *areas = grid->uniform_areas;
        assert(areas->references == 0);
        grid->uniform_areas = areas->next;
        free_areas(grid, areas);
    }
}

size_t astar_uniform_areas_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarUniformAreas *each = grid->uniform_areas; each != NULL; each = each->next)
        bytes += sizeof *each + (each->rows.count + each->columns.count) * sizeof(uint64_t);
    return bytes;
}

// ---- building ----

static const uint8_t *ground_of(const AstarGrid *grid, const AstarUniformAreas *areas)
{
    return areas->footprints != NULL ? areas->footprints->ground : grid->ground;
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
static void find_squares(const AstarGrid *grid, AstarUniformAreas *areas, int y)
{
    const uint8_t *here = ground_of(grid, areas) + astar_cell(grid, 0, y);
    const uint8_t *below = here + grid->width;
    const uint64_t *free = astar_bits_row(&areas->walkable->bits, y);
    uint64_t *row = astar_bits_row(&areas->rows, y);
    for (size_t i = 0; i < areas->rows.stride; i++) {
        int bit = i == 0, x = (int)(i << 6) - 1 + bit; // bit 0 of the first word is the border's
        int count = grid->width - x < 64 - bit ? grid->width - x : 64 - bit;
        int pairs = x + count < grid->width ? count : count - 1;
        uint64_t down = compare(areas->classes, here + x, below + x, count) << bit;
        down &= free[i] & free[i + areas->rows.stride];
        row[i] = compare(areas->classes, here + x, here + x + 1, pairs) << bit;
        row[i] &= down & (down >> 1 | (uint64_t)1 << 63);
        if (i > 0 && (down & 1) == 0)
            row[i - 1] &= ~((uint64_t)1 << 63);
    }
}

// Makes the squares whose corners are the cells of a row and the row above into the bits of cells
// amid four of them.
static void join_squares(AstarUniformAreas *areas, int y)
{
    uint64_t *row = astar_bits_row(&areas->rows, y);
    const uint64_t *above = row - areas->rows.stride;
    for (size_t i = areas->rows.stride; i-- > 0;) {
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

static void build_areas(const AstarGrid *grid, AstarUniformAreas *areas)
{
    int last = grid->height - 1;
    size_t stride = areas->rows.stride;
    for (int y = 0; y < last; y++)
        find_squares(grid, areas, y);
    memset(astar_bits_row(&areas->rows, last), 0, stride * sizeof(uint64_t));
    areas->count = 0;
    for (int y = last; y >= 0; y--) {
        join_squares(areas, y);
        areas->count += count_row(astar_bits_row(&areas->rows, y), stride);
    }
    astar_bits_turn(&areas->rows, grid->height, &areas->columns);
    astar_put(&areas->stale, false);
}

void astar_uniform_areas_update(const AstarGrid *grid, AstarUniformAreas *areas)
{
    if (!astar_get(&areas->stale))
        return;
    astar_grid_lock(grid);
    if (astar_get(&areas->stale))
        build_areas(grid, areas);
    astar_grid_unlock(grid);
}

// ---- edits ----

static bool is_uniform_around(const AstarGrid *grid, const AstarUniformAreas *areas, int x, int y)
{
    const AstarBits *free = &areas->walkable->bits;
    if (!astar_bits_get(free, x, y) || astar_bits_around(free, x, y) != 0xFF)
        return false;
    const uint8_t *ground = ground_of(grid, areas) + astar_cell(grid, x, y);
    uint8_t class = areas->classes[*ground];
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        if (areas->classes[ground[astar_dy[d] * grid->width + astar_dx[d]]] != class)
            return false;
    return true;
}

static void repair_uniform_cell(const AstarGrid *grid, AstarUniformAreas *areas, int x, int y)
{
    bool is = is_uniform_around(grid, areas, x, y);
    if (astar_bits_get(&areas->rows, x, y) == is)
        return;
    astar_bits_put(&areas->rows, x, y, is);
    astar_bits_put(&areas->columns, y, x, is);
    areas->count += is ? 1 : UINT32_MAX;
}

static int at_least(int value, int least)
{
    return value > least ? value : least;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

void astar_uniform_areas_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarUniformAreas *each = grid->uniform_areas; each != NULL; each = each->next) {
        int more = each->walkable->size; // to the west and north, and a cell around
        int first = at_least(x - more, 0), last = at_most(x + width, grid->width - 1);
        int top = at_least(y - more, 0), bottom = at_most(y + height, grid->height - 1);
        bool is_stale = astar_get(&each->stale) || astar_get(&each->walkable->stale) ||
                        (each->footprints != NULL && astar_get(&each->footprints->stale)) ||
                        (int64_t)(last - first + 1) * (bottom - top + 1) > LARGE_EDIT_OF_AREAS;
        astar_put(&each->stale, is_stale);
        for (int row = top; row <= bottom && !is_stale; row++)
            for (int column = first; column <= last; column++)
                repair_uniform_cell(grid, each, column, row);
    }
}
