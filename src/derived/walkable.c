// walkable.c -- where a unit can stand, as bits.
//
// Units differ in which terrains they enter and which layers of blocks they ignore; all that enter
// and ignore the same ones share a bitmap. It hangs
// on the grid, so that an edit can repair it on the spot: one cell, one bit, and the components
// beside it. A large fill marks it stale instead, and the next query rebuilds it in one sweep.
//
// Units wider than a cell have the bitmap of those cells at which they fit: that of size 1, their
// base, eroded. All else, components and jumps, is made from it in the same way.

#include "derived/walkable.h"

#include "derived/baked_map.h"
#include "derived/jump_turns.h"
#include "map/blocks.h"

#include <assert.h>
#include <string.h>

enum {
    REBUILT_SHARE = 4, // of the map: from there on all bits are better made anew
    ROWS_A_STRIP = 64  // of a base, eroded at a time
};

// ---- building ----

static void build_row(const AstarGrid *grid, AstarWalkable *walkable, int y, const uint8_t *enter)
{
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    uint64_t *row = astar_bits_row(&walkable->bits, y);
    const uint64_t ignored = walkable->layer.ignored;
    const bool has_blocks = astar_blocks_first(grid, ignored) != NULL;
    uint64_t word = 0;
    for (int x = 0; x <= grid->width; x++) {
        unsigned bit = (unsigned)(x + 1) & 63;
        if (bit == 0 || x == grid->width) {
            size_t place = (size_t)x >> 6;
            uint64_t barred = has_blocks ? astar_blocks_word(grid, ignored, y, place) : 0;
            row[place] = word & ~barred;
            word = 0;
        }
        if (x < grid->width)
            word |= (uint64_t)enter[ground[x]] << bit;
    }
}

// Erodes the next rows of the base. 'strip' has room for them, and for those below that squares
// reach down to; these keep the border's zeros where the map ends.
static void erode_rows(const AstarGrid *grid, AstarWalkable *walkable, AstarBits *strip, int rows)
{
    int y = walkable->layer.built, below = grid->height - y, size = walkable->size;
    int count = rows + size - 1 < below ? rows + size - 1 : below;
    size_t row = walkable->bits.stride * sizeof *strip->words;
    memset(strip->words, 0, strip->count * sizeof *strip->words);
    memcpy(astar_bits_row(strip, 0), astar_bits_row(&walkable->base->bits, y), (size_t)count * row);
    astar_erode(strip, rows + size - 1, size);
    count = rows < below ? rows : below;
    memcpy(astar_bits_row(&walkable->bits, y), astar_bits_row(strip, 0), (size_t)count * row);
    walkable->layer.built += count;
}

