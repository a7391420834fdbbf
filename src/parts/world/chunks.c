// chunks.c -- the chunks of a world: loading them from the program, packing, editing, saving and
// unloading.
//
// A cell of a chunk takes as few bits as the number of terrains in the chunk allows. Caves with two
// terrains take 1 / 8 byte per cell. Blocks, walls and restrictions of cells belong to the chunk as
// well. They are unloaded together with the ground only if the program has stored them. Otherwise
// the world keeps them.

#include "parts/world/chunks.h"

#include "parts/world/plots.h"
#include "parts/world/squares.h"
#include "parts/world/world.h"

#include <assert.h>
#include <math.h>

// The functions below pack and unpack the ground of a chunk, which is the terrain of its cells.

static size_t ground_bytes(int bits)
{
    return (size_t)ASTAR_CHUNK_CELLS / 8 * (size_t)bits;
}

// Unpacks a row of a chunk with two terrains, eight cells at a time. Each cell has one bit, which
// is moved to the lowest bit of a byte and then selects one of the two terrains.
static void unpack_two_kinds(const AstarChunk *chunk, int y, uint8_t *out)
{
    static const uint8_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = UINT64_C(0x0101010101010101), below_top = ones * 127;
    const uint8_t *row = chunk->ground + (size_t)y * (ASTAR_CHUNK_SIDE / 8);
    uint64_t first = ones * chunk->palette[0], mask, cells;
    uint64_t other = (uint64_t)(chunk->palette[0] ^ chunk->palette[1]);
    memcpy(&mask, bits, sizeof mask);
    for (int i = 0; i < ASTAR_CHUNK_SIDE / 8; i++) {
        uint64_t set = ((row[i] * ones & mask) + below_top) >> 7 & ones;
        cells = first ^ set * other;
        memcpy(out + 8 * i, &cells, sizeof cells);
    }
}

void astar_chunk_row(const AstarChunk *chunk, int x, int y, int count, uint8_t *out)
{
    int bits = chunk->bits;
    size_t at = (size_t)y * ASTAR_CHUNK_SIDE + (size_t)x;
    if (bits == 0) {
        memset(out, chunk->palette[0], (size_t)count);
    } else if (bits == 1) {
        uint8_t row[ASTAR_CHUNK_SIDE];
        unpack_two_kinds(chunk, y, row);
        memcpy(out, row + x, (size_t)count);
    } else if (bits == 8) {
        memcpy(out, chunk->ground + at, (size_t)count);
    } else {
        unsigned mask = (1u << bits) - 1;
        for (int i = 0; i < count; i++, at++) {
            size_t bit = at * (size_t)bits;
            out[i] = chunk->palette[(unsigned)chunk->ground[bit >> 3] >> (bit & 7) & mask];
        }
    }
}

// Lists the terrains of a chunk's cells in 'kinds', and writes the position of each terrain in this
// list to 'places'. Returns the number of terrains.
static int list_kinds(const uint8_t *cells, uint8_t kinds[256], uint8_t places[256])
{
    bool is_there[256] = {false};
    int count = 0;
    for (int i = 0; i < ASTAR_CHUNK_CELLS; i++)
        is_there[cells[i]] = true;
    for (int kind = 0; kind < 256; kind++)
        if (is_there[kind]) {
            places[kind] = (uint8_t)count;
            kinds[count++] = (uint8_t)kind;
        }
    return count;
}

static int bits_for(int kinds)
{
    return kinds == 1 ? 0 : kinds == 2 ? 1 : kinds <= 4 ? 2 : kinds <= 16 ? 4 : 8;
}

static void put_ground(AstarWorld *world, AstarChunk *chunk, uint8_t *ground, int bits)
{
    astar_release(&world->allocator, chunk->ground, ground_bytes(chunk->bits), 1);
    world->bytes += ground_bytes(bits) - ground_bytes(chunk->bits);
    chunk->ground = ground;
    chunk->bits = (uint8_t)bits;
}

