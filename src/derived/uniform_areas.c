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

#include <math.h>
#include <string.h>

enum { LARGE_EDIT_OF_AREAS = 2048 }; // cells from which on a rebuild is cheaper than repairs

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

static void build_areas(const AstarGrid *grid, void *layer)
{
    AstarUniformAreas *areas = layer;
    astar_layer_build(grid, areas->walkable);
    if (areas->footprints != NULL)
        astar_layer_build(grid, areas->footprints);
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

// The cells whose bits may change: to the west and north as far as a unit there covers, and one
// more on all sides.
static AstarEdit changed_by(const AstarGrid *grid, const AstarUniformAreas *areas,
                            const AstarEdit *edit)
{
    int more = areas->walkable->size;
    int x0 = at_least(edit->x - more, 0), x1 = at_most(edit->x + edit->width, grid->width - 1);
    int y0 = at_least(edit->y - more, 0), y1 = at_most(edit->y + edit->height, grid->height - 1);
    return (AstarEdit){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

static bool is_large_for_areas(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    const AstarUniformAreas *areas = layer;
    AstarEdit changed = changed_by(grid, areas, edit);
    return astar_layer_is_stale(areas->walkable) ||
           (areas->footprints != NULL && astar_layer_is_stale(areas->footprints)) ||
           (int64_t)changed.width * changed.height > LARGE_EDIT_OF_AREAS;
}

static void repair_areas(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarEdit changed = changed_by(grid, layer, edit);
    for (int y = changed.y; y < changed.y + changed.height; y++)
        for (int x = changed.x; x < changed.x + changed.width; x++)
            repair_uniform_cell(grid, layer, x, y);
}

// ---- the layer ----

static bool is_same_mask(const void *layer, const void *key)
{
    const AstarUniformAreas *a = layer, *b = key;
    return a->walkable == b->walkable && a->footprints == b->footprints &&
           memcmp(a->classes, b->classes, sizeof a->classes) == 0;
}

static bool open_areas(const AstarGrid *grid, void *layer)
{
    AstarUniformAreas *areas = layer;
    areas->walkable->layer.references++;
    if (areas->footprints != NULL)
        areas->footprints->layer.references++;
    areas->rows = astar_bits_new(&grid->allocator, grid->width, grid->height);
    areas->columns = astar_bits_new(&grid->allocator, grid->height, grid->width);
    return areas->rows.words != NULL && areas->columns.words != NULL;
}

static void close_areas(const AstarGrid *grid, void *layer)
{
    AstarUniformAreas *areas = layer;
    astar_bits_free(&grid->allocator, &areas->rows);
    astar_bits_free(&grid->allocator, &areas->columns);
    astar_layer_drop(grid, areas->walkable);
    astar_layer_drop(grid, areas->footprints);
}

static size_t areas_bytes(const AstarGrid *grid, const void *layer)
{
    (void)grid;
    const AstarUniformAreas *areas = layer;
    return (areas->rows.count + areas->columns.count) * sizeof(uint64_t);
}

static const AstarLayerKind areas_kind = {
    .size = sizeof(AstarUniformAreas),
    .list = ASTAR_UNIFORM_AREAS,
    .spares = 2,
    .is_like = is_same_mask,
    .open = open_areas,
    .close = close_areas,
    .bytes = areas_bytes,
    .build = build_areas,
    .is_outdated = is_large_for_areas,
    .repair = repair_areas,
};

AstarStatus astar_uniform_areas_acquire(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarFootprints *footprints, const double *cost,
                                        AstarUniformAreas **out)
{
    AstarUniformAreas key = {
        .layer.kind = &areas_kind, .walkable = walkable, .footprints = footprints};
    classify(grid, cost, key.classes);
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}
