// cutout.c -- a rectangle of a world laid out for one unit, and distances inside it.
//
// The one place that knows of a world what a unit may enter, what that costs and which steps are
// legal: corner rules, sizes, blocks and walls all come in here. Distances are found by Dijkstra's
// algorithm with buckets as wide as the cheapest step, so that the order within a bucket does not
// matter; over ground of one cost by the runs of canonical order only.

#include "world/cutout.h"

#include "base/array.h"
#include "path/path.h"

enum { OUTSIDE = ASTAR_SOLID_GROUND, NOWHERE = 8 };

static void free_cutout_cells(AstarCutout *cutout, const AstarAllocator *allocator)
{
    astar_release(allocator, cutout->ground, cutout->capacity, 1);
    astar_release(allocator, cutout->legal, cutout->capacity, 1);
    astar_release(allocator, cutout->around, cutout->capacity, 1);
    astar_release(allocator, cutout->known, cutout->capacity, 1);
    astar_release(allocator, cutout->walls, cutout->capacity, 1);
    astar_release(allocator, cutout->from, cutout->capacity, 1);
    astar_release(allocator, cutout->g, cutout->capacity, sizeof *cutout->g);
    cutout->ground = cutout->legal = cutout->around = cutout->known = cutout->walls = cutout->from =
        NULL;
    cutout->g = NULL;
    cutout->capacity = 0;
}

void astar_cutout_free(AstarCutout *cutout, const AstarAllocator *allocator)
{
    free_cutout_cells(cutout, allocator);
    astar_release(allocator, cutout->raw, cutout->raw_capacity, 1);
    astar_release(allocator, cutout->turns, cutout->turn_capacity, sizeof *cutout->turns);
    astar_release(allocator, cutout->first_turns, cutout->first_turn_count,
                  sizeof *cutout->first_turns);
    astar_bucket_queue_free(&cutout->queue, allocator);
    *cutout = (AstarCutout){0};
}

static AstarStatus reserve_cutout(AstarCutout *cutout, const AstarAllocator *allocator,
                                  size_t cells, size_t raw)
{
    if (raw > cutout->raw_capacity) {
        astar_release(allocator, cutout->raw, cutout->raw_capacity, 1);
        cutout->raw = astar_alloc(allocator, raw, 1);
        cutout->raw_capacity = cutout->raw != NULL ? raw : 0;
    }
    if (cells > cutout->capacity) {
        free_cutout_cells(cutout, allocator);
        cutout->capacity = cells;
        cutout->ground = astar_alloc(allocator, cells, 1);
        cutout->legal = astar_alloc(allocator, cells, 1);
        cutout->around = astar_alloc(allocator, cells, 1);
        cutout->known = astar_alloc(allocator, cells, 1);
        cutout->walls = astar_alloc(allocator, cells, 1);
        cutout->from = astar_alloc(allocator, cells, 1);
        cutout->g = astar_alloc(allocator, cells, sizeof *cutout->g);
    }
    bool fine = cutout->raw != NULL && cutout->ground != NULL && cutout->legal != NULL &&
                cutout->around != NULL && cutout->known != NULL && cutout->walls != NULL &&
                cutout->from != NULL && cutout->g != NULL;
    if (!fine)
        free_cutout_cells(cutout, allocator);
    return fine ? ASTAR_OK : ASTAR_NO_MEMORY;
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

// Whether all ground of the cutout that can be entered costs the same; its cheapest and dearest.
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
    cutout->is_uniform = least == most && !cutout->has_walls;
    cutout->width_of_bucket = isinf(least) ? 1 : least;
    cutout->longest = isinf(least) ? 1 : longest;
}