AstarStatus astar_chunk_pack(AstarWorld *world, AstarChunk *chunk, const uint8_t *cells)
{
    uint8_t kinds[256], places[256];
    int count = list_kinds(cells, kinds, places), bits = bits_for(count);
    uint8_t *ground = NULL;
    if (bits > 0) {
        ground = astar_alloc(&world->allocator, ground_bytes(bits), 1);
        if (ground == NULL)
            return ASTAR_NO_MEMORY;
    }
    if (bits == 8)
        memcpy(ground, cells, ASTAR_CHUNK_CELLS);
    for (int i = 0; bits < 8 && bits > 0 && i < ASTAR_CHUNK_CELLS; i++) {
        size_t bit = (size_t)i * (size_t)bits;
        ground[bit >> 3] |= (uint8_t)(places[cells[i]] << (bit & 7));
    }
    put_ground(world, chunk, ground, bits);
    memcpy(chunk->palette, kinds, sizeof chunk->palette);
    return ASTAR_OK;
}

// Returns the bytes of the arrays of blocks, walls and restrictions of a chunk.
static size_t bytes_of_furniture(const AstarChunk *chunk)
{
    return (chunk->blocks != NULL ? ASTAR_BYTES_OF_BLOCKS : 0) +
           astar_walls_bytes(&chunk->walls, ASTAR_CHUNK_CELLS);
}

void astar_chunk_empty(AstarWorld *world, AstarChunk *chunk)
{
    put_ground(world, chunk, NULL, 0);
    world->bytes -= sizeof *chunk + bytes_of_furniture(chunk);
    astar_release(&world->allocator, chunk->blocks, ASTAR_BYTES_OF_BLOCKS, 1);
    astar_walls_free(&chunk->walls, &world->allocator, ASTAR_CHUNK_CELLS);
}

// Removes the ground of a chunk. Removes the chunk's entry as well, unless the entry has blocks,
// walls or restrictions that the program has not stored.
static void drop_chunk(AstarWorld *world, AstarChunk *chunk)
{
    astar_plot_unlink(&chunk->plot);
    put_ground(world, chunk, NULL, 0);
    chunk->is_asked = chunk->is_absent = chunk->is_edited = false;
    if (bytes_of_furniture(chunk) > 0 && !chunk->is_kept)
        return;
    astar_chunk_empty(world, chunk);
    astar_plots_remove(&world->chunks, &world->allocator, &chunk->plot);
}

// The functions below load, save and unload chunks.

static AstarStatus save_chunk(AstarWorld *world, AstarChunk *chunk, void *context)
{
    for (int y = 0; y < ASTAR_CHUNK_SIDE; y++)
        astar_chunk_row(chunk, 0, y, ASTAR_CHUNK_SIDE, world->cells + y * ASTAR_CHUNK_SIDE);
    for (int i = 0; i < ASTAR_CHUNK_CELLS; i++)
        if (world->cells[i] == ASTAR_SOLID_GROUND)
            world->cells[i] = ASTAR_UNKNOWN_GROUND;
    world->is_asking = true;
    world->saving = chunk;
    AstarStatus status = world->options.save(context, chunk->plot.i, chunk->plot.j, world->cells);
    world->saving = NULL;
    world->is_asking = false;
    chunk->is_edited = status != ASTAR_OK;
    chunk->is_kept &= status == ASTAR_OK;
    world->saved += status == ASTAR_OK;
    return status;
}

AstarStatus astar_world_make_room(AstarWorld *world, size_t more, void *context)
{
    while (world->bytes + more > world->options.bytes) {
        AstarPlot *plot = world->recent.newer;
        if (plot == &world->recent || plot->tick == world->tick)
            return ASTAR_OK; // all chunks and squares are in use, so nothing more can be unloaded
        if (plot->kind != 0) {
            astar_square_evict(world, plot);
            continue;
        }
        AstarChunk *chunk = (AstarChunk *)plot;
        AstarStatus status = chunk->is_edited ? save_chunk(world, chunk, context) : ASTAR_OK;
        if (status != ASTAR_OK)
            return status;
        drop_chunk(world, chunk);
        world->unloaded++;
    }
    return ASTAR_OK;
}

