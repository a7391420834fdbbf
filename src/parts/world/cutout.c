// cutout.c -- copies a rectangle of a world as one kind of unit sees it (a cutout), computes
// distances in it, and determines whether a goal is enclosed.
//
// This is the only file that knows which cells of a world a unit may enter, at what cost, and which
// steps are legal. Corner rules, sizes, blocks, walls and restricted cells are all applied here.

#include "parts/world/cutout.h"

#include "base/array.h"
#include "parts/world/chunks.h"
#include "parts/world/plots.h"
#include "parts/world/route_search.h"
#include "parts/world/squares.h"
#include "search/path.h"

#include <assert.h>

enum {
    OUTSIDE = ASTAR_SOLID_GROUND,
    CELLS_OF_WORD = 8, // number of cells that are processed together, one byte each
    BYTES_OF_CELL = 7  // number of arrays with one byte per cell that share an allocation
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
    astar_release(allocator, cutout->fear.values, cutout->fear.value_capacity,
                  sizeof *cutout->fear.values);
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
        cutout->raw_laid.cells = astar_array_shrink(allocator, cutout->raw_laid.cells, 1,
                                                    &cutout->raw_laid.capacity, raw);
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
    cutout->exits = cutout->walls + cutout->capacity;
    cutout->from = cutout->exits + cutout->capacity;
    return ASTAR_OK;
}

// The functions below copy the terrain of single cells from the chunks.

typedef struct RawRows {
    uint8_t *cells;
    int32_t x0, y0;
    int width, height;
} RawRows;

// Marks cells with a block as impassable, in a row of cells that was copied from a chunk. Blocks in
// the square 'lifted' are ignored.
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

// Copies the part of a chunk that lies in the rectangle 'raw'.
static void copy_chunk(const AstarChunk *chunk, RawRows raw, AstarLifted lifted)
{
    int32_t left = chunk->plot.i * ASTAR_CHUNK_SIDE, top = chunk->plot.j * ASTAR_CHUNK_SIDE;
    AstarWorldEdit part = astar_part_in_chunk(
        (AstarWorldEdit){raw.x0, raw.y0, raw.x0 + raw.width - 1, raw.y0 + raw.height - 1},
        chunk->plot.i, chunk->plot.j);
    int count = part.x1 - part.x0 + 1;
    left += part.x0;
    for (int y = part.y0; y <= part.y1; y++) {
        uint8_t *row = raw.cells + (size_t)(top + y - raw.y0) * (size_t)raw.width +
                       (size_t)(left - raw.x0);
        astar_chunk_row(chunk, part.x0, y, count, row);
        if (chunk->blocks != NULL && chunk->blocks[y] != 0)
            lay_blocks(chunk, part.x0, y, count, lifted, left, top + y, row);
    }
}

// Copies the walls and restrictions of those cells of a chunk that lie in the cutout.
static void copy_walls(AstarCutout *cutout, const AstarChunk *chunk)
{
    const AstarWalls *walls = &chunk->walls;
    int32_t left = chunk->plot.i * ASTAR_CHUNK_SIDE, top = chunk->plot.j * ASTAR_CHUNK_SIDE;
    AstarWorldEdit part = astar_part_in_chunk((AstarWorldEdit){cutout->x0, cutout->y0,
                                                               cutout->x0 + cutout->width - 1,
                                                               cutout->y0 + cutout->height - 1},
                                              chunk->plot.i, chunk->plot.j);
    for (int y = part.y0; y <= part.y1; y++)
        for (int x = part.x0; x <= part.x1; x++) {
            size_t cell = (size_t)(y * ASTAR_CHUNK_SIDE + x);
            uint8_t sides = walls->sides != NULL ? walls->sides[cell] : 0;
            uint8_t barred = walls->exits != NULL ? walls->exits[cell] : 0;
            if ((sides | barred) == 0)
                continue;
            size_t at = astar_cutout_at(cutout, left + x, top + y);
            cutout->walls[at] = sides;
            cutout->exits[at] = barred;
            cutout->has_walls = true;
            cutout->has_exits |= barred != 0;
        }
}

// Copies the parts of all chunks that overlap the rectangle 'raw'. Loads the chunks if necessary.
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
            if (astar_walls_exist(&chunk->walls))
                copy_walls(cutout, chunk);
        }
    return ASTAR_OK;
}

// The functions below combine the cells that a unit larger than a cell covers.

static uint8_t costlier_of(const AstarWorldFinder *finder, uint8_t a, uint8_t b)
{
    return finder->step[0][b] > finder->step[0][a] ? b : a;
}