static AstarStatus build_from_base(const AstarGrid *grid, AstarWalkable *walkable, int64_t *work)
{
    AstarStatus status = astar_layer_build(grid, walkable->base, work);
    if (status != ASTAR_OK)
        return status;
    int rows = walkable->size + ROWS_A_STRIP;
    rows = rows < grid->height ? rows : grid->height;
    AstarBits strip = astar_bits_new(&grid->allocator, grid->width, rows + walkable->size - 1);
    if (strip.words == NULL)
        return ASTAR_NO_MEMORY;
    while (*work > 0 && walkable->layer.built < grid->height) {
        erode_rows(grid, walkable, &strip, rows);
        *work -= rows * (int64_t)grid->width;
    }
    astar_bits_free(&grid->allocator, &strip);
    return walkable->layer.built < grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

// Builds rows from y on, that many.
static void build_rows(const AstarGrid *grid, AstarWalkable *walkable, int y, int count)
{
    uint8_t enter[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        enter[i] = astar_terrain_set_has(&walkable->enterable, i);
    for (int end = y + count; y < end; y++)
        build_row(grid, walkable, y, enter);
}

static AstarStatus build_from_map(const AstarGrid *grid, AstarWalkable *walkable, int64_t *work)
{
    int32_t *built = &walkable->layer.built;
    int64_t rows = (*work - 1) / grid->width + 1;
    int count = rows < grid->height - *built ? (int)rows : grid->height - *built;
    if (*work < 1)
        return ASTAR_RUNNING;
    build_rows(grid, walkable, *built, count);
    *built += count;
    *work -= count * (int64_t)grid->width;
    return *built < grid->height ? ASTAR_RUNNING : ASTAR_OK;
}

void astar_walkable_outdate(AstarWalkable *walkable)
{
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_outdate(walkable->components[i]);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_outdate(each);
}

static AstarStatus build_walkable(const AstarGrid *grid, void *layer, int64_t *work)
{
    AstarWalkable *walkable = layer;
    if (walkable->layer.built == 0)
        astar_walkable_outdate(walkable);
    return walkable->base != NULL ? build_from_base(grid, walkable, work)
                                  : build_from_map(grid, walkable, work);
}

// ---- what hangs on the bits ----

// Makes the components where there are none, and builds on.
static AstarStatus build_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                    int64_t *work)
{
    AstarComponents *components = astar_get(&walkable->components[diagonal]);
    if (components == NULL) {
        AstarStatus status = astar_components_new(grid, diagonal, &components);
        if (status != ASTAR_OK)
            return status;
        astar_put(&walkable->components[diagonal], components);
    }
    return astar_components_advance(components, &walkable->bits, work);
}

AstarStatus astar_walkable_advance_components(const AstarGrid *grid, AstarWalkable *walkable,
                                              bool diagonal, int64_t *work)
{
    const AstarComponents *components = astar_get(&walkable->components[diagonal]);
    if (components != NULL && !astar_get(&components->stale))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_components(grid, walkable, diagonal, work);
    astar_grid_unlock(grid);
    return status;
}

AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walkable_advance_components(grid, walkable, diagonal, &work);
    *out = astar_get(&walkable->components[diagonal]);
    return status;
}

// Makes the bitmaps where there are none, and builds on.
static AstarStatus build_jump(const AstarGrid *grid, AstarWalkable *walkable,
                              const AstarJumpKey *key, int64_t *work)
{
    AstarJumpBitmaps *jump = astar_get(key->place);
    if (jump == NULL) {
        AstarStatus status = astar_jump_new(&grid->allocator, grid->width, grid->height, key->rule,
                                            &jump);
        if (status != ASTAR_OK)
            return status;
        jump->irregular = key->irregular;
        jump->irregular_columns = key->irregular_columns;
        jump->next = walkable->all_jumps;
        walkable->all_jumps = jump;
        astar_put(key->place, jump);
    }
    return astar_jump_advance(jump, &walkable->bits, work);
}

AstarStatus astar_walkable_advance_jumps(const AstarGrid *grid, AstarWalkable *walkable,
                                         const AstarJumpKey *key, int64_t *work)
{
    if (astar_jump_is_current(astar_get(key->place)))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_jump(grid, walkable, key, work);
    astar_grid_unlock(grid);
    return status;
}

AstarStatus astar_walkable_advance_jump(const AstarGrid *grid, AstarWalkable *walkable,
                                        AstarDiagonals rule, int64_t *work)
{
    AstarJumpKey key = {.place = &walkable->jumps[rule], .rule = rule};
    return astar_walkable_advance_jumps(grid, walkable, &key, work);
}

AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out)
{
    int64_t work = ASTAR_ALL_WORK;
    AstarStatus status = astar_walkable_advance_jump(grid, walkable, rule, &work);
    *out = astar_get(&walkable->jumps[rule]);
    return status;
}

AstarStatus astar_walkable_settle(const AstarGrid *grid, const AstarWalkable *walkable,
                                  AstarJumpBitmaps *jump, int64_t *work)
{
    astar_grid_lock(grid);
    AstarStatus status = astar_dead_ends_advance(jump, &walkable->bits, work);
    astar_grid_unlock(grid);
    return status;
}

// ---- edits ----

void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value)
{
    if (astar_bits_get(&walkable->bits, x, y) == value)
        return;
    astar_bits_put(&walkable->bits, x, y, value);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], x, y, 1, 1);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_edited(each, &walkable->bits, x, y, false);
}

// Some cells, the last ones among them.
typedef struct EditedArea {
    int x0, y0, x1, y1;
} EditedArea;