AstarStatus astar_world_save(AstarWorld *world, void *context)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (world->options.save == NULL)
        return ASTAR_BAD_OPTION;
    AstarPlot *plot = NULL;
    while ((plot = astar_plots_next(&world->chunks, plot)) != NULL) {
        AstarChunk *chunk = (AstarChunk *)plot;
        AstarStatus status = chunk->is_edited ? save_chunk(world, chunk, context) : ASTAR_OK;
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Returns the entry of a chunk in the world. If the chunk has none, adds an empty entry that is not
// loaded. Returns NULL if memory is short.
static AstarChunk *make_chunk(AstarWorld *world, int32_t cx, int32_t cy)
{
    size_t before = world->chunks.count;
    AstarChunk *chunk = (AstarChunk *)astar_plots_need(&world->chunks, &world->allocator, cx, cy,
                                                       sizeof *chunk);
    world->bytes += (world->chunks.count - before) * sizeof *chunk;
    return chunk;
}

static bool need_blocks(AstarChunk *chunk, const AstarAllocator *allocator)
{
    if (chunk->blocks == NULL)
        chunk->blocks = astar_alloc(allocator, ASTAR_BYTES_OF_BLOCKS, 1);
    return chunk->blocks != NULL;
}

AstarStatus astar_world_need_array(AstarWorld *world, int32_t cx, int32_t cy, AstarChunkArray kind)
{
    const AstarAllocator *allocator = &world->allocator;
    AstarChunk *chunk = make_chunk(world, cx, cy);
    if (chunk == NULL)
        return ASTAR_NO_MEMORY;
    size_t before = bytes_of_furniture(chunk);
    bool has_room = kind == ASTAR_CHUNK_BLOCKS ? need_blocks(chunk, allocator)
                    : kind == ASTAR_CHUNK_WALLS
                        ? astar_walls_need_sides(&chunk->walls, allocator, ASTAR_CHUNK_CELLS)
                        : astar_walls_need_exits(&chunk->walls, allocator, ASTAR_CHUNK_CELLS);
    if (!has_room) {
        if (!chunk->is_asked)
            drop_chunk(world, chunk);
        return ASTAR_NO_MEMORY;
    }
    size_t more = bytes_of_furniture(chunk) - before;
    world->bytes += more;
    // Blocks, walls and restrictions that are set during loading come from the program, which has
    // stored them already.
    chunk->is_kept |= more > 0 && world->is_asking;
    return ASTAR_OK;
}

// Stores a chunk that the program has loaded or put: its state and its cells. '*out' becomes the
// entry of the chunk.
static AstarStatus take_chunk(AstarWorld *world, int32_t cx, int32_t cy, AstarChunkState state,
                              const uint8_t *cells, AstarChunk **out)
{
    AstarChunk *chunk = make_chunk(world, cx, cy);
    AstarStatus status = chunk != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    if (status == ASTAR_OK && state == ASTAR_CHUNK_LOADED)
        status = astar_chunk_pack(world, chunk, cells);
    if (status != ASTAR_OK) {
        if (chunk != NULL && !chunk->is_asked)
            drop_chunk(world, chunk);
        return status;
    }
    if (state != ASTAR_CHUNK_LOADED) {
        put_ground(world, chunk, NULL, 0);
        chunk->palette[0] = state == ASTAR_CHUNK_SOLID ? ASTAR_SOLID_GROUND : ASTAR_UNKNOWN_GROUND;
    }
    chunk->is_asked = true;
    chunk->is_absent = state == ASTAR_CHUNK_ABSENT;
    chunk->is_edited = false;
    chunk->wish = (double)INFINITY;
    // The world must keep the entry of an absent chunk, so that the program's callback is not
    // called for it again. Therefore the entry is removed from the ring of entries that can be
    // unloaded.
    if (chunk->is_absent)
        astar_plot_unlink(&chunk->plot);
    else
        astar_plot_use(&world->recent, &chunk->plot, world->tick);
    *out = chunk;
    return ASTAR_OK;
}

static bool are_terrains(const AstarWorld *world, const uint8_t *cells)
{
    int count = astar_grid_terrain_count(world->palette);
    bool fine = true;
    for (int i = 0; i < ASTAR_CHUNK_CELLS; i++)
        fine &= cells[i] < count || cells[i] >= ASTAR_SOLID_GROUND;
    return fine;
}

// Replaces the value that the program uses for solid ground by the value that the world uses.
static void read_solid(uint8_t *cells)
{
    for (int i = 0; i < ASTAR_CHUNK_CELLS; i++)
        if (cells[i] == ASTAR_UNKNOWN_GROUND)
            cells[i] = ASTAR_SOLID_GROUND;
}

static bool is_chunk(int32_t cx, int32_t cy)
{
    int32_t most = ASTAR_WORLD_REACH / ASTAR_CHUNK_SIDE;
    return cx >= -most && cx < most && cy >= -most && cy < most;
}

AstarStatus astar_world_need(AstarWorld *world, int32_t cx, int32_t cy, void *context,
                             AstarChunk **out)
{
    AstarChunk *chunk = (AstarChunk *)astar_plots_find(&world->chunks, cx, cy);
    if (chunk != NULL && chunk->is_asked) {
        if (chunk->plot.newer != NULL)
            astar_plot_use(&world->recent, &chunk->plot, world->tick);
        chunk->plot.tick = world->tick;
        *out = chunk;
        return ASTAR_OK;
    }
    AstarStatus status = astar_world_make_room(world, sizeof *chunk + ASTAR_CHUNK_CELLS, context);
    AstarChunkState state = is_chunk(cx, cy) ? ASTAR_CHUNK_ABSENT : ASTAR_CHUNK_SOLID;
    if (status == ASTAR_OK && state == ASTAR_CHUNK_ABSENT && world->options.load != NULL) {
        world->is_asking = true;
        status = world->options.load(context, cx, cy, world->cells, &state);
        world->is_asking = false;
    }
    if (status != ASTAR_OK)
        return status;
    if (state == ASTAR_CHUNK_LOADED && !are_terrains(world, world->cells))
        return ASTAR_BAD_DATA;
    read_solid(world->cells);
    world->loaded += state != ASTAR_CHUNK_ABSENT && is_chunk(cx, cy);
    return take_chunk(world, cx, cy, state, world->cells, out);
}

AstarChunk *astar_world_chunk(const AstarWorld *world, int32_t cx, int32_t cy)
{
    return (AstarChunk *)astar_plots_find(&world->chunks, cx, cy);
}

size_t astar_world_wanted(const AstarWorld *world, AstarWanted *list, size_t room)
{
    size_t count = 0;
    for (AstarPlot *plot = NULL; (plot = astar_plots_next(&world->chunks, plot)) != NULL;) {
        const AstarChunk *chunk = (const AstarChunk *)plot;
        if (chunk->is_absent && count++ < room)
            list[count - 1] = (AstarWanted){plot->i, plot->j, chunk->wish};
    }
    return count;
}

// The functions below take chunks that the program puts, or that have changed outside of the world.

static void chunk_edited(AstarWorld *world, int32_t cx, int32_t cy)
{
    int32_t x = cx * ASTAR_CHUNK_SIDE, y = cy * ASTAR_CHUNK_SIDE, last = ASTAR_CHUNK_SIDE - 1;
    astar_world_edited(world, x, y, x + last, y + last);
}

AstarStatus astar_world_put(AstarWorld *world, int32_t cx, int32_t cy, const uint8_t *terrains,
                            void *context)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!is_chunk(cx, cy))
        return ASTAR_BAD_CELL;
    if (terrains != NULL && !are_terrains(world, terrains))
        return ASTAR_BAD_OPTION;
    world->tick++;
    AstarStatus status = astar_world_make_room(world, sizeof(AstarChunk) + ASTAR_CHUNK_CELLS,
                                               context);
    if (status != ASTAR_OK)
        return status;
    if (terrains != NULL) {
        memcpy(world->cells, terrains, sizeof world->cells);
        read_solid(world->cells);
    }
    AstarChunk *chunk;
    status = take_chunk(world, cx, cy, terrains != NULL ? ASTAR_CHUNK_LOADED : ASTAR_CHUNK_SOLID,
                        world->cells, &chunk);
    if (status != ASTAR_OK)
        return status;
    chunk->is_kept = false;
    chunk_edited(world, cx, cy);
    return ASTAR_OK;
}

