// chunk_edits.c -- what is put on a world's chunks: ground laid over a rectangle, blocks, and what
// stands in a chunk as it comes from the host.

#include "world/world.h"

static bool is_loaded(const AstarChunk *chunk)
{
    return chunk->is_asked && !chunk->is_absent;
}

bool astar_world_is_loaded(const AstarWorld *world, int32_t cx, int32_t cy)
{
    const AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    return chunk != NULL && is_loaded(chunk);
}

static bool is_rectangle(int32_t x, int32_t y, int width, int height)
{
    return width >= 1 && height >= 1 && astar_is_of_world(x, y) &&
           astar_is_of_world((int64_t)x + width - 1, (int64_t)y + height - 1);
}

// The part of a rectangle that lies in a chunk, as that counts its cells.
static AstarWorldEdit part_in_chunk(AstarWorldEdit all, int32_t cx, int32_t cy)
{
    int32_t x = cx * ASTAR_CHUNK_SIDE, y = cy * ASTAR_CHUNK_SIDE, last = ASTAR_CHUNK_SIDE - 1;
    return astar_cells_shared((AstarWorldEdit){all.x0 - x, all.y0 - y, all.x1 - x, all.y1 - y},
                              (AstarWorldEdit){0, 0, last, last});
}

// Notes that cells of a chunk are others now.
static void part_edited(AstarWorld *world, int32_t cx, int32_t cy, AstarWorldEdit part)
{
    int32_t x = cx * ASTAR_CHUNK_SIDE, y = cy * ASTAR_CHUNK_SIDE;
    astar_world_edited(world, x + part.x0, y + part.y0, x + part.x1, y + part.y1);
}

static AstarStatus fill_in_chunk(AstarWorld *world, AstarChunk *chunk, AstarWorldEdit part,
                                 uint8_t terrain)
{
    bool changes = false;
    for (int y = 0; y < ASTAR_CHUNK_SIDE; y++) {
        uint8_t *row = world->cells + y * ASTAR_CHUNK_SIDE;
        astar_chunk_row(chunk, 0, y, ASTAR_CHUNK_SIDE, row);
        for (int x = part.x0; y >= part.y0 && y <= part.y1 && x <= part.x1; x++) {
            changes |= row[x] != terrain;
            row[x] = terrain;
        }
    }
    AstarStatus status = changes ? astar_chunk_pack(world, chunk, world->cells) : ASTAR_OK;
    if (!changes || status != ASTAR_OK)
        return status;
    chunk->is_edited = true;
    chunk->is_kept = false;
    if (world->options.save == NULL) // edited chunks that cannot be saved are never the oldest
        astar_plot_unlink(&chunk->plot);
    part_edited(world, chunk->plot.i, chunk->plot.j, part);
    return ASTAR_OK;
}

AstarStatus astar_world_read(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                             void *context, uint8_t *terrains)
{
    if (!is_rectangle(x, y, width, height))
        return ASTAR_BAD_CELL;
    AstarWorldEdit all = {x, y, x + width - 1, y + height - 1};
    int32_t cx1 = astar_chunk_of(all.x1), cy1 = astar_chunk_of(all.y1);
    world->tick += !world->is_asking; // what has come for this stays
    for (int32_t cy = astar_chunk_of(y); cy <= cy1; cy++)
        for (int32_t cx = astar_chunk_of(x); cx <= cx1; cx++) {
            AstarChunk *chunk = astar_world_chunk(world, cx, cy);
            if (world->is_asking && (terrains == NULL || chunk == NULL || !chunk->is_asked))
                return ASTAR_GRID_CHANGED;
            AstarStatus status = astar_world_need(world, cx, cy, context, &chunk);
            if (status == ASTAR_OK && terrains == NULL && !is_loaded(chunk))
                status = ASTAR_NOT_LOADED;
            if (status != ASTAR_OK)
                return status;
            AstarWorldEdit part = part_in_chunk(all, cx, cy);
            for (int row = part.y0; terrains != NULL && row <= part.y1; row++)
                astar_chunk_row(chunk, part.x0, row, part.x1 - part.x0 + 1,
                                terrains +
                                    (size_t)(cy * ASTAR_CHUNK_SIDE + row - y) * (size_t)width +
                                    (size_t)(cx * ASTAR_CHUNK_SIDE + part.x0 - x));
        }
    return ASTAR_OK;
}

AstarStatus astar_world_fill(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                             int terrain, void *context)
{
    if (terrain < 0 || terrain >= astar_grid_terrain_count(world->palette))
        return ASTAR_BAD_OPTION;
    AstarStatus status = astar_world_load(world, x, y, width, height, context);
    if (status != ASTAR_OK)
        return status;
    AstarWorldEdit all = {x, y, x + width - 1, y + height - 1};
    int32_t cx1 = astar_chunk_of(all.x1), cy1 = astar_chunk_of(all.y1);
    for (int32_t cy = astar_chunk_of(y); cy <= cy1; cy++)
        for (int32_t cx = astar_chunk_of(x); status == ASTAR_OK && cx <= cx1; cx++)
            status = fill_in_chunk(world, astar_world_chunk(world, cx, cy),
                                   part_in_chunk(all, cx, cy), (uint8_t)terrain);
    return status;
}

