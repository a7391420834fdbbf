// walkable.c -- where a unit can stand, as bits.
//
// Units differ in which terrains they enter; all that enter the same ones share a bitmap. It hangs
// on the grid, so that an edit can repair it on the spot: one cell, one bit, and the components
// beside it. A large fill marks it stale instead, and the next query rebuilds it in one sweep.

#include "walkable.h"

#include "grid.h"

#include <assert.h>
#include <string.h>

enum {
    SPARES = 4,       // bitmaps kept though no finder uses them, for finders made in passing
    LARGE_EDIT = 4096 // cells from which on a rebuild is cheaper than repairs
};

static void free_walkable(const AstarGrid *grid, AstarWalkable *walkable)
{
    astar_components_free(walkable->components[0]);
    astar_components_free(walkable->components[1]);
    for (int i = 0; i < 4; i++)
        astar_jump_free(walkable->jumps[i]);
    astar_bits_free(&grid->allocator, &walkable->bits);
    astar_release(&grid->allocator, walkable, 1, sizeof *walkable);
}

static AstarStatus new_walkable(AstarGrid *grid, const AstarTerrainSet *enterable,
                                AstarWalkable **out)
{
    AstarWalkable *walkable = astar_alloc(&grid->allocator, 1, sizeof *walkable);
    if (walkable == NULL)
        return ASTAR_NO_MEMORY;
    walkable->bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    if (walkable->bits.words == NULL) {
        free_walkable(grid, walkable);
        return ASTAR_NO_MEMORY;
    }
    walkable->enterable = *enterable;
    walkable->stale = true;
    *out = walkable;
    return ASTAR_OK;
}

// Takes the bitmap for these terrains off the grid's list; NULL when there is none.
static AstarWalkable *unlink_walkable(AstarGrid *grid, const AstarTerrainSet *enterable)
{
    for (AstarWalkable **link = &grid->walkables; *link != NULL; link = &(*link)->next) {
        AstarWalkable *walkable = *link;
        if (memcmp(&walkable->enterable, enterable, sizeof *enterable) == 0) {
            *link = walkable->next;
            return walkable;
        }
    }
    return NULL;
}

static const AstarAttachment attachment = {
    astar_walkables_edited,
    astar_walkables_bytes,
    astar_walkables_free,
};

AstarStatus astar_walkable_acquire(AstarGrid *grid, const AstarTerrainSet *enterable,
                                   AstarWalkable **out)
{
    AstarWalkable *walkable = unlink_walkable(grid, enterable);
    if (walkable == NULL) {
        AstarStatus status = new_walkable(grid, enterable, &walkable);
        if (status != ASTAR_OK)
            return status;
    }
    walkable->next = grid->walkables;
    grid->walkables = walkable;
    grid->attachments[ASTAR_WALKABLES] = &attachment;
    walkable->references++;
    *out = walkable;
    return ASTAR_OK;
}

void astar_walkable_release(AstarGrid *grid, AstarWalkable *walkable)
{
    if (walkable == NULL || --walkable->references > 0)
        return;
    int spares = 0;
    for (AstarWalkable **link = &grid->walkables; *link != NULL;) {
        AstarWalkable *each = *link;
        if (each->references == 0 && ++spares > SPARES) {
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
        AstarWalkable *walkable = grid->walkables;
        assert(walkable->references == 0);
        grid->walkables = walkable->next;
        free_walkable(grid, walkable);
    }
}

size_t astar_walkables_bytes(const AstarGrid *grid)
{
    size_t bytes = 0;
    for (const AstarWalkable *each = grid->walkables; each != NULL; each = each->next) {
        bytes += sizeof *each + each->bits.count * sizeof *each->bits.words;
        for (int i = 0; i < 4; i++)
            bytes += astar_jump_bytes(each->jumps[i]);
        for (int i = 0; i < 2; i++)
            bytes += astar_components_bytes(each->components[i]);
    }
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

void astar_walkable_update(const AstarGrid *grid, AstarWalkable *walkable)
{
    if (!walkable->stale)
        return;
    uint8_t enter[ASTAR_MAX_TERRAINS];
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        enter[i] = astar_terrain_set_has(&walkable->enterable, i);
    bool opens = false;
    for (int y = 0; y < grid->height; y++)
        opens |= build_row(grid, walkable, y, enter);
    walkable->openings += opens;
    walkable->stale = false;
}

AstarStatus astar_walkable_components(const AstarGrid *grid, AstarWalkable *walkable, bool diagonal,
                                      AstarComponents **out)
{
    AstarComponents **components = &walkable->components[diagonal];
    if (*components == NULL) {
        AstarStatus status = astar_components_new(grid, diagonal, components);
        if (status != ASTAR_OK)
            return status;
    }
    *out = *components;
    return astar_components_update(*components, &walkable->bits);
}

AstarStatus astar_walkable_jump(const AstarGrid *grid, AstarWalkable *walkable, AstarDiagonals rule,
                                AstarJump **out)
{
    AstarJump **jump = &walkable->jumps[rule];
    if (*jump == NULL) {
        AstarStatus status = astar_jump_new(&grid->allocator, grid->width, grid->height, rule,
                                            jump);
        if (status != ASTAR_OK)
            return status;
    }
    astar_jump_update(*jump, &walkable->bits);
    *out = *jump;
    return ASTAR_OK;
}

static void repair_cell(const AstarGrid *grid, AstarWalkable *walkable, int x, int y)
{
    bool free = astar_terrain_set_has(&walkable->enterable, grid->ground[astar_cell(grid, x, y)]) &&
                !astar_grid_is_blocked(grid, x, y);
    if (astar_bits_get(&walkable->bits, x, y) == free)
        return;
    astar_bits_put(&walkable->bits, x, y, free);
    walkable->openings += free;
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            astar_components_edited(walkable->components[i], &walkable->bits, x, y);
    for (int i = 0; i < 4; i++)
        if (walkable->jumps[i] != NULL)
            astar_jump_edited(walkable->jumps[i], &walkable->bits, x, y);
}

static void make_stale(AstarWalkable *walkable)
{
    walkable->stale = true;
    for (int i = 0; i < 2; i++)
        if (walkable->components[i] != NULL)
            walkable->components[i]->stale = true;
    for (int i = 0; i < 4; i++)
        if (walkable->jumps[i] != NULL)
            walkable->jumps[i]->stale = true;
}

void astar_walkables_edited(AstarGrid *grid, int x, int y, int width, int height)
{
    for (AstarWalkable *each = grid->walkables; each != NULL; each = each->next) {
        if (each->stale)
            continue;
        if ((int64_t)width * height >= LARGE_EDIT) {
            make_stale(each);
            continue;
        }
        for (int row = y; row < y + height; row++)
            for (int column = x; column < x + width; column++)
                repair_cell(grid, each, column, row);
    }
}