AstarStatus astar_world_changed(AstarWorld *world, int32_t cx, int32_t cy)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!is_chunk(cx, cy))
        return ASTAR_BAD_CELL;
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    if (chunk != NULL && chunk->is_asked)
        drop_chunk(world, chunk);
    chunk_edited(world, cx, cy);
    return ASTAR_OK;
}

// ------------------------------------------------------------------------------------------------
// The functions below edit cells: the terrain of a rectangle, its blocks, its restrictions, and the
// blocks, walls and restrictions that come with a chunk when it is loaded.
// ------------------------------------------------------------------------------------------------

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

// Records that some cells of a chunk were edited. 'part' is the rectangle of these cells, in
// coordinates of the chunk.
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
    if (world->options.save == NULL) // a chunk whose edits cannot be saved must not be unloaded
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
    // Begins a new tick, unless the program makes this call while it loads or saves a chunk. Chunks
    // that are used in the current tick are never unloaded, so all chunks of this call stay in
    // memory until it ends.
    world->tick += !world->is_asking;
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
            AstarWorldEdit part = astar_part_in_chunk(all, cx, cy);
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
                                   astar_part_in_chunk(all, cx, cy), (uint8_t)terrain);
    return status;
}

// The functions below set and remove blocks and restrictions.

enum { ALL_DIRECTIONS = 0xFF };

