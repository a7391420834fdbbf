// walkable.c -- where a unit can stand, as bits.
//
// Units differ in which terrains they enter; all that enter the same ones share a bitmap. It hangs
// on the grid, so that an edit can repair it on the spot: one cell, one bit, and the components
// beside it. A large fill marks it stale instead, and the next query rebuilds it in one sweep.
//
// Units wider than a cell have the bitmap of those cells at which they fit: that of size 1, their
// base, eroded. All else, components and jumps, is made from it in the same way.

#include "derived/walkable.h"

#include "derived/erode.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

enum { LARGE_EDIT_OF_BITS = 4096 }; // cells from which on a rebuild is cheaper than repairs

// ---- building ----

// Puts a word of a row; true if that sets a bit.
static bool put_word(uint64_t *word, uint64_t value)
{
    bool opens = (value & ~*word) != 0;
    *word = value;
    return opens;
}

// True if that sets a bit.
static bool build_row(const AstarGrid *grid, AstarWalkable *walkable, int y, const uint8_t *enter)
{
    const uint8_t *ground = grid->ground + astar_cell(grid, 0, y);
    uint64_t *row = astar_bits_row(&walkable->bits, y);
    const uint64_t *blocked = grid->blocked.words != NULL ? astar_bits_row(&grid->blocked, y)
                                                          : NULL;
    uint64_t word = 0;
    bool opens = false;
    for (int x = 0; x <= grid->width; x++) {
        unsigned bit = (unsigned)(x + 1) & 63;
        if (bit == 0 || x == grid->width) {
            uint64_t barred = blocked != NULL ? blocked[x >> 6] : 0;
            opens |= put_word(&row[x >> 6], word & ~barred);
            word = 0;
        }
        if (x < grid->width)
            word |= (uint64_t)enter[ground[x]] << bit;
    }
    return opens;
}

static void build_from_base(const AstarGrid *grid, AstarWalkable *walkable)
{
    const AstarWalkable *base = walkable->base;
    astar_layer_build(grid, walkable->base);
    memcpy(walkable->bits.words, base->bits.words, base->bits.count * sizeof *base->bits.words);
    astar_erode(&walkable->bits, grid->height, walkable->size);
    // A square opens only where a cell does.
    walkable->openings += base->openings - walkable->base_openings;
    walkable->base_openings = base->openings;
}

static void build_from_map(const AstarGrid *grid, AstarWalkable *walkable)
{
    uint8_t enter[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        enter[i] = astar_terrain_set_has(&walkable->enterable, i);
    bool opens = false;
    for (int y = 0; y < grid->height; y++)
        opens |= build_row(grid, walkable, y, enter);
    walkable->openings += opens;
}

static void build_walkable(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    if (walkable->base != NULL)
        build_from_base(grid, walkable);
    else
        build_from_map(grid, walkable);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_put(&walkable->components[i]->stale, true);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        if (walkable->jumps[i] != NULL)
            astar_put(&walkable->jumps[i]->stale, true);
    for (AstarJumpBitmaps *each = walkable->irregular_jumps; each != NULL; each = each->next)
        astar_put(&each->stale, true);
}

// ---- what hangs on the bits ----

// Makes the components where there are none, and brings them up to date.
static AstarStatus build_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal)
{
    AstarComponents *components = astar_get(&walkable->components[diagonal]);
    if (components != NULL)
        return astar_components_update(components, &walkable->bits);
    AstarStatus status = astar_components_new(grid, diagonal, &components);
    if (status != ASTAR_OK)
        return status;
    status = astar_components_update(components, &walkable->bits);
    astar_put(&walkable->components[diagonal], components);
    return status;
}

AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out)
{
    *out = astar_get(&walkable->components[diagonal]);
    if (*out != NULL && !astar_get(&(*out)->stale))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_components(grid, walkable, diagonal);
    *out = astar_get(&walkable->components[diagonal]);
    astar_grid_unlock(grid);
    return status;
}

static AstarStatus build_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule)
{
    AstarJumpBitmaps *jump = astar_get(&walkable->jumps[rule]);
    AstarStatus status = ASTAR_OK;
    if (jump == NULL)
        status = astar_jump_new(&grid->allocator, grid->width, grid->height, rule, &jump);
    if (status != ASTAR_OK)
        return status;
    astar_jump_update(jump, &walkable->bits);
    astar_put(&walkable->jumps[rule], jump);
    return ASTAR_OK;
}

AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJumpBitmaps **out)
{
    *out = astar_get(&walkable->jumps[rule]);
    if (*out != NULL && !astar_get(&(*out)->stale))
        return ASTAR_OK;
    astar_grid_lock(grid);
    AstarStatus status = build_jump(grid, walkable, rule);
    *out = astar_get(&walkable->jumps[rule]);
    astar_grid_unlock(grid);
    return status;
}

// ---- edits ----

void astar_walkable_put(AstarWalkable *walkable, int x, int y, bool value)
{
    if (astar_bits_get(&walkable->bits, x, y) == value)
        return;
    astar_bits_put(&walkable->bits, x, y, value);
    walkable->openings += value;
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], &walkable->bits, x, y);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        if (walkable->jumps[i] != NULL)
            astar_jump_edited(walkable->jumps[i], &walkable->bits, x, y);
    for (AstarJumpBitmaps *each = walkable->irregular_jumps; each != NULL; each = each->next)
        astar_jump_edited(each, &walkable->bits, x, y);
}

// After a bit of its base has flipped.
static void repair_squares(const AstarGrid *grid, AstarWalkable *walkable, int x, int y)
{
    AstarSpan spans[ASTAR_MAX_SIZE];
    int size = walkable->size;
    int rows = astar_erode_around(&walkable->base->bits, grid->height, size, x, y, spans);
    for (int i = 0; i < rows; i++)
        for (int column = x - size + 1 > 0 ? x - size + 1 : 0; column <= x; column++)
            astar_walkable_put(walkable, column, y - rows + 1 + i,
                               column >= spans[i].first && column <= spans[i].last);
    walkable->base_openings = walkable->base->openings;
}

static void repair_walkable_cell(const AstarGrid *grid, AstarWalkable *walkable, int x, int y)
{
    bool free = astar_terrain_set_has(&walkable->enterable, grid->ground[astar_cell(grid, x, y)]) &&
                !astar_grid_is_blocked(grid, x, y);
    if (astar_bits_get(&walkable->bits, x, y) == free)
        return;
    astar_walkable_put(walkable, x, y, free);
    for (AstarLayer *each = grid->layers[ASTAR_WALKABLES]; each != NULL; each = each->next)
        if (((AstarWalkable *)each)->base == walkable && !astar_layer_is_stale(each))
            repair_squares(grid, (AstarWalkable *)each, x, y);
}

// Whether an edit changes so many squares that they are better all made anew. One that is so large
// for a base is for all that are built from it.
static bool is_large_for_walkable(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    (void)grid;
    int64_t more = ((const AstarWalkable *)layer)->size - 1;
    return (edit->width + more) * (edit->height + more) >= LARGE_EDIT_OF_BITS;
}

// What is built from a base is repaired with it.
static void repair_walkable(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    AstarWalkable *walkable = layer;
    for (int y = edit->y; y < edit->y + edit->height && walkable->base == NULL; y++)
        for (int x = edit->x; x < edit->x + edit->width; x++)
            repair_walkable_cell(grid, walkable, x, y);
}

// ---- the layer ----

static bool enters_the_same(const void *layer, const void *key)
{
    const AstarWalkable *a = layer, *b = key;
    return a->size == b->size && memcmp(&a->enterable, &b->enterable, sizeof a->enterable) == 0;
}

static bool open_walkable(const AstarGrid *grid, void *layer)
{
    AstarWalkable *walkable = layer;
    walkable->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (walkable->bits.words == NULL || walkable->size == 1)
        return walkable->bits.words != NULL;
    AstarWalkable key = {
        .layer.kind = walkable->layer.kind, .enterable = walkable->enterable, .size = 1};
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
    return bytes;
}

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
};

AstarStatus astar_walkable_acquire(const AstarGrid *grid, const AstarTerrainSet *enterable,
                                   int size, AstarWalkable **out)
{
    AstarWalkable key = {.layer.kind = &walkable_kind, .enterable = *enterable, .size = size};
    *out = astar_layer_acquire(grid, &key);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}