// Gives each cell the most expensive terrain among the cells that the unit covers when its
// north-west cell is there.
static void widen_unit(const AstarWorldFinder *finder, RawRows raw)
{
    size_t width = (size_t)raw.width;
    for (int y = 0; y < raw.height; y++)
        for (int x = 0; x < raw.width; x++)
            for (int i = 1; i < finder->size && x + i < raw.width; i++) {
                uint8_t *cell = raw.cells + (size_t)y * width + (size_t)x;
                *cell = costlier_of(finder, *cell, cell[i]);
            }
    for (int y = 0; y < raw.height; y++)
        for (int i = 1; i < finder->size && y + i < raw.height; i++)
            for (int x = 0; x < raw.width; x++) {
                uint8_t *cell = raw.cells + (size_t)y * width + (size_t)x;
                *cell = costlier_of(finder, *cell, cell[(size_t)i * width]);
            }
}

// Determines whether all ground that the unit can enter costs the same, so that canonical ordering
// applies. Also determines the costs of the cheapest and the most expensive step.
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

// The functions below find the legal steps.

// Finds the neighbours of each cell that the unit can enter, for eight cells at a time. Each cell
// is one byte of a 64-bit word, and a shift by the direction keeps its bit within the byte.
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

// Returns the directions of the legal steps out of a cell or, if 'backward' is true, of the
// neighbours from which a legal step leads to the cell.
static unsigned cutout_moves(const AstarCutout *cutout, size_t at, bool backward)
{
    const AstarCornerRule *rule = cutout->finder->rule;
    return cutout->has_walls
               ? astar_legal_moves_past_walls(rule, &cutout->walls[at],
                                              cutout->has_exits ? &cutout->exits[at] : NULL,
                                              cutout->stride, cutout->around[at], backward)
               : rule->legal[backward][cutout->around[at]];
}

static void lay_steps(AstarCutout *cutout)
{
    look_around_cells(cutout);
    if (!cutout->has_walls)
        return;
    for (int y = 0; y < cutout->height; y++)
        for (int x = 0; x < cutout->width; x++) {
            size_t at = astar_cutout_at(cutout, cutout->x0 + x, cutout->y0 + y);
            cutout->legal[at] = (uint8_t)cutout_moves(cutout, at, false);
        }
}

unsigned astar_cutout_legal_into(const AstarCutout *cutout, size_t at)
{
    return cutout_moves(cutout, at, true);
}

// The functions below add the values of the field that the finder avoids to the costs.

// Returns the value of the field in a cell of the world, 0 outside the field.
static double fear_at(const AstarWorldFinder *finder, int32_t x, int32_t y)
{
    double fear = astar_field_get(finder->field, x - finder->field_x, y - finder->field_y);
    return fear > 0 ? fear : 0; // outside the field the value is NaN
}

static float greater_of(float a, float b)
{
    return a > b ? a : b;
}

// Stores for each cell of the cutout the highest value of the field among the cells that a unit of
// several cells covers when its north-west cell is there. A row has 'width' + 'more' values.
static AstarStatus find_fears(AstarCutout *cutout, const AstarWorldFinder *finder)
{
    const int more = finder->size - 1, rows = cutout->height + more;
    const size_t stride = (size_t)(cutout->width + more);
    if (!ASTAR_RESERVE(&finder->world->allocator, cutout->fear.values, (size_t)0,
                       stride * (size_t)rows, &cutout->fear.value_capacity, 0))
        return ASTAR_NO_MEMORY;
    for (int y = 0; y < rows; y++) {
        float *row = cutout->fear.values + (size_t)y * stride;
        for (size_t x = 0; x < stride; x++)
            row[x] = (float)fear_at(finder, cutout->x0 + (int32_t)x, cutout->y0 + y);
        for (int x = 0; x < cutout->width; x++)
            for (int i = 1; i <= more; i++)
                row[x] = greater_of(row[x], row[x + i]);
    }
    for (int y = 0; y < cutout->height; y++) {
        float *row = cutout->fear.values + (size_t)y * stride;
        for (int i = 1; i <= more; i++)
            for (int x = 0; x < cutout->width; x++)
                row[x] = greater_of(row[x], row[(size_t)i * stride + (size_t)x]);
    }
    return ASTAR_OK;
}

// Returns the highest value of the field under the unit at a cell of the cutout.
static double fear_under(const AstarCutout *cutout, const AstarWorldFinder *finder, int32_t x,
                         int32_t y)
{
    if (finder->size == 1)
        return fear_at(finder, x, y);
    size_t stride = (size_t)(cutout->width + finder->size - 1);
    return (double)
        cutout->fear.values[(size_t)(y - cutout->y0) * stride + (size_t)(x - cutout->x0)];
}