// Those of 64 cells of a row that can be entered, where a mask asks for it.
static uint64_t enterable_in_word(const AstarGrid *grid, const AstarWalkable *walkable, int y,
                                  size_t word, uint64_t mask)
{
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    uint64_t fits = 0;
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        int bit = astar_lowest_bit(rest), x = (int)(64 * word) + bit - 1;
        fits |= (uint64_t)astar_terrain_set_has(&walkable->enterable, ground[x]) << bit;
    }
    return fits & ~astar_blocks_word(grid, walkable->layer.ignored, y, word);
}

// The bits of up to 64 rows, of one word of each, that are not as they should be; of those inside
// an area. They should be as those of 'like', unless that is NULL.
static void find_flips(const AstarGrid *grid, const AstarWalkable *walkable, const AstarBits *like,
                       const EditedArea *area, int y, int rows, size_t word, uint64_t flips[64])
{
    uint64_t mask = astar_bits_mask(word, (size_t)area->x0 + 1, (size_t)area->x1 + 1);
    if (like == NULL && walkable->base != NULL)
        astar_erode_words(&walkable->base->bits, grid->height, walkable->size, y, rows, word,
                          flips);
    for (int i = 0; i < rows; i++) {
        if (like != NULL)
            flips[i] = astar_bits_row(like, y + i)[word];
        else if (walkable->base == NULL)
            flips[i] = enterable_in_word(grid, walkable, y + i, word, mask);
        flips[i] = (flips[i] ^ astar_bits_row(&walkable->bits, y + i)[word]) & mask;
    }
}

enum { COUNT_FLIPS, FLIP_ONE_BY_ONE, FLIP_AT_ONCE };

// Goes through the bits of an area that are not as they should be, and how many those are. Where
// they flip one by one what hangs on each is repaired.
static int go_through_flips(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                            const EditedArea *area, int how)
{
    const size_t first = (size_t)(area->x0 + 1) >> 6, last = (size_t)(area->x1 + 1) >> 6;
    int count = 0;
    for (int y = area->y0; y <= area->y1; y += 64)
        for (size_t word = first; word <= last; word++) {
            uint64_t flips[64];
            int rows = area->y1 - y < 64 ? area->y1 - y + 1 : 64;
            find_flips(grid, walkable, like, area, y, rows, word, flips);
            for (int i = 0; i < rows; i++) {
                uint64_t *bits = &astar_bits_row(&walkable->bits, y + i)[word], rest = flips[i];
                count += (int)astar_count_bits(rest);
                if (how == FLIP_AT_ONCE)
                    *bits ^= rest;
                for (; how == FLIP_ONE_BY_ONE && rest != 0; rest &= rest - 1)
                    astar_walkable_put(walkable, (int)(64 * word) + astar_lowest_bit(rest) - 1,
                                       y + i, (~*bits & rest & (~rest + 1)) != 0);
            }
        }
    return count;
}

void astar_walkable_copy_area(const AstarGrid *grid, AstarWalkable *walkable, const AstarBits *like,
                              int x, int y, int width, int height, int *most)
{
    EditedArea area = {x, y, x + width - 1, y + height - 1};
    if ((int64_t)width * height <= *most ||
        go_through_flips(grid, walkable, like, &area, COUNT_FLIPS) <= *most) {
        *most -= go_through_flips(grid, walkable, like, &area, FLIP_ONE_BY_ONE);
        return;
    }
    go_through_flips(grid, walkable, like, &area, FLIP_AT_ONCE);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], x, y, width, height);
    for (AstarJumpBitmaps *each = walkable->all_jumps; each != NULL; each = each->next)
        astar_jump_area_edited(each, x, y, width, height);
}

// Makes up for an edit: at the corners of all squares that overlap it.
static void repair_corners(const AstarGrid *grid, AstarWalkable *walkable, const AstarEdit *edit)
{
    int most = ASTAR_MOST_FLIPS, x = astar_greater(edit->x - walkable->size + 1, 0),
        y = astar_greater(edit->y - walkable->size + 1, 0);
    astar_walkable_copy_area(grid, walkable, NULL, x, y, edit->x + edit->width - x,
                             edit->y + edit->height - y, &most);
}

// Whether an edit changes so many squares that they are better all made anew. One that is so large
// for a base is for all that are built from it.
static bool is_large_for_walkable(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    int64_t more = ((const AstarWalkable *)layer)->size - 1;
    return (edit->width + more) * (edit->height + more) > grid->cells / REBUILT_SHARE;
}

