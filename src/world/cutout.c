// cutout.c -- a rectangle of a world laid out for one unit.
//
// The one place that knows of a world what a unit may enter, what that costs and which steps are
// legal: corner rules, sizes, blocks and walls all come in here.

#include "world/cutout.h"

#include "base/array.h"

enum {
    OUTSIDE = ASTAR_SOLID_GROUND,
    CELLS_OF_WORD = 8, // cells looked at in one go, a byte each
    BYTES_OF_CELL = 6  // arrays of a byte a cell, behind each other
};

static void free_cutout_cells(AstarCutout *cutout, const AstarAllocator *allocator)
{
    astar_release(allocator, cutout->ground, cutout->capacity, BYTES_OF_CELL);
    astar_release(allocator, cutout->origin, cutout->capacity, sizeof *cutout->origin);
    astar_release(allocator, cutout->g, cutout->capacity, sizeof *cutout->g);
    cutout->ground = NULL;
    cutout->origin = NULL;
    cutout->g = NULL;
    cutout->capacity = 0;
}

void astar_cutout_free(AstarCutout *cutout, const AstarAllocator *allocator)
{
    free_cutout_cells(cutout, allocator);
    astar_release(allocator, cutout->raw_laid.cells, cutout->raw_laid.capacity, 1);
    astar_release(allocator, cutout->fear.costs, cutout->fear.capacity, sizeof *cutout->fear.costs);
    astar_release(allocator, cutout->queue.turns, cutout->queue.capacity,
                  sizeof *cutout->queue.turns);
    astar_release(allocator, cutout->queue.first, cutout->queue.first_count,
                  sizeof *cutout->queue.first);
    *cutout = (AstarCutout){0};
}

static AstarStatus reserve_cutout(AstarCutout *cutout, const AstarAllocator *allocator,
                                  size_t cells, size_t raw)
{
    if (raw > cutout->raw_laid.capacity) {
        astar_release(allocator, cutout->raw_laid.cells, cutout->raw_laid.capacity, 1);
        cutout->raw_laid.cells = astar_alloc(allocator, raw, 1);
        cutout->raw_laid.capacity = cutout->raw_laid.cells != NULL ? raw : 0;
    }
    if (cells > cutout->capacity) {
        free_cutout_cells(cutout, allocator);
        cutout->capacity = cells;
        cutout->ground = astar_alloc(allocator, cells, BYTES_OF_CELL);
        cutout->origin = astar_alloc(allocator, cells, sizeof *cutout->origin);
        cutout->g = astar_alloc(allocator, cells, sizeof *cutout->g);
    }
    if (cutout->raw_laid.cells == NULL || cutout->ground == NULL || cutout->origin == NULL ||
        cutout->g == NULL) {
        free_cutout_cells(cutout, allocator);
        return ASTAR_NO_MEMORY;
    }
    cutout->open = cutout->ground + cutout->capacity;
    cutout->around = cutout->open + cutout->capacity;
    cutout->legal = cutout->around + cutout->capacity;
    cutout->walls = cutout->legal + cutout->capacity;
    cutout->from = cutout->walls + cutout->capacity;
    return ASTAR_OK;
}

// ---- cells as they are loaded ----

typedef struct RawRows {
    uint8_t *cells;
    int32_t x0, y0;
    int width, height;
} RawRows;

// Closes the blocked cells of a row of a chunk that were copied.
static void lay_blocks(const AstarChunk *chunk, int x, int y, int count, AstarLifted lifted,
                       int32_t world_x, int32_t world_y, uint8_t *row)
{
    uint64_t blocks = chunk->blocks[y] >> x;
    if (count < 64)
        blocks &= ((uint64_t)1 << count) - 1;
    for (; blocks != 0; blocks &= blocks - 1) {
        int i = astar_lowest_bit(blocks);
        int32_t dx = world_x + i - lifted.x, dy = world_y - lifted.y;
        bool is_lifted = dx >= 0 && dy >= 0 && dx < lifted.size && dy < lifted.size;
        if (!is_lifted)
            row[i] = OUTSIDE;
    }
}

// Copies what of the rows lies in one chunk.
static void copy_chunk(const AstarChunk *chunk, RawRows raw, AstarLifted lifted)
{
    int32_t left = chunk->plot.i * ASTAR_CHUNK_SIDE, top = chunk->plot.j * ASTAR_CHUNK_SIDE;
    int x0 = raw.x0 > left ? raw.x0 - left : 0, y0 = raw.y0 > top ? raw.y0 - top : 0;
    int right = raw.x0 + raw.width - left, bottom = raw.y0 + raw.height - top;
    int x1 = right < ASTAR_CHUNK_SIDE ? right : ASTAR_CHUNK_SIDE;
    int y1 = bottom < ASTAR_CHUNK_SIDE ? bottom : ASTAR_CHUNK_SIDE;
    for (int y = y0; y < y1; y++) {
        uint8_t *row = raw.cells + (size_t)(top + y - raw.y0) * (size_t)raw.width +
                       (size_t)(left + x0 - raw.x0);
        astar_chunk_row(chunk, x0, y, x1 - x0, row);
        if (chunk->blocks != NULL && chunk->blocks[y] != 0)
            lay_blocks(chunk, x0, y, x1 - x0, lifted, left + x0, top + y, row);
    }
}

