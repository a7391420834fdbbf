// walkable.c -- where a unit can stand, as bits.
//
// Units differ in which terrains they enter; all that enter the same ones share a bitmap. It hangs
// on the grid, so that an edit can repair it on the spot: one cell, one bit, and the components
// beside it. A large fill marks it stale instead, and the next query rebuilds it in one sweep.
//
// Readers may be many: what they find stale or missing one of them makes, with the grid locked, and
// publishes; the lists and counts of references change under the lock alone.
//
// Units wider than a cell have the bitmap of those cells at which they fit: that of size 1, their
// base, eroded. All else, components and jumps, is made from it in the same way.

#include "derived/walkable.h"

#include "derived/erode.h"
#include "map/grid.h"

#include <assert.h>
#include <string.h>

enum {
    SPARE_BITMAPS = 4, // bitmaps kept though no finder uses them, for finders made in passing
    LARGE_EDIT_OF_BITS = 4096 // cells from which on a rebuild is cheaper than repairs
};

static AstarStatus acquire_walkable(AstarGrid *grid, const AstarTerrainSet *enterable, int size,
                                    AstarWalkable **out);

static void free_walkable(const AstarGrid *grid, AstarWalkable *walkable)
{
    if (walkable->base != NULL)
        walkable->base->references--;
    astar_components_free(walkable->components[0]);
    astar_components_free(walkable->components[1]);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        astar_jump_free(walkable->jumps[i]);
    astar_bits_free(&grid->allocator, &walkable->bits);
    astar_release(&grid->allocator, walkable, 1, sizeof *walkable);
}

static AstarStatus new_walkable(AstarGrid *grid, const AstarTerrainSet *enterable, int size,
                                AstarWalkable **out)
{
    AstarWalkable *walkable = astar_alloc(&grid->allocator, 1, sizeof *walkable);
    if (walkable == NULL)
        return ASTAR_NO_MEMORY;
    walkable->enterable = *enterable;
    walkable->size = size;
    astar_put(&walkable->stale, true);
    walkable->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    AstarStatus status = walkable->bits.words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    if (status == ASTAR_OK && size > 1)
        status = acquire_walkable(grid, enterable, 1, &walkable->base);
    if (status != ASTAR_OK) {
        free_walkable(grid, walkable);
        return status;
    }
    *out = walkable;
    return ASTAR_OK;
}

// Takes the bitmap for these terrains and this size off the grid's list; NULL when there is none.
static AstarWalkable *unlink_walkable(AstarGrid *grid, const AstarTerrainSet *enterable, int size)
{
    for (AstarWalkable **link = &grid->walkables; *link != NULL; link = &(*link)->next) {
        AstarWalkable *walkable = *link;
        if (walkable->size == size &&
            memcmp(&walkable->enterable, enterable, sizeof *enterable) == 0) {
            *link = walkable->next;
            return walkable;
        }
    }
    return NULL;
}

static const AstarAttachment walkables_attachment = {
    astar_walkables_edited,
    astar_walkables_bytes,
    astar_walkables_free,
};

static AstarStatus acquire_walkable(AstarGrid *grid, const AstarTerrainSet *enterable, int size,
                                    AstarWalkable **out)
{
    AstarWalkable *walkable = unlink_walkable(grid, enterable, size);
    if (walkable == NULL) {
        AstarStatus status = new_walkable(grid, enterable, size, &walkable);
        if (status != ASTAR_OK)
            return status;
    }
    walkable->next = grid->walkables;
    grid->walkables = walkable;
    grid->attachments[ASTAR_WALKABLES] = &walkables_attachment;
    walkable->references++;
    *out = walkable;
    return ASTAR_OK;
}

AstarStatus astar_walkable_acquire(AstarGrid *grid, const AstarTerrainSet *enterable, int size,
                                   AstarWalkable **out)
{
    astar_grid_lock(grid);
    AstarStatus status = acquire_walkable(grid, enterable, size, out);
    astar_grid_unlock(grid);
    return status;
}

void astar_walkable_release(AstarGrid *grid, AstarWalkable *walkable)
{
    if (walkable == NULL)
        return;
    astar_grid_lock(grid); // for the count of its base, too
    if (walkable->is_private)
        free_walkable(grid, walkable);
    else
        astar_walkable_drop(grid, walkable);
    astar_grid_unlock(grid);
}