AstarStatus astar_cutout_fill(AstarCutout *cutout, AstarWorldFinder *finder, int32_t x0, int32_t y0,
                              int width, int height, AstarLifted lifted, void *context)
{
    AstarWorld *world = finder->world;
    int more = finder->size - 1;
    RawRows raw = {NULL, x0, y0, width + more, height + more};
    size_t cells = (size_t)(width + 2) * (size_t)(height + 2);
    AstarStatus status = reserve_cutout(cutout, &world->allocator, cells,
                                        (size_t)raw.width * (size_t)raw.height);
    if (status != ASTAR_OK)
        return status;
    cutout->finder = finder;
    cutout->x0 = x0;
    cutout->y0 = y0;
    cutout->width = width;
    cutout->height = height;
    cutout->stride = width + 2;
    cutout->has_walls = false;
    memset(cutout->ground, OUTSIDE, cells);
    memset(cutout->known, 0, cells);
    memset(cutout->walls, 0, cells);
    raw.cells = cutout->raw;
    status = copy_chunks(cutout, world, raw, lifted, context);
    if (status != ASTAR_OK)
        return status;
    if (more > 0)
        widen_unit(finder, raw);
    uint8_t kinds[256] = {0};
    for (int y = 0; y < height; y++) {
        const uint8_t *row = raw.cells + (size_t)y * (size_t)raw.width;
        memcpy(cutout->ground + astar_cutout_at(cutout, x0, y0 + y), row, (size_t)width);
        for (int x = 0; x < width; x++)
            kinds[row[x]] = 1;
    }
    judge_ground(cutout, kinds);
    return ASTAR_OK;
}

// ---- steps ----

static ptrdiff_t offset_of(const AstarCutout *cutout, int direction)
{
    return (ptrdiff_t)astar_dy[direction] * cutout->stride + astar_dx[direction];
}

static size_t neighbour_at(const AstarCutout *cutout, size_t at, int direction)
{
    return (size_t)((ptrdiff_t)at + offset_of(cutout, direction));
}

static bool bars(const AstarCutout *cutout, size_t at, int direction)
{
    return (cutout->walls[at] >> direction & 1) != 0;
}

// As is said of astar_grid_wall: a diagonal step has two ways around, either of which a wall
// closes.
static bool is_legal_past_walls(const AstarCutout *cutout, size_t at, unsigned free, int direction)
{
    if ((direction & 1) == 0)
        return !bars(cutout, at, direction);
    int left = (direction + 7) & 7, right = (direction + 1) & 7;
    bool left_closed = bars(cutout, at, left) ||
                       bars(cutout, neighbour_at(cutout, at, left), right);
    bool right_closed = bars(cutout, at, right) ||
                        bars(cutout, neighbour_at(cutout, at, right), left);
    unsigned closed = (unsigned)left_closed << left | (unsigned)right_closed << right;
    return !(left_closed && right_closed) &&
           (cutout->finder->rule->legal[0][free & ~closed] >> direction & 1) != 0;
}

static void learn_cell(AstarCutout *cutout, size_t at)
{
    unsigned free = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        free |= (unsigned)astar_cutout_is_open(cutout, neighbour_at(cutout, at, d)) << d;
    unsigned legal = cutout->finder->rule->legal[0][free];
    for (unsigned rest = cutout->has_walls ? legal : 0; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        if (!is_legal_past_walls(cutout, at, free, d))
            legal &= ~(1u << d);
    }
    cutout->around[at] = (uint8_t)free;
    cutout->legal[at] = (uint8_t)legal;
    cutout->known[at] = 1;
}

unsigned astar_cutout_legal(AstarCutout *cutout, size_t at)
{
    if (!cutout->known[at])
        learn_cell(cutout, at);
    return cutout->legal[at];
}

// The directions of the neighbours that a legal step leads here from.
static unsigned legal_into(AstarCutout *cutout, size_t at)
{
    unsigned from = 0;
    if (!cutout->known[at])
        learn_cell(cutout, at);
    for (unsigned rest = cutout->around[at]; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        unsigned back = astar_cutout_legal(cutout, neighbour_at(cutout, at, d));
        from |= (back >> ((d + 4) & 7) & 1) << d;
    }
    return from;
}

// ---- distances ----