// Computes the costs of the steps into all cells for a finder that avoids a field. The values of
// the field are added to the costs.
static AstarStatus lay_fear(AstarCutout *cutout, const AstarWorldFinder *finder)
{
    const AstarFinder *unit = finder->finder;
    if (!ASTAR_RESERVE(&finder->world->allocator, cutout->fear.costs, (size_t)0,
                       2 * cutout->capacity, &cutout->fear.capacity, 0))
        return ASTAR_NO_MEMORY;
    AstarStatus status = finder->size > 1 ? find_fears(cutout, finder) : ASTAR_OK;
    if (status != ASTAR_OK)
        return status;
    for (int32_t y = cutout->y0; y < cutout->y0 + cutout->height; y++)
        for (int32_t x = cutout->x0; x < cutout->x0 + cutout->width; x++) {
            size_t at = astar_cutout_at(cutout, x, y);
            double *costly = &cutout->fear.costs[2 * at], cost = finder->cost[cutout->ground[at]];
            double fear = fear_under(cutout, finder, x, y);
            cost += finder->field_weight * fear;
            costly[0] = astar_finder_round(unit, cost);
            costly[1] = astar_finder_round(unit, cost * unit->options.diagonal_cost);
            if (fear > 0 && cutout->open[at]) {
                cutout->longest = fmax(cutout->longest, costly[1]);
                cutout->fear.is_told = true;
            }
        }
    cutout->is_uniform &= !cutout->fear.is_told;
    return ASTAR_OK;
}

// The functions below lay out a cutout.

// Stores the terrain of each cell, and whether the unit can enter the cell.
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
    cutout->has_walls = cutout->has_exits = cutout->fear.is_told = false;
    memset(cutout->ground, OUTSIDE, cells);
    memset(cutout->open, 0, cells + CELLS_OF_WORD);
    memset(cutout->walls, 0, cells);
    memset(cutout->exits, 0, cells);
    raw.cells = cutout->raw_laid.cells;
    // If the unit ignores all blocks, they are ignored in this rectangle, which covers everything.
    AstarLifted all = {x0, y0, INT32_MAX};
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

// ------------------------------------------------------------------------------------------------
// The functions below compute distances in a cutout, and trace paths back.
//
// This is Dijkstra's algorithm with buckets as wide as the cheapest step, so that the order within
// a bucket does not matter. Over ground of one cost, paths in canonical order continue straight
// until they must turn. Cells are therefore reached in runs, and only the cells where a run forks
// are put into a bucket. Over ground of several costs, every cell is put into a bucket. Inside an
// area of one terrain, its successors are pruned by canonical ordering.
// ------------------------------------------------------------------------------------------------

enum { NOWHERE = ASTAR_DIRECTIONS, TURN_CELL_BITS = 24 };

static const uint32_t NO_TURN = UINT32_MAX;
// Largest sum of costs that is exact, in multiples of the unit to which the finder rounds costs.
static const double EXACT_UNITS = 0x1p52;

typedef struct CutoutFlood {
    const AstarAim *aim;
    uint16_t *origins; // for each cell the index of its source; NULL: sources are not recorded
    double zero, per_width, step[2];
    ptrdiff_t offsets[ASTAR_DIRECTIONS];
    bool backward;
    // Number of buckets in the ring. The number depends on the cutout alone, because the order in
    // which ties are broken depends on this number.
    size_t buckets;
    uint32_t used; // number of entries of the queue that were used so far
    size_t waiting;
    AstarStatus status;
} CutoutFlood;

// Returns the number of buckets in the ring. The ring spans the longest run of steps that is
// followed without the buckets. Each step of a run costs at most the width of two buckets.
static size_t buckets_ahead(const AstarCutout *cutout)
{
    size_t most = 2 * ((size_t)cutout->width + (size_t)cutout->height) + 4, size = 64;
    while (size < most)
        size *= 2;
    return size;
}

static AstarStatus reserve_first_turns(AstarCutout *cutout, size_t buckets)
{
    if (!ASTAR_RESERVE(&cutout->finder->world->allocator, cutout->queue.first, (size_t)0, buckets,
                       &cutout->queue.first_count, 64))
        return ASTAR_NO_MEMORY;
    memset(cutout->queue.first, 0xFF, buckets * sizeof *cutout->queue.first);
    return ASTAR_OK;
}

static int64_t bucket_of_cell(const AstarCutout *cutout, const CutoutFlood *flood, size_t at)
{
    return (int64_t)((cutout->g[at] - flood->zero) * flood->per_width);
}