// ---- blocks ----

// Puts the blocks of the part of a rectangle that lies in one chunk; true where any changed.
static bool put_chunk_blocks(AstarChunk *chunk, int x0, int y0, int x1, int y1, bool blocked)
{
    bool changed = false;
    uint64_t mask = (UINT64_MAX >> (63 - (x1 - x0))) << x0;
    for (int y = y0; y <= y1; y++) {
        uint64_t put = blocked ? chunk->blocks[y] | mask : chunk->blocks[y] & ~mask;
        changed |= put != chunk->blocks[y];
        chunk->blocks[y] = put;
    }
    return changed;
}

// Puts the blocks of the part of a rectangle that lies in a chunk, whose rows are there.
static void block_in_chunk(AstarWorld *world, int32_t cx, int32_t cy, AstarWorldEdit all,
                           bool blocked)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    if (chunk == NULL || chunk->blocks == NULL)
        return;
    AstarWorldEdit part = part_in_chunk(all, cx, cy);
    if (!put_chunk_blocks(chunk, part.x0, part.y0, part.x1, part.y1, blocked))
        return;
    astar_world_note_furnished(world, cx, cy);
    part_edited(world, cx, cy, part);
}

AstarStatus astar_world_block(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                              bool blocked)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!is_rectangle(x, y, width, height))
        return ASTAR_BAD_CELL;
    AstarWorldEdit all = {x, y, x + width - 1, y + height - 1};
    int32_t cx0 = astar_chunk_of(all.x0), cx1 = astar_chunk_of(all.x1);
    int32_t cy0 = astar_chunk_of(all.y0), cy1 = astar_chunk_of(all.y1);
    for (int32_t cy = cy0; cy <= cy1; cy++)
        for (int32_t cx = cx0; cx <= cx1; cx++) {
            if (!astar_world_is_loaded(world, cx, cy))
                return ASTAR_NOT_LOADED;
            if (blocked && astar_world_need_array(world, cx, cy, false) != ASTAR_OK)
                return ASTAR_NO_MEMORY;
        }
    for (int32_t cy = cy0; cy <= cy1; cy++)
        for (int32_t cx = cx0; cx <= cx1; cx++)
            block_in_chunk(world, cx, cy, all, blocked);
    return ASTAR_OK;
}

bool astar_world_is_blocked(const AstarWorld *world, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(x), astar_chunk_of(y));
    return chunk != NULL && chunk->blocks != NULL &&
           (chunk->blocks[astar_in_chunk(y)] >> astar_in_chunk(x) & 1) != 0;
}

// ---- what stands in a chunk ----

enum { IS_BLOCK = 2, ARE_WALLS = 0x55 };

void astar_world_note_furnished(AstarWorld *world, int32_t cx, int32_t cy)
{
    if (!astar_world_is_loaded(world, cx, cy))
        return;
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    chunk->is_edited |= world->options.save != NULL;
    chunk->is_kept = false;
}

void astar_world_furniture(const AstarWorld *world, int32_t cx, int32_t cy, uint8_t *cells)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    memset(cells, 0, ASTAR_CHUNK_CELLS);
    if (chunk != NULL)
        chunk->is_kept |= chunk == world->saving;
    if (chunk != NULL && chunk->walls != NULL)
        memcpy(cells, chunk->walls, ASTAR_CHUNK_CELLS);
    for (int i = 0; chunk != NULL && chunk->blocks != NULL && i < ASTAR_CHUNK_CELLS; i++)
        if ((chunk->blocks[i >> ASTAR_CHUNK_BITS] >> (i & (ASTAR_CHUNK_SIDE - 1)) & 1) != 0)
            cells[i] |= IS_BLOCK;
}

AstarStatus astar_world_furnish(AstarWorld *world, int32_t cx, int32_t cy, const uint8_t *cells)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    AstarStatus status = ASTAR_OK;
    if (!world->is_asking || chunk != NULL) // what stands in it is the world's own
        return ASTAR_OK;
    for (int i = 0; i < ASTAR_CHUNK_CELLS && status == ASTAR_OK; i++) {
        bool is_block = (cells[i] & IS_BLOCK) != 0, is_wall = (cells[i] & ARE_WALLS) != 0;
        if (is_block)
            status = astar_world_need_array(world, cx, cy, false);
        if (is_wall && status == ASTAR_OK)
            status = astar_world_need_array(world, cx, cy, true);
        chunk = astar_world_chunk(world, cx, cy);
        if (is_block && status == ASTAR_OK)
            chunk->blocks[i >> ASTAR_CHUNK_BITS] |= UINT64_C(1) << (i & (ASTAR_CHUNK_SIDE - 1));
        if (is_wall && status == ASTAR_OK)
            chunk->walls[i] |= cells[i] & ARE_WALLS;
    }
    return status;
}