// Copies the walls of what lies in one chunk.
static void copy_walls(AstarCutout *cutout, const AstarChunk *chunk)
{
    int32_t left = chunk->plot.i * ASTAR_CHUNK_SIDE, top = chunk->plot.j * ASTAR_CHUNK_SIDE;
    for (int y = 0; y < ASTAR_CHUNK_SIDE; y++)
        for (int x = 0; x < ASTAR_CHUNK_SIDE; x++) {
            uint8_t walls = chunk->walls[y * ASTAR_CHUNK_SIDE + x];
            if (walls == 0 || !astar_cutout_holds(cutout, left + x, top + y))
                continue;
            cutout->walls[astar_cutout_at(cutout, left + x, top + y)] = walls;
            cutout->has_walls = true;
        }
}

// Copies all chunks that the rows reach into.
static AstarStatus copy_chunks(AstarCutout *cutout, AstarWorld *world, RawRows raw,
                               AstarLifted lifted, void *context)
{
    int32_t cx1 = astar_chunk_of(raw.x0 + raw.width - 1);
    int32_t cy1 = astar_chunk_of(raw.y0 + raw.height - 1);
    for (int32_t cy = astar_chunk_of(raw.y0); cy <= cy1; cy++)
        for (int32_t cx = astar_chunk_of(raw.x0); cx <= cx1; cx++) {
            AstarChunk *chunk;
            AstarStatus status = astar_world_need(world, cx, cy, context, &chunk);
            if (status != ASTAR_OK)
                return status;
            copy_chunk(chunk, raw, lifted);
            if (chunk->walls != NULL)
                copy_walls(cutout, chunk);
        }
    return ASTAR_OK;
}

// ---- the unit laid over them ----

static uint8_t dearer_of(const AstarWorldFinder *finder, uint8_t a, uint8_t b)
{
    return finder->step[0][b] > finder->step[0][a] ? b : a;
}

// Leaves in each cell the dearest kind of those that a wide unit covers.
static void widen_unit(const AstarWorldFinder *finder, RawRows raw)
{
    size_t width = (size_t)raw.width;
    for (int y = 0; y < raw.height; y++)
        for (int x = 0; x < raw.width; x++)
            for (int i = 1; i < finder->size && x + i < raw.width; i++) {
                uint8_t *cell = raw.cells + (size_t)y * width + (size_t)x;
                *cell = dearer_of(finder, *cell, cell[i]);
            }
    for (int y = 0; y < raw.height; y++)
        for (int i = 1; i < finder->size && y + i < raw.height; i++)
            for (int x = 0; x < raw.width; x++) {
                uint8_t *cell = raw.cells + (size_t)y * width + (size_t)x;
                *cell = dearer_of(finder, *cell, cell[(size_t)i * width]);
            }
}

// Whether all ground of the cutout that can be entered costs the same, and the rule's steps are
// worth following in canonical order; its cheapest and dearest.
static void judge_ground(AstarCutout *cutout, const uint8_t kinds[256])
{
    const AstarWorldFinder *finder = cutout->finder;
    double least = (double)INFINITY, most = 0, longest = 0;
    for (int kind = 0; kind < 256; kind++) {
        if (!kinds[kind] || isinf(finder->step[0][kind]))
            continue;
        least = fmin(least, finder->step[0][kind]);
        most = fmax(most, finder->step[0][kind]);
        longest = fmax(longest, finder->step[1][kind]);
    }
    cutout->is_uniform = least == most && !cutout->has_walls && finder->is_canonical;
    cutout->width_of_bucket = isinf(least) ? 1 : least;
    cutout->longest = isinf(least) ? 1 : longest;
}

// ---- steps ----

// Looks around all cells: eight at once, a byte each, of which a set bit stays in its byte.
static void look_around_cells(AstarCutout *cutout)
{
    size_t end = (size_t)cutout->stride * (size_t)(cutout->height + 1);
    for (size_t at = (size_t)cutout->stride + 1; at < end; at += CELLS_OF_WORD) {
        uint64_t around = 0, open;
        for (int d = 0; d < ASTAR_DIRECTIONS; d++) {
            memcpy(&open, cutout->open + astar_cutout_beside(cutout, at, d), sizeof open);
            around |= open << d;
        }
        memcpy(cutout->around + at, &around, sizeof around);
    }
}

static void lay_steps(AstarCutout *cutout)
{
    look_around_cells(cutout);
    if (!cutout->has_walls)
        return;
    for (int y = 0; y < cutout->height; y++)
        for (int x = 0; x < cutout->width; x++) {
            size_t at = astar_cutout_at(cutout, cutout->x0 + x, cutout->y0 + y);
            cutout->legal[at] = (uint8_t)astar_legal_moves_past_walls(
                cutout->finder->rule, &cutout->walls[at], cutout->stride, cutout->around[at],
                false);
        }
}