// Returns the head of the list of a bucket's entries. Buckets whose numbers differ by a multiple of
// the ring's size share a list.
static uint32_t *first_turn_of(AstarCutout *cutout, const CutoutFlood *flood, int64_t bucket)
{
    return &cutout->queue.first[(uint64_t)bucket & (flood->buckets - 1)];
}

// Adds a cell to the bucket of its distance. On ground of one cost, 'way' is the set of directions
// in which runs of steps continue from the cell. On ground of several costs, 'way' is the direction
// of the step that led to the cell.
static inline void wait_to_turn(AstarCutout *cutout, CutoutFlood *flood, size_t at, unsigned way)
{
    if (!ASTAR_RESERVE(&cutout->finder->world->allocator, cutout->queue.turns, flood->used, 1u,
                       &cutout->queue.capacity, 1024)) {
        flood->status = ASTAR_NO_MEMORY;
        return;
    }
    uint32_t *first = first_turn_of(cutout, flood, bucket_of_cell(cutout, flood, at));
    cutout->queue.turns[flood->used] = (AstarTurn){(uint32_t)(at | (size_t)way << TURN_CELL_BITS),
                                                   *first};
    *first = flood->used++;
    flood->waiting++;
}

static size_t cell_of_turn(AstarTurn turn)
{
    return turn.cell & ((1u << TURN_CELL_BITS) - 1);
}

// Returns true if a path that reaches a cell at the cost 'way' cannot be continued to the aim
// within the cost limit.
static bool is_too_far(const AstarCutout *cutout, const AstarAim *aim, size_t at, double way)
{
    int32_t x = cutout->x0 + (int32_t)(at % (size_t)cutout->stride) - 1;
    int32_t y = cutout->y0 + (int32_t)(at / (size_t)cutout->stride) - 1;
    return way + astar_world_estimate(cutout->finder, x, y, aim->x, aim->y) > aim->limit;
}

// Follows steps straight on from a cell in a direction, as long as they lower the distances of
// cells. A diagonal run also starts straight runs to its sides.
static void run_flood(AstarCutout *cutout, CutoutFlood *flood, size_t at, int direction)
{
    const uint8_t *worth = cutout->finder->worth[direction];
    ptrdiff_t offset = flood->offsets[direction];
    double step = flood->step[direction & 1], way = cutout->g[at] + step;
    unsigned ahead = 1u << direction, beside = 0;
    uint16_t *origins = flood->origins, origin = origins != NULL ? origins[at] : 0;
    if (direction & 1)
        beside = 1u << (direction - 1) | 1u << ((direction + 1) & 7);
    for (;; way += step) {
        at = (size_t)((ptrdiff_t)at + offset);
        if (way >= cutout->g[at] || (flood->aim != NULL && is_too_far(cutout, flood->aim, at, way)))
            return;
        cutout->g[at] = way;
        if (origins != NULL)
            origins[at] = origin;
        unsigned wanted = worth[cutout->around[at]];
        if ((wanted & ~ahead & ~beside) != 0)
            wait_to_turn(cutout, flood, at, wanted & ~ahead & ~beside);
        for (unsigned rest = wanted & beside; rest != 0; rest &= rest - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(rest));
        if ((wanted & ahead) == 0)
            return;
    }
}

// Returns the directions of the steps to follow from a cell, as bits, over ground of several costs.
// If all its neighbours have the same terrain as the cell, these are the steps of canonical
// ordering. In a backward flood all legal steps are followed, because the cost of each step depends
// on the cell that the step leaves.
static unsigned steps_of_cell(const AstarCutout *cutout, bool backward, size_t at)
{
    const uint8_t *here = cutout->ground + at, same[3] = {*here, *here, *here};
    const uint8_t *north = here - cutout->stride, *south = here + cutout->stride;
    bool is_amid = memcmp(north - 1, same, 3) == 0 && memcmp(here - 1, same, 3) == 0 &&
                   memcmp(south - 1, same, 3) == 0;
    if (is_amid && !cutout->fear.is_told && !backward && !cutout->has_walls &&
        cutout->finder->is_canonical)
        return cutout->finder->worth[cutout->from[at]][0xFF];
    return backward ? astar_cutout_legal_into(cutout, at) : astar_cutout_legal(cutout, at);
}

// Lowers the distances of the neighbours of a cell, over ground of several costs.
static void expand_cutout_cell(AstarCutout *cutout, CutoutFlood *flood, size_t at)
{
    bool backward = flood->backward;
    for (unsigned wanted = steps_of_cell(cutout, backward, at); wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        size_t next = (size_t)((ptrdiff_t)at + flood->offsets[d]);
        double way = cutout->g[at] + astar_cutout_step(cutout, backward ? at : next, d);
        if (way >= cutout->g[next] ||
            (flood->aim != NULL && is_too_far(cutout, flood->aim, next, way)))
            continue;
        cutout->g[next] = way;
        cutout->from[next] = (uint8_t)d;
        cutout->origin[next] = cutout->origin[at];
        wait_to_turn(cutout, flood, next, (unsigned)d);
    }
}