// Sets or removes the blocks of a rectangle in a chunk. Returns true if the blocks of any cell have
// changed.
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

// An edit of a rectangle of cells in all chunks that the rectangle overlaps: of their blocks, or of
// their restrictions.
typedef struct FurnitureEdit {
    AstarChunkArray kind;
    bool blocked;   // for blocks: true to set them, false to remove them
    uint8_t barred; // for restrictions: the directions in which the cells may not be left
} FurnitureEdit;

// Sets or removes the blocks in the part of a rectangle that lies in one chunk. To set blocks, the
// caller must have allocated the chunk's array of blocks.
static void block_in_chunk(AstarWorld *world, int32_t cx, int32_t cy, AstarWorldEdit all,
                           bool blocked)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    if (chunk == NULL || chunk->blocks == NULL)
        return;
    AstarWorldEdit part = astar_part_in_chunk(all, cx, cy);
    if (!put_chunk_blocks(chunk, part.x0, part.y0, part.x1, part.y1, blocked))
        return;
    astar_world_note_furnished(world, cx, cy);
    part_edited(world, cx, cy, part);
}

// Restricts the cells in the part of a rectangle that lies in one chunk: they may not be left in
// the directions 'barred'. If 'barred' is not 0, the caller must have allocated the chunk's array.
static void restrict_in_chunk(AstarWorld *world, int32_t cx, int32_t cy, AstarWorldEdit all,
                              uint8_t barred)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    if (chunk == NULL || chunk->walls.exits == NULL)
        return;
    AstarWorldEdit part = astar_part_in_chunk(all, cx, cy);
    bool changed = false;
    for (int y = part.y0; y <= part.y1; y++)
        for (int x = part.x0; x <= part.x1; x++)
            changed |= astar_walls_restrict(&chunk->walls, (size_t)(y * ASTAR_CHUNK_SIDE + x),
                                            barred);
    if (!changed)
        return;
    astar_world_note_furnished(world, cx, cy);
    part_edited(world, cx, cy, part);
}

// Makes an edit of blocks or restrictions. Edits nothing if a chunk is not loaded or memory is
// short.
static AstarStatus edit_furniture(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                                  FurnitureEdit edit)
{
    if (world->is_asking)
        return ASTAR_GRID_CHANGED;
    if (!is_rectangle(x, y, width, height))
        return ASTAR_BAD_CELL;
    bool adds = edit.blocked || edit.barred != 0;
    AstarWorldEdit all = {x, y, x + width - 1, y + height - 1};
    int32_t cx0 = astar_chunk_of(all.x0), cx1 = astar_chunk_of(all.x1);
    int32_t cy0 = astar_chunk_of(all.y0), cy1 = astar_chunk_of(all.y1);
    for (int32_t cy = cy0; cy <= cy1; cy++)
        for (int32_t cx = cx0; cx <= cx1; cx++) {
            if (!astar_world_is_loaded(world, cx, cy))
                return ASTAR_NOT_LOADED;
            if (adds && astar_world_need_array(world, cx, cy, edit.kind) != ASTAR_OK)
                return ASTAR_NO_MEMORY;
        }
    for (int32_t cy = cy0; cy <= cy1; cy++)
        for (int32_t cx = cx0; cx <= cx1; cx++) {
            if (edit.kind == ASTAR_CHUNK_BLOCKS)
                block_in_chunk(world, cx, cy, all, edit.blocked);
            else
                restrict_in_chunk(world, cx, cy, all, edit.barred);
        }
    return ASTAR_OK;
}

AstarStatus astar_world_block(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                              bool blocked)
{
    FurnitureEdit edit = {.kind = ASTAR_CHUNK_BLOCKS, .blocked = blocked};
    return edit_furniture(world, x, y, width, height, edit);
}

AstarStatus astar_world_restrict(AstarWorld *world, int32_t x, int32_t y, int width, int height,
                                 unsigned sides)
{
    FurnitureEdit edit = {.kind = ASTAR_CHUNK_EXITS, .barred = (uint8_t)(ALL_DIRECTIONS & ~sides)};
    if ((sides & ~(unsigned)ALL_DIRECTIONS) != 0)
        return ASTAR_BAD_OPTION;
    return edit_furniture(world, x, y, width, height, edit);
}

