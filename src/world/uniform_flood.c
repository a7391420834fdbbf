// uniform_flood.c -- distances inside a cutout over ground of one cost.
//
// Ways in canonical order go straight on until they must turn: so cells are reached by runs, and
// only those where a run forks wait in a bucket for their turn.

#include "world/cutout_flood.h"

#include "base/array.h"

enum { TURN_CELL_BITS = 24 };

static const uint32_t NO_TURN = UINT32_MAX;

// A flood over ground of one cost. Ways in canonical order go straight on until they must turn: so
// cells are reached by runs, and only those where a run forks wait in a bucket for their turn.
typedef struct UniformFlood {
    const AstarAim *aim;
    uint16_t *origins; // NULL: they are not told apart
    double zero, per_width, step[2];
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

static int64_t bucket_of_cell(const AstarCutout *cutout, const UniformFlood *flood, size_t at)
{
    return (int64_t)((cutout->g[at] - flood->zero) * flood->per_width);
}

// The first turn of those that wait for a bucket, or for one that lies as far on as they go round.
static uint32_t *first_turn_of(AstarCutout *cutout, int64_t bucket)
{
    return &cutout->first_turns[(uint64_t)bucket & (cutout->first_turn_count - 1)];
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
    uint32_t *first = first_turn_of(cutout, bucket_of_cell(cutout, flood, at));
    cutout->turns[flood->used] = (AstarTurn){(uint32_t)(at | (size_t)directions << TURN_CELL_BITS),
                                             *first};
    *first = flood->used++;
    flood->waiting++;
}

static size_t cell_of_turn(AstarTurn turn)
{
    return turn.cell & ((1u << TURN_CELL_BITS) - 1);
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

// What lies farther off than the buckets go round waits for a later turn of them. False: nothing
// waited for this one.
static bool empty_turns(AstarCutout *cutout, UniformFlood *flood, int64_t bucket)
{
    uint32_t *first = first_turn_of(cutout, bucket), later = NO_TURN;
    bool is_due = false;
    while (*first != NO_TURN) {
        uint32_t number = *first;
        AstarTurn turn = cutout->turns[number];
        *first = turn.next;
        size_t at = cell_of_turn(turn);
        int64_t its = bucket_of_cell(cutout, flood, at);
        if (its > bucket) {
            cutout->turns[number].next = later;
            later = number;
            continue;
        }
        flood->waiting--;
        is_due = true;
        if (its < bucket)
            continue; // it came nearer
        for (unsigned rest = turn.cell >> TURN_CELL_BITS; rest != 0; rest &= rest - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(rest));
    }
    *first = later;
    return is_due;
}

// The least bucket that something waits for: of cells to which dear links lead, it may be millions
// on from the one before.
static int64_t least_bucket(const AstarCutout *cutout, const UniformFlood *flood)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < cutout->first_turn_count; i++)
        for (uint32_t turn = cutout->first_turns[i]; turn != NO_TURN;
             turn = cutout->turns[turn].next) {
            int64_t its = bucket_of_cell(cutout, flood, cell_of_turn(cutout->turns[turn]));
            least = its < least ? its : least;
        }
    return least;
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

// Has all sources wait; the bucket of the first.
static int64_t begin_at_sources(AstarCutout *cutout, UniformFlood *flood, AstarSources sources)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < sources.count; i++) {
        AstarSource source = sources.list[i];
        cutout->g[source.at] = source.g;
        cutout->origin[source.at] = (uint16_t)i;
        wait_to_turn(cutout, flood, source.at, astar_cutout_legal(cutout, source.at));
        least = source.g < least ? source.g : least;
    }
    return (int64_t)((least - flood->zero) * flood->per_width);
}

AstarStatus astar_cutout_flood_uniform(AstarCutout *cutout, AstarSources sources,
                                       const AstarAim *aim, AstarWantedCells *wanted)
{
    AstarStatus status = reserve_first_turns(cutout, buckets_ahead(cutout));
    if (status != ASTAR_OK)
        return status;
    double width = cutout->width_of_bucket;
    UniformFlood flood = {
        .aim = aim, .zero = sources.zero, .per_width = 1 / width, .status = ASTAR_OK};
    flood.origins = sources.are_told ? cutout->origin : NULL;
    flood.step[0] = width;
    flood.step[1] = cutout->longest;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        flood.offsets[d] = astar_step_offset(cutout->stride, d);
    int64_t bucket = begin_at_sources(cutout, &flood, sources);
    size_t idle = 0; // buckets in a row that nothing waited for
    while (flood.waiting > 0 && flood.status == ASTAR_OK) {
        if (wanted != NULL && are_settled(cutout, wanted, flood.zero + (double)bucket * width))
            break;
        idle = empty_turns(cutout, &flood, bucket) ? 0 : idle + 1;
        bucket = idle < cutout->first_turn_count ? bucket + 1 : least_bucket(cutout, &flood);
    }
    return flood.status;
}