// Continues a flood from a cell that was taken from its bucket. For 'way' see wait_to_turn.
static void take_turn(AstarCutout *cutout, CutoutFlood *flood, size_t at, unsigned way)
{
    if (cutout->is_uniform)
        for (; way != 0; way &= way - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(way));
    // If 'from' of the cell differs from the entry, the cell has got a lower distance after the
    // entry was made. In this case a newer entry exists for the cell.
    else if (cutout->from[at] == way)
        expand_cutout_cell(cutout, flood, at);
}

// Continues a flood from all cells of a bucket. Cells that belong to a later bucket with the same
// list stay in the list. Returns false if no cell belonged to this bucket.
static bool empty_turns(AstarCutout *cutout, CutoutFlood *flood, int64_t bucket)
{
    uint32_t *first = first_turn_of(cutout, flood, bucket), later = NO_TURN;
    bool is_due = false;
    while (*first != NO_TURN) {
        uint32_t number = *first;
        AstarTurn turn = cutout->queue.turns[number];
        *first = turn.next;
        size_t at = cell_of_turn(turn);
        int64_t its = bucket_of_cell(cutout, flood, at);
        if (its > bucket) {
            cutout->queue.turns[number].next = later;
            later = number;
            continue;
        }
        flood->waiting--;
        is_due = true;
        if (its < bucket)
            continue; // the distance of this cell was lowered, and the cell was expanded before
        take_turn(cutout, flood, at, turn.cell >> TURN_CELL_BITS);
    }
    *first = later;
    return is_due;
}

// Returns the number of the first bucket that contains a cell. This bucket may come millions of
// buckets after the current one if expensive links led to the sources of the flood.
static int64_t least_bucket(const AstarCutout *cutout, const CutoutFlood *flood)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < flood->buckets; i++)
        for (uint32_t turn = cutout->queue.first[i]; turn != NO_TURN;
             turn = cutout->queue.turns[turn].next) {
            int64_t its = bucket_of_cell(cutout, flood, cell_of_turn(cutout->queue.turns[turn]));
            least = its < least ? its : least;
        }
    return least;
}

// Returns true if the distances of all wanted cells are final. Distances below 'nearer_than' are
// final. Removes cells with final distances from the front of the list.
static bool are_settled(const AstarCutout *cutout, AstarWantedCells *cells, double nearer_than)
{
    while (cells->count > 0 && cutout->g[*cells->cells] < nearer_than) {
        cells->cells++;
        cells->count--;
    }
    return cells->count == 0;
}

// Adds all sources of a flood to their buckets. Returns the bucket of the nearest source.
static int64_t begin_at_sources(AstarCutout *cutout, CutoutFlood *flood, AstarSources sources)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < sources.count; i++) {
        AstarSource source = sources.list[i];
        cutout->g[source.at] = source.g;
        cutout->origin[source.at] = (uint16_t)i;
        cutout->from[source.at] = NOWHERE;
        wait_to_turn(cutout, flood, source.at,
                     cutout->is_uniform ? astar_cutout_legal(cutout, source.at) : NOWHERE);
        least = source.g < least ? source.g : least;
    }
    return (int64_t)((least - flood->zero) * flood->per_width);
}

// Computes distances from the sources until the distances of the wanted cells are final or, if
// 'wanted' is NULL, until all cells are reached.
static AstarStatus flood_cutout(AstarCutout *cutout, AstarSources sources, bool backward,
                                const AstarAim *aim, AstarWantedCells *wanted)
{
    size_t buckets = buckets_ahead(cutout);
    AstarStatus status = reserve_first_turns(cutout, buckets);
    if (status != ASTAR_OK)
        return status;
    double width = cutout->width_of_bucket;
    CutoutFlood flood = {.aim = aim,
                         .zero = sources.zero,
                         .per_width = 1 / width,
                         .backward = backward,
                         .buckets = buckets};
    flood.origins = sources.are_told ? cutout->origin : NULL;
    flood.step[0] = width;
    flood.step[1] = cutout->longest;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        flood.offsets[d] = astar_step_offset(cutout->stride, d);
    int64_t bucket = begin_at_sources(cutout, &flood, sources);
    size_t idle = 0; // number of successive buckets from which no cell was taken
    while (flood.waiting > 0 && flood.status == ASTAR_OK) {
        if (wanted != NULL && are_settled(cutout, wanted, flood.zero + (double)bucket * width))
            break;
        idle = empty_turns(cutout, &flood, bucket) ? 0 : idle + 1;
        bucket = idle < flood.buckets ? bucket + 1 : least_bucket(cutout, &flood);
    }
    return flood.status;
}