AstarStatus astar_world_unrestrict(AstarWorld *world, int32_t x, int32_t y, int width, int height)
{
    return astar_world_restrict(world, x, y, width, height, ALL_DIRECTIONS);
}

unsigned astar_world_exits(const AstarWorld *world, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(x), astar_chunk_of(y));
    if (chunk == NULL || chunk->walls.exits == NULL)
        return ALL_DIRECTIONS;
    return ALL_DIRECTIONS & ~(unsigned)chunk->walls.exits[astar_cell_in_chunk(x, y)];
}

bool astar_world_is_blocked(const AstarWorld *world, int32_t x, int32_t y)
{
    const AstarChunk *chunk = astar_world_chunk(world, astar_chunk_of(x), astar_chunk_of(y));
    return chunk != NULL && chunk->blocks != NULL &&
           (chunk->blocks[astar_in_chunk(y)] >> astar_in_chunk(x) & 1) != 0;
}

// The functions below convert the blocks, walls and restrictions of a chunk to bytes and back.

enum { IS_BLOCK = 2, ARE_WALLS = 0x55 };

void astar_world_note_furnished(AstarWorld *world, int32_t cx, int32_t cy)
{
    if (!astar_world_is_loaded(world, cx, cy))
        return;
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    chunk->is_edited |= world->options.save != NULL;
    chunk->is_kept = false;
}

bool astar_world_furniture(const AstarWorld *world, int32_t cx, int32_t cy, uint8_t *cells,
                           uint8_t *exits)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    bool is_restricted = chunk != NULL && chunk->walls.exit_count > 0;
    memset(cells, 0, ASTAR_CHUNK_CELLS);
    if (exits != NULL)
        memset(exits, 0, ASTAR_CHUNK_CELLS);
    // A program that does not read the restrictions has not stored all of the chunk.
    if (chunk != NULL)
        chunk->is_kept |= chunk == world->saving && (exits != NULL || !is_restricted);
    if (exits != NULL && is_restricted)
        memcpy(exits, chunk->walls.exits, ASTAR_CHUNK_CELLS);
    if (chunk != NULL && chunk->walls.sides != NULL)
        memcpy(cells, chunk->walls.sides, ASTAR_CHUNK_CELLS);
    for (int i = 0; chunk != NULL && chunk->blocks != NULL && i < ASTAR_CHUNK_CELLS; i++)
        if ((chunk->blocks[i >> ASTAR_CHUNK_BITS] >> (i & (ASTAR_CHUNK_SIDE - 1)) & 1) != 0)
            cells[i] |= IS_BLOCK;
    return is_restricted;
}

AstarStatus astar_world_furnish(AstarWorld *world, int32_t cx, int32_t cy, const uint8_t *cells,
                                const uint8_t *exits)
{
    AstarChunk *chunk = astar_world_chunk(world, cx, cy);
    AstarStatus status = ASTAR_OK;
    // If the world has kept the blocks, walls and restrictions of a chunk, they are newer than
    // those that the program loads.
    if (!world->is_asking || chunk != NULL)
        return ASTAR_OK;
    for (int i = 0; i < ASTAR_CHUNK_CELLS && status == ASTAR_OK; i++) {
        bool is_block = (cells[i] & IS_BLOCK) != 0, is_wall = (cells[i] & ARE_WALLS) != 0;
        if (is_block)
            status = astar_world_need_array(world, cx, cy, ASTAR_CHUNK_BLOCKS);
        if (is_wall && status == ASTAR_OK)
            status = astar_world_need_array(world, cx, cy, ASTAR_CHUNK_WALLS);
        if (exits != NULL && exits[i] != 0 && status == ASTAR_OK)
            status = astar_world_need_array(world, cx, cy, ASTAR_CHUNK_EXITS);
        chunk = astar_world_chunk(world, cx, cy);
        if (is_block && status == ASTAR_OK)
            chunk->blocks[i >> ASTAR_CHUNK_BITS] |= UINT64_C(1) << (i & (ASTAR_CHUNK_SIDE - 1));
        if (is_wall && status == ASTAR_OK)
            astar_walls_set(&chunk->walls, (size_t)i, cells[i] & ARE_WALLS);
        if (exits != NULL && exits[i] != 0 && status == ASTAR_OK)
            astar_walls_restrict(&chunk->walls, (size_t)i, exits[i]);
    }
    return status;
}