void astar_walkable_drop(AstarGrid *grid, AstarWalkable *walkable)
{
    if (--walkable->references > 0)
        return;
    int spares = 0;
    for (AstarWalkable **link = &grid->walkables; *link != NULL;) {
        AstarWalkable *each = *link;
        if (each->references == 0 && ++spares > SPARE_BITMAPS) {
            *link = each->next;
            free_walkable(grid, each);
        } else {
            link = &each->next;
        }
    }
}

void astar_walkables_free(AstarGrid *grid)
{
    while (grid->walkables != NULL) {
        AstarWalkable **link = &grid->walkables;
        while ((*link)->references > 0) // the base of a later one, which must go first
            link = &(*link)->next;
        AstarWalkable *walkable = *link;
        *link = walkable->next;
        free_walkable(grid, walkable);
    }
}

size_t astar_walkable_bytes(const AstarWalkable *walkable)
{
    size_t bytes = sizeof *walkable + walkable->bits.count * sizeof *walkable->bits.words;
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        bytes += astar_jump_bytes(walkable->jumps[i]);
    for (int i = 0; i < 2; i++)
        bytes += astar_components_bytes(walkable->components[i]);
    return bytes;
}

size_t astar_walkables_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarWalkable *each = grid->walkables; each != NULL; each = each->next)
        bytes += astar_walkable_bytes(each);
    return bytes;
}

// ---- keeping the bits current ----

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

static void copy_bits(AstarBits *to, const AstarBits *from)
{
    memcpy(to->words, from->words, from->count * sizeof *from->words);
}

static void update_walkable(const AstarGrid *grid, AstarWalkable *walkable);

static void build_from_base(const AstarGrid *grid, AstarWalkable *walkable)
{
    update_walkable(grid, walkable->base);
    copy_bits(&walkable->bits, &walkable->base->bits);
    astar_erode(&walkable->bits, grid->height, walkable->size);
    // A square opens only where a cell does.
    walkable->openings += walkable->base->openings - walkable->base_openings;
    walkable->base_openings = walkable->base->openings;
    astar_put(&walkable->stale, false);
}

static void update_walkable(const AstarGrid *grid, AstarWalkable *walkable)
{
    if (!astar_get(&walkable->stale))
        return;
    if (walkable->base != NULL) {
        build_from_base(grid, walkable);
        return;
    }
    uint8_t enter[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        enter[i] = astar_terrain_set_has(&walkable->enterable, i);
    bool opens = false;
    for (int y = 0; y < grid->height; y++)
        opens |= build_row(grid, walkable, y, enter);
    walkable->openings += opens;
    astar_put(&walkable->stale, false);
}

void astar_walkable_update(const AstarGrid *grid, AstarWalkable *walkable)
{
    if (!astar_get(&walkable->stale))
        return;
    astar_grid_lock(grid);
    update_walkable(grid, walkable);
    astar_grid_unlock(grid);
}

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
    for (AstarWalkable *each = grid->walkables; each != NULL; each = each->next)
        if (each->base == walkable && !astar_get(&each->stale))
            repair_squares(grid, each, x, y);
}

static void make_stale(AstarWalkable *walkable)
{
    astar_put(&walkable->stale, true);
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_put(&walkable->components[i]->stale, true);
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++)
        if (walkable->jumps[i] != NULL)
            astar_put(&walkable->jumps[i]->stale, true);
}

// Whether an edit of a rectangle changes so many squares that they are better all made anew.
static bool is_large(const AstarWalkable *walkable, int width, int height)
{
    int64_t more = walkable->size - 1;
    return (width + more) * (height + more) >= LARGE_EDIT_OF_BITS;
}

void astar_walkables_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    // A large edit to a base is one to all that are made from it.
    for (AstarWalkable *each = grid->walkables; each != NULL; each = each->next)
        if (!astar_get(&each->stale) && is_large(each, width, height))
            make_stale(each);
    for (AstarWalkable *each = grid->walkables; each != NULL; each = each->next) {
        if (astar_get(&each->stale) || each->base != NULL)
            continue;
        for (int row = y; row < y + height; row++)
            for (int column = x; column < x + width; column++)
                repair_walkable_cell(grid, each, column, row);
    }
}