void astar_cutout_clear(AstarCutout *cutout)
{
    size_t cells = (size_t)cutout->stride * (size_t)(cutout->height + 2);
    for (size_t i = 0; i < cells; i++)
        cutout->g[i] = (double)INFINITY;
}

AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources)
{
    return flood_cutout(cutout, sources, false, NULL, NULL);
}

AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim)
{
    AstarSource start = {astar_cutout_at(cutout, x, y), 0};
    size_t target = aim != NULL ? astar_cutout_at(cutout, aim->x, aim->y) : start.at;
    AstarWantedCells wanted = {&target, 1};
    astar_cutout_clear(cutout);
    return flood_cutout(cutout, (AstarSources){&start, 1, false, 0}, backward, aim,
                        aim != NULL ? &wanted : NULL);
}

// Returns a power of two that is greater than the cost of any path in the cutout.
static double span_of_ways(const AstarCutout *cutout)
{
    int exponent;
    frexp((double)cutout->stride * (cutout->height + 2) * cutout->longest, &exponent);
    return ldexp(1, exponent);
}

// Returns the distance that the next flood gives to its source. This distance is so far below all
// earlier distances that these are treated as infinite. If sums of costs would not be exact so far
// below 0, sets all distances to infinity and returns 0.
static double next_zero(AstarCutout *cutout, double span)
{
    double zero = (floor(cutout->lowest / span) - 1) * span;
    if (zero < -EXACT_UNITS * astar_finder_exact_unit(cutout->finder->finder)) {
        for (size_t i = 0; i < cutout->capacity; i++)
            cutout->g[i] = (double)INFINITY;
        zero = 0;
    }
    cutout->lowest = zero;
    return zero;
}

// Earlier distances are not cleared before each flood of a square. Clearing them took 10 % of the
// time of a first query.
AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances)
{
    double span = span_of_ways(cutout), zero = next_zero(cutout, span);
    AstarSource start = {astar_cutout_at(cutout, x, y), zero};
    AstarWantedCells unsettled = wanted;
    AstarStatus status = flood_cutout(cutout, (AstarSources){&start, 1, false, zero}, false, NULL,
                                      &unsettled);
    for (size_t i = 0; i < wanted.count; i++) {
        double distance = cutout->g[wanted.cells[i]] - zero;
        distances[i] = distance < span ? distance : (double)INFINITY;
    }
    return status;
}

// Returns the direction of a step into a cell that accounts for the distance of the cell. If
// several steps do, prefers the direction 'after' of the next step, so that the path has few bends.
static int step_into(AstarCutout *cutout, size_t at, int after)
{
    int first = NOWHERE;
    for (unsigned rest = astar_cutout_legal_into(cutout, at); rest != 0; rest &= rest - 1) {
        int back = astar_lowest_bit(rest), d = (back + 4) & 7;
        double step = astar_cutout_step(cutout, at, d);
        if (cutout->g[astar_cutout_beside(cutout, at, back)] + step != cutout->g[at])
            continue;
        if (d == after)
            return d;
        if (first == NOWHERE)
            first = d;
    }
    return first;
}