unsigned astar_cutout_legal_into(const AstarCutout *cutout, size_t at)
{
    if (!cutout->has_walls && cutout->finder->leads_back)
        return astar_cutout_legal(cutout, at);
    unsigned from = 0;
    for (unsigned rest = cutout->around[at]; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        unsigned back = astar_cutout_legal(cutout, astar_cutout_beside(cutout, at, d));
        from |= (back >> ((d + 4) & 7) & 1) << d;
    }
    return from;
}

// ---- what is avoided ----

// Works out what steps cost where the finder avoids some of the cells.
static AstarStatus lay_fear(AstarCutout *cutout, const AstarWorldFinder *finder)
{
    const AstarFinder *unit = finder->finder;
    if (!ASTAR_RESERVE(&finder->world->allocator, cutout->fear.costs, (size_t)0,
                       2 * cutout->capacity, &cutout->fear.capacity, 0))
        return ASTAR_NO_MEMORY;
    for (int32_t y = cutout->y0; y < cutout->y0 + cutout->height; y++)
        for (int32_t x = cutout->x0; x < cutout->x0 + cutout->width; x++) {
            size_t at = astar_cutout_at(cutout, x, y);
            double *dear = &cutout->fear.costs[2 * at], cost = finder->cost[cutout->ground[at]];
            double fear = astar_field_get(finder->field, x - finder->field_x, y - finder->field_y);
            if (fear > 0) // outside it is NAN
                cost += finder->field_weight * fear;
            dear[0] = astar_finder_round(unit, cost);
            dear[1] = astar_finder_round(unit, cost * unit->options.diagonal_cost);
            if (fear > 0 && cutout->open[at]) {
                cutout->longest = fmax(cutout->longest, dear[1]);
                cutout->fear.is_told = true;
            }
        }
    cutout->is_uniform &= !cutout->fear.is_told;
    return ASTAR_OK;
}

// ---- all of it ----

// Puts down what entering each cell costs, and which can be entered.
static void lay_ground(AstarCutout *cutout, RawRows raw)
{
    uint8_t kinds[256] = {0}, can_enter[256];
    for (int kind = 0; kind < 256; kind++)
        can_enter[kind] = (uint8_t)!isinf(cutout->finder->step[0][kind]);
    for (int y = 0; y < cutout->height; y++) {
        const uint8_t *row = raw.cells + (size_t)y * (size_t)raw.width;
        size_t at = astar_cutout_at(cutout, raw.x0, raw.y0 + y);
        memcpy(cutout->ground + at, row, (size_t)cutout->width);
        for (int x = 0; x < cutout->width; x++) {
            kinds[row[x]] = 1;
            cutout->open[at + (size_t)x] = can_enter[row[x]];
        }
    }
    judge_ground(cutout, kinds);
}

AstarStatus astar_cutout_fill(AstarCutout *cutout, AstarWorldFinder *finder, int32_t x0, int32_t y0,
                              int width, int height, AstarLifted lifted, void *context)
{
    AstarWorld *world = finder->world;
    int more = finder->size - 1;
    RawRows raw = {NULL, x0, y0, width + more, height + more};
    size_t cells = (size_t)(width + 2) * (size_t)(height + 2);
    AstarStatus status = reserve_cutout(cutout, &world->allocator, cells + CELLS_OF_WORD,
                                        (size_t)raw.width * (size_t)raw.height);
    cutout->is_plain = false;
    if (status != ASTAR_OK)
        return status;
    cutout->finder = finder;
    cutout->x0 = x0;
    cutout->y0 = y0;
    cutout->width = width;
    cutout->height = height;
    cutout->stride = width + 2;
    cutout->has_walls = cutout->fear.is_told = false;
    memset(cutout->ground, OUTSIDE, cells);
    memset(cutout->open, 0, cells + CELLS_OF_WORD);
    memset(cutout->walls, 0, cells);
    raw.cells = cutout->raw_laid.cells;
    AstarLifted all = {x0, y0, INT32_MAX}; // for a unit that no block bars
    status = copy_chunks(cutout, world, raw, finder->finder->options.ignore != 0 ? all : lifted,
                         context);
    if (status != ASTAR_OK)
        return status;
    if (more > 0)
        widen_unit(finder, raw);
    lay_ground(cutout, raw);
    lay_steps(cutout);
    status = finder->field != NULL ? lay_fear(cutout, finder) : ASTAR_OK;
    cutout->is_plain = lifted.size == 0 && status == ASTAR_OK;
    cutout->version = world->version;
    return status;
}

AstarStatus astar_cutout_fill_chunk(AstarCutout *cutout, AstarWorldFinder *finder, int32_t i,
                                    int32_t j, void *context)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    bool is_same = cutout->is_plain && cutout->finder == finder &&
                   cutout->version == finder->world->version && cutout->x0 == i * SIDE &&
                   cutout->y0 == j * SIDE && cutout->width == SIDE + 1 &&
                   cutout->height == SIDE + 1;
    return is_same ? ASTAR_OK
                   : astar_cutout_fill(cutout, finder, i * SIDE, j * SIDE, SIDE + 1, SIDE + 1,
                                       (AstarLifted){0, 0, 0}, context);
}