// What is built from a base is repaired after it.
static void repair_walkable(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarWalkable *walkable = layer;
    if (walkable->base != NULL)
        return;
    repair_corners(grid, walkable, edit);
    for (AstarLayer *each = grid->layers[ASTAR_WALKABLES]; each != NULL; each = each->next) {
        AstarWalkable *wide = (AstarWalkable *)each;
        if (wide->base == walkable && astar_layer_is_begun(each))
            repair_corners(grid, wide, edit);
    }
}

// ---- the layer ----

static bool enters_the_same(const void *layer, const void *key)
{
    const AstarWalkable *a = layer, *b = key;
    return a->size == b->size && a->layer.ignored == b->layer.ignored &&
           memcmp(&a->enterable, &b->enterable, sizeof a->enterable) == 0;
}

static bool open_walkable(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    walkable->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (walkable->bits.words == NULL || walkable->size == 1)
        return walkable->bits.words != NULL;
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .size = 1};
    walkable->base = astar_layer_take(grid, &key);
    return walkable->base != NULL;
}

void astar_walkable_close(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    for (int i = 0; i < 2; i++)
        astar_components_free(walkable->components[i]);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        astar_jump_free(walkable->jumps[i]);
    if (ASTAR_HAS_BAKING)
        astar_baked_maps_free(grid, walkable);
    astar_bits_free(&grid->allocator, &walkable->bits);
    astar_layer_drop(grid, walkable->base);
}

size_t astar_walkable_bytes(const AstarGrid *grid, const void *layer)
{
    (void)grid;
    const AstarWalkable *walkable = layer;
    size_t bytes = walkable->bits.count * sizeof *walkable->bits.words;
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        bytes += astar_jump_bytes(walkable->jumps[i]);
    for (int i = 0; i < 2; i++)
        bytes += astar_components_bytes(walkable->components[i]);
    for (const AstarBakedMap *each = walkable->baked; each != NULL; each = each->next)
        bytes += ASTAR_HAS_BAKING ? astar_baked_map_bytes(each) : 0;
    return bytes;
}

static void copy_to_equal(AstarGrid *grid, const void *layer);

static const AstarLayerKind walkable_kind = {
    .size = sizeof(AstarWalkable),
    .list = ASTAR_WALKABLES,
    .spares = 4,
    .is_like = enters_the_same,
    .open = open_walkable,
    .close = astar_walkable_close,
    .bytes = astar_walkable_bytes,
    .build = build_walkable,
    .is_outdated = is_large_for_walkable,
    .repair = repair_walkable,
    .copy = copy_to_equal,
};

AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   int size, uint64_t ignored, AstarWalkable **out)
{
    AstarWalkable key = {.layer = {.kind = &walkable_kind, .ignored = ignored},
                         .enterable = *enterable,
                         .size = size};
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

// ---- of an equal grid ----

// Makes one that is stale what another is, with what hangs on the bits and is current.
static void copy_current(const AstarGrid *grid, AstarWalkable *copy, const AstarWalkable *from)
{
    memcpy(copy->bits.words, from->bits.words, from->bits.count * sizeof *from->bits.words);
    for (int i = 0; i < 2; i++)
        copy->components[i] = astar_components_copy(grid, i == 1, from->components[i]);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++) {
        AstarJumpBitmaps *jump = astar_jump_copy((AstarDiagonals)i, from->jumps[i]);
        copy->jumps[i] = jump;
        if (jump == NULL)
            continue;
        jump->next = copy->all_jumps;
        copy->all_jumps = jump;
    }
    astar_put(&copy->layer.stale, false);
}

// A wide one's base is current where it is itself. The grid is read by nobody yet.
static void copy_to_equal(AstarGrid *grid, const void *layer)
{
    const AstarWalkable *from = layer;
    AstarWalkable *copy;
    AstarStatus status = astar_walkable_acquire(grid, &from->enterable, from->size,
                                                from->layer.ignored, &copy);
    if (status != ASTAR_OK)
        return;
    if (copy->base != NULL && astar_layer_is_stale(copy->base))
        copy_current(grid, copy->base, from->base);
    if (astar_layer_is_stale(copy))
        copy_current(grid, copy, from);
    astar_layer_release(grid, copy);
}