AstarStatus astar_cutout_trace(AstarCutout *cutout, int32_t x, int32_t y, AstarPath *path)
{
    // The path is followed backward from its end. The directions of its steps are stored in 'from',
    // which the flood does not need any more.
    size_t end = astar_cutout_at(cutout, x, y), at = end;
    int direction = NOWHERE;
    while (cutout->g[at] > 0) {
        direction = step_into(cutout, at, direction);
        assert(direction != NOWHERE);
        at = astar_cutout_beside(cutout, at, (direction + 4) & 7);
        cutout->from[at] = (uint8_t)direction;
    }
    AstarStatus status = ASTAR_OK;
    for (; at != end && status == ASTAR_OK;
         at = astar_cutout_beside(cutout, at, cutout->from[at])) {
        size_t next = astar_cutout_beside(cutout, at, cutout->from[at]);
        int column = (int)(next % (size_t)cutout->stride),
            row = (int)(next / (size_t)cutout->stride);
        status = astar_path_add(path, cutout->x0 + column - 1, cutout->y0 + row - 1, 1);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// Detection of enclosed goals. Without it, a search for a goal in a closed room would explore an
// endless world.
//
// A flood goes backward from the goal, against one-way walls and links. It computes only which
// cells can be reached, which is much less work than computing distances. The flood runs beside the
// search: it floods one square whenever the search has done a certain amount of work. Of flood and
// search, the one that has less to explore thus ends first. If the flood ends without reaching the
// start or an absent chunk, no route leads from the start to the goal.
// ------------------------------------------------------------------------------------------------

enum { LAST = ASTAR_CHUNK_SIDE, WIDTH = LAST + 1 };

static bool has_bit(const uint64_t *bits, int cell)
{
    return (bits[cell / 64] >> cell % 64 & 1) != 0;
}

static void set_bit(uint64_t *bits, int cell)
{
    bits[cell / 64] |= (uint64_t)1 << cell % 64;
}

static int cell_of_square(const AstarEnclosedSquare *square, int32_t x, int32_t y)
{
    return (int)((y - square->plot.j * LAST) * WIDTH + (x - square->plot.i * LAST));
}

// The functions below store the squares that the flood from the goal has reached.

static AstarStatus need_enclosed_square(AstarRouteSearch *search, int32_t i, int32_t j,
                                        AstarEnclosedSquare **out)
{
    AstarWorld *world = search->finder->world;
    AstarPlots *plots = &search->enclosure.plots;
    size_t before = plots->count;
    *out = (AstarEnclosedSquare *)astar_plots_need(plots, &world->allocator, i, j, sizeof **out);
    world->bytes_of_floods += (plots->count - before) * sizeof **out;
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void let_square_wait(AstarEnclosure *enclosure, AstarEnclosedSquare *square)
{
    if (square->waits)
        return;
    square->waits = true;
    square->next = NULL;
    if (enclosure->first == NULL)
        enclosure->first = square;
    else
        enclosure->last->next = square;
    enclosure->last = square;
}

// Marks a cell, in all squares that contain it, as one from which a path leads to the goal.
ASTAR_COLD static AstarStatus reach_backward(AstarRouteSearch *search, int32_t x, int32_t y)
{
    if (!astar_is_of_world(x, y))
        return ASTAR_OK;
    AstarSquares in = astar_squares_of(x, y);
    AstarStatus status = ASTAR_OK;
    for (int32_t j = in.j0; j <= in.j1; j++)
        for (int32_t i = in.i0; i <= in.i1 && status == ASTAR_OK; i++) {
            AstarEnclosedSquare *square;
            status = need_enclosed_square(search, i, j, &square);
            if (status != ASTAR_OK || has_bit(square->reached, cell_of_square(square, x, y)))
                continue;
            set_bit(square->reached, cell_of_square(square, x, y));
            set_bit(square->fresh, cell_of_square(square, x, y));
            let_square_wait(&search->enclosure, square);
        }
    return status;
}

// The functions below flood one square.

static bool is_all_open(const AstarCutout *cutout)
{
    bool is_open = !cutout->has_walls;
    for (int y = 0; y < WIDTH && is_open; y++)
        is_open = memchr(cutout->open + astar_cutout_at(cutout, cutout->x0, cutout->y0 + y), 0,
                         WIDTH) == NULL;
    return is_open;
}

// Follows all legal steps within a square backward. Starts from the cells that the flood has
// reached since the last flood of this square.
ASTAR_COLD static void flood_square_backward(AstarEnclosedSquare *square, const AstarCutout *cutout)
{
    uint16_t stack[ASTAR_MOST_NODES];
    int count = 0;
    if (is_all_open(cutout)) {
        memset(square->reached, 0xFF, sizeof square->reached);
        return;
    }
    for (int cell = 0; cell < ASTAR_MOST_NODES; cell++)
        if (has_bit(square->fresh, cell))
            stack[count++] = (uint16_t)cell;
    while (count > 0) {
        int cell = stack[--count];
        size_t at = astar_cutout_at(cutout, cutout->x0 + cell % WIDTH, cutout->y0 + cell / WIDTH);
        if (!astar_cutout_is_open(cutout, at))
            continue; // a link begins in this cell, but the unit cannot stand here
        for (unsigned from = astar_cutout_legal_into(cutout, at); from != 0; from &= from - 1) {
            int d = astar_lowest_bit(from), next = cell + astar_dy[d] * WIDTH + astar_dx[d];
            if (has_bit(square->reached, next))
                continue;
            set_bit(square->reached, next);
            stack[count++] = (uint16_t)next;
        }
    }
}

// Marks the reached cells on the border of a square in the neighbouring squares as well.
static AstarStatus leave_square(AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    AstarStatus status = ASTAR_OK;
    for (int row = 0; row < WIDTH; row++)
        for (int column = 0; column < WIDTH && status == ASTAR_OK;
             column += row == 0 || row == LAST ? 1 : LAST)
            if (has_bit(square->reached, row * WIDTH + column))
                status = reach_backward(search, square->plot.i * LAST + column,
                                        square->plot.j * LAST + row);
    return status;
}

// Follows backward all links that lead to reached cells of a square.
static AstarStatus leave_over_links(AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    const AstarWorld *world = search->finder->world;
    const AstarCutout *cutout = world->cutout;
    AstarStatus status = ASTAR_OK;
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++) {
        const AstarLink *link = &world->links[i];
        if (astar_cutout_holds(cutout, link->x1, link->y1) &&
            has_bit(square->reached, cell_of_square(square, link->x1, link->y1)))
            status = reach_backward(search, link->x0, link->y0);
    }
    return status;
}

// Returns true if a path to the goal may come from an absent chunk next to a square.
static bool is_beside_frontier(const AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    AstarNodeLine lines[ASTAR_FRONTIER_LINES];
    int count = !astar_has_frontier(search->finder)
                    ? 0
                    : astar_square_frontier(search->finder, square->plot.i, square->plot.j, lines);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < lines[k].length; i++)
            if (has_bit(square->reached, (lines[k].row + lines[k].dy * i) * WIDTH +
                                             lines[k].column + lines[k].dx * i))
                return true;
    return false;
}

static bool holds_start(const AstarRouteSearch *search, const AstarEnclosedSquare *square)
{
    return astar_cutout_holds(search->finder->world->cutout, search->sx, search->sy) &&
           has_bit(square->reached, cell_of_square(square, search->sx, search->sy));
}

// The functions below start, continue and end the flood as a part of the search.

ASTAR_COLD AstarStatus astar_enclosure_begin(AstarRouteSearch *search)
{
    astar_enclosure_free(search);
    const AstarWorld *world = search->finder->world;
    search->enclosure.is_over = false;
    AstarStatus status = ASTAR_OK;
    // Only the border cells of the area within range of a goal are marked, because all paths enter
    // the area through these cells, except paths over links.
    for (size_t i = 0; i < search->aims.count; i++) {
        AstarWorldEdit box = astar_route_goal_box(&search->aims.goals[i]);
        for (int32_t y = box.y0; y <= box.y1; y++)
            for (int32_t x = box.x0; x <= box.x1 && status == ASTAR_OK;
                 x += y == box.y0 || y == box.y1 ? 1 : box.x1 - box.x0)
                status = reach_backward(search, x, y);
    }
    for (uint32_t i = 0; i < world->link_count && status == ASTAR_OK; i++)
        if (astar_route_is_goal(search, world->links[i].x1, world->links[i].y1))
            status = reach_backward(search, world->links[i].x1, world->links[i].y1);
    return status;
}

// If memory runs out, the square is put back into the list, so that it is flooded again later.
ASTAR_COLD AstarStatus astar_enclosure_flood_next(AstarRouteSearch *search, void *context)
{
    AstarEnclosure *enclosure = &search->enclosure;
    AstarEnclosedSquare *square = enclosure->first;
    if (square == NULL)
        return ASTAR_UNREACHABLE;
    astar_route_note_square(search, square->plot.i, square->plot.j);
    AstarStatus status = astar_route_fill_square(search, square->plot.i, square->plot.j, context);
    if (status != ASTAR_OK)
        return status;
    flood_square_backward(square, search->finder->world->cutout);
    enclosure->first = square->next;
    square->waits = false;
    memset(square->fresh, 0, sizeof square->fresh);
    status = leave_square(search, square);
    if (status == ASTAR_OK)
        status = leave_over_links(search, square);
    if (status != ASTAR_OK) {
        memcpy(square->fresh, square->reached, sizeof square->fresh);
        let_square_wait(enclosure, square);
        return status;
    }
    enclosure->floods++;
    bool is_large = enclosure->plots.count * sizeof *square >
                    // The flood may use 1 / 8 of the memory for chunks.
                    search->finder->world->options.bytes / 8;
    if (is_large || holds_start(search, square) || is_beside_frontier(search, square))
        astar_enclosure_free(search);
    return ASTAR_RUNNING;
}

// Frees the flood from the goal. Afterwards the search cannot use the flood to show that there is
// no route.
void astar_enclosure_free(AstarRouteSearch *search)
{
    AstarWorld *world = search->finder->world;
    AstarEnclosure *enclosure = &search->enclosure;
    world->bytes_of_floods -= enclosure->plots.count * sizeof(AstarEnclosedSquare);
    astar_plots_free(&enclosure->plots, &world->allocator);
    *enclosure = (AstarEnclosure){.is_over = true};
}