static AstarStatus bring_nearer(AstarCutout *cutout, size_t at, int direction, double way,
                                const AstarAim *aim)
{
    if (way >= cutout->g[at])
        return ASTAR_OK;
    int row = (int)(at / (size_t)cutout->stride), column = (int)(at % (size_t)cutout->stride);
    if (aim != NULL) {
        int32_t x = cutout->x0 + column - 1, y = cutout->y0 + row - 1;
        if (way + astar_world_estimate(cutout->finder, x, y, aim->x, aim->y) > aim->limit)
            return ASTAR_OK;
    }
    cutout->g[at] = way;
    cutout->from[at] = (uint8_t)direction;
    return astar_bucket_queue_put(&cutout->queue, &cutout->finder->world->allocator,
                                  astar_entry(column, row, (unsigned)direction), way);
}

static AstarStatus expand_cutout_cell(AstarCutout *cutout, size_t at, bool backward,
                                      const AstarAim *aim)
{
    const AstarWorldFinder *finder = cutout->finder;
    double g = cutout->g[at];
    unsigned wanted = backward ? legal_into(cutout, at) : astar_cutout_legal(cutout, at);
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        size_t next = neighbour_at(cutout, at, d);
        double step = finder->step[d & 1][cutout->ground[backward ? at : next]];
        AstarStatus status = bring_nearer(cutout, next, d, g + step, aim);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

static AstarStatus empty_cutout_bucket(AstarCutout *cutout, bool backward, const AstarAim *aim)
{
    AstarBucketQueue *queue = &cutout->queue;
    size_t mask = queue->size - 1;
    while (queue->position < queue->ring[(size_t)queue->current & mask].count) {
        uint64_t entry = queue->ring[(size_t)queue->current & mask].entries[queue->position++];
        size_t at = (size_t)astar_entry_y(entry) * (size_t)cutout->stride +
                    (size_t)astar_entry_x(entry);
        if (astar_bucket_of(queue, cutout->g[at]) != queue->current ||
            astar_entry_from(entry) != cutout->from[at])
            continue;
        AstarStatus status = expand_cutout_cell(cutout, at, backward, aim);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// ---- the same over ground of one cost ----

enum { TURN_CELL_BITS = 24 };

static const uint32_t NO_TURN = UINT32_MAX;

// A flood over ground of one cost. Ways in canonical order go straight on until they must turn: so
// cells are reached by runs, and only those where a run forks wait in a bucket for their turn.
typedef struct UniformFlood {
    const AstarAim *aim;
    double per_width, step[2];
    ptrdiff_t offsets[ASTAR_DIRECTIONS];
    uint32_t used; // of the cutout's turns
    size_t waiting;
    AstarStatus status;
} UniformFlood;

// Buckets that a run can be ahead of the one it started from: no step is longer than two.
static size_t buckets_ahead(const AstarCutout *cutout)
{
    size_t most = 2 * ((size_t)cutout->width + (size_t)cutout->height) + 4, size = 64;
    while (size < most)
        size *= 2;
    return size;
}

static AstarStatus reserve_first_turns(AstarCutout *cutout, size_t buckets)
{
    const AstarAllocator *allocator = &cutout->finder->world->allocator;
    if (buckets > cutout->first_turn_count) {
        astar_release(allocator, cutout->first_turns, cutout->first_turn_count,
                      sizeof *cutout->first_turns);
        cutout->first_turns = astar_alloc(allocator, buckets, sizeof *cutout->first_turns);
        cutout->first_turn_count = cutout->first_turns != NULL ? buckets : 0;
    }
    if (cutout->first_turns == NULL)
        return ASTAR_NO_MEMORY;
    memset(cutout->first_turns, 0xFF, cutout->first_turn_count * sizeof *cutout->first_turns);
    return ASTAR_OK;
}

// Has a cell wait for its bucket; from there runs are to go in those directions.
static void wait_to_turn(AstarCutout *cutout, UniformFlood *flood, size_t at, unsigned directions)
{
    if (flood->used == cutout->turn_capacity) {
        const AstarAllocator *allocator = &cutout->finder->world->allocator;
        AstarTurn *turns = astar_array_grow(allocator, cutout->turns, flood->used, sizeof *turns,
                                            &cutout->turn_capacity, 0, 1024);
        if (turns == NULL) {
            flood->status = ASTAR_NO_MEMORY;
            return;
        }
        cutout->turns = turns;
    }
    size_t bucket = (size_t)(cutout->g[at] * flood->per_width) & (cutout->first_turn_count - 1);
    cutout->turns[flood->used] = (AstarTurn){(uint32_t)(at | (size_t)directions << TURN_CELL_BITS),
                                             cutout->first_turns[bucket]};
    cutout->first_turns[bucket] = flood->used++;
    flood->waiting++;
}

// Whether no way over a cell reaches the aim within the limit.
static bool is_too_far(const AstarCutout *cutout, const AstarAim *aim, size_t at, double way)
{
    int32_t x = cutout->x0 + (int32_t)(at % (size_t)cutout->stride) - 1;
    int32_t y = cutout->y0 + (int32_t)(at / (size_t)cutout->stride) - 1;
    return way + astar_world_estimate(cutout->finder, x, y, aim->x, aim->y) > aim->limit;
}

// Goes straight on from a cell while that brings cells nearer. A diagonal run sends out the
// straight ones beside it as it goes.
static void run_flood(AstarCutout *cutout, UniformFlood *flood, size_t at, int direction)
{
    const uint8_t *worth = cutout->finder->worth[direction];
    ptrdiff_t offset = flood->offsets[direction];
    double step = flood->step[direction & 1], way = cutout->g[at] + step;
    unsigned ahead = 1u << direction, beside = 0;
    if (direction & 1)
        beside = 1u << (direction - 1) | 1u << ((direction + 1) & 7);
    for (;; way += step) {
        at = (size_t)((ptrdiff_t)at + offset);
        if (way >= cutout->g[at] || (flood->aim != NULL && is_too_far(cutout, flood->aim, at, way)))
            return;
        cutout->g[at] = way;
        if (!cutout->known[at])
            learn_cell(cutout, at);
        unsigned wanted = worth[cutout->around[at]];
        if ((wanted & ~ahead & ~beside) != 0)
            wait_to_turn(cutout, flood, at, wanted & ~ahead & ~beside);
        for (unsigned rest = wanted & beside; rest != 0; rest &= rest - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(rest));
        if ((wanted & ahead) == 0)
            return;
    }
}

static void empty_turns(AstarCutout *cutout, UniformFlood *flood, int64_t bucket)
{
    uint32_t *first = &cutout->first_turns[(size_t)bucket & (cutout->first_turn_count - 1)];
    while (*first != NO_TURN) {
        AstarTurn turn = cutout->turns[*first];
        *first = turn.next;
        flood->waiting--;
        size_t at = turn.cell & ((1u << TURN_CELL_BITS) - 1);
        if ((int64_t)(cutout->g[at] * flood->per_width) != bucket)
            continue; // it came nearer
        for (unsigned rest = turn.cell >> TURN_CELL_BITS; rest != 0; rest &= rest - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(rest));
    }
}

// Whether no way that still waits can bring any of the cells nearer; passes over those of which
// that is so.
static bool are_settled(const AstarCutout *cutout, AstarWantedCells *cells, double nearer_than)
{
    while (cells->count > 0 && cutout->g[*cells->cells] < nearer_than) {
        cells->cells++;
        cells->count--;
    }
    return cells->count == 0;
}

static AstarStatus flood_uniform(AstarCutout *cutout, size_t start, const AstarAim *aim,
                                 AstarWantedCells *wanted)
{
    AstarStatus status = reserve_first_turns(cutout, buckets_ahead(cutout));
    if (status != ASTAR_OK)
        return status;
    double width = cutout->width_of_bucket;
    UniformFlood flood = {.aim = aim, .per_width = 1 / width, .status = ASTAR_OK};
    flood.step[0] = width;
    flood.step[1] = cutout->longest;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        flood.offsets[d] = offset_of(cutout, d);
    cutout->g[start] = 0;
    wait_to_turn(cutout, &flood, start, astar_cutout_legal(cutout, start));
    for (int64_t bucket = 0; flood.waiting > 0 && flood.status == ASTAR_OK; bucket++) {
        if (wanted != NULL && are_settled(cutout, wanted, (double)bucket * width))
            break;
        empty_turns(cutout, &flood, bucket);
    }
    return flood.status;
}

static AstarStatus flood_weighted(AstarCutout *cutout, size_t start, bool backward,
                                  const AstarAim *aim)
{
    const AstarAllocator *allocator = &cutout->finder->world->allocator;
    AstarBucketQueue *queue = &cutout->queue;
    AstarStatus status = astar_bucket_queue_begin(queue, allocator, 0, cutout->width_of_bucket,
                                                  cutout->longest / cutout->width_of_bucket);
    if (status == ASTAR_OK)
        status = bring_nearer(cutout, start, NOWHERE, 0, NULL);
    size_t target = aim != NULL ? astar_cutout_at(cutout, aim->x, aim->y) : start;
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(queue)) {
        if (aim != NULL && !isinf(cutout->g[target]) &&
            astar_bucket_of(queue, cutout->g[target]) < queue->current)
            break;
        status = empty_cutout_bucket(cutout, backward, aim);
        if (status == ASTAR_OK)
            status = astar_bucket_queue_advance(queue, allocator, cutout->g, cutout->stride);
    }
    return status;
}

static size_t begin_flood(AstarCutout *cutout, int32_t x, int32_t y)
{
    size_t cells = (size_t)cutout->stride * (size_t)(cutout->height + 2);
    for (size_t i = 0; i < cells; i++)
        cutout->g[i] = (double)INFINITY;
    return astar_cutout_at(cutout, x, y);
}

AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim)
{
    size_t start = begin_flood(cutout, x, y);
    if (!cutout->is_uniform)
        return flood_weighted(cutout, start, backward, aim);
    size_t target = aim != NULL ? astar_cutout_at(cutout, aim->x, aim->y) : start;
    AstarWantedCells wanted = {&target, 1};
    return flood_uniform(cutout, start, aim, aim != NULL ? &wanted : NULL);
}

AstarStatus astar_cutout_flood_to(AstarCutout *cutout, int32_t x, int32_t y,
                                  AstarWantedCells wanted)
{
    size_t start = begin_flood(cutout, x, y);
    return cutout->is_uniform ? flood_uniform(cutout, start, NULL, &wanted)
                              : flood_weighted(cutout, start, false, NULL);
}

// The direction of the step that led to a cell at its best cost: where several did, that of the
// step after it, so that the way bends little, else the first.
static int step_into(AstarCutout *cutout, size_t at, int after)
{
    const AstarWorldFinder *finder = cutout->finder;
    int first = NOWHERE;
    for (unsigned rest = legal_into(cutout, at); rest != 0; rest &= rest - 1) {
        int back = astar_lowest_bit(rest), d = (back + 4) & 7;
        double step = finder->step[d & 1][cutout->ground[at]];
        if (cutout->g[neighbour_at(cutout, at, back)] + step != cutout->g[at])
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
    // Backward from the end, the directions kept in 'from', which is done with.
    size_t end = astar_cutout_at(cutout, x, y), at = end;
    int direction = NOWHERE;
    while (cutout->g[at] > 0) {
        direction = step_into(cutout, at, direction);
        assert(direction != NOWHERE);
        at = neighbour_at(cutout, at, (direction + 4) & 7);
        cutout->from[at] = (uint8_t)direction;
    }
    AstarStatus status = ASTAR_OK;
    for (; at != end && status == ASTAR_OK; at = neighbour_at(cutout, at, cutout->from[at])) {
        size_t next = neighbour_at(cutout, at, cutout->from[at]);
        int column = (int)(next % (size_t)cutout->stride),
            row = (int)(next / (size_t)cutout->stride);
        status = astar_path_add(path, cutout->x0 + column - 1, cutout->y0 + row - 1, 1);
    }
    return status;
}
