// cutout_flood.c -- distances inside a cutout, and ways by them.
//
// Dijkstra's algorithm with buckets as wide as the cheapest step, so that the order within a bucket
// does not matter. Over ground of one cost ways in canonical order go straight on until they must
// turn: so cells are reached by runs, and only those where a run forks wait in a bucket for their
// turn. Over ground of several costs every cell does, and is gone on from in the same order.

#include "world/cutout.h"

#include "base/array.h"
#include "path/path.h"

#include <assert.h>

enum { NOWHERE = ASTAR_DIRECTIONS, TURN_CELL_BITS = 24 };

static const uint32_t NO_TURN = UINT32_MAX;
// Sums of costs are exact up to so many of a finder's units.
static const double EXACT_UNITS = 0x1p52;

typedef struct CutoutFlood {
    const AstarAim *aim;
    uint16_t *origins; // NULL: they are not told apart
    double zero, per_width, step[2];
    ptrdiff_t offsets[ASTAR_DIRECTIONS];
    bool backward;
    size_t buckets; // that go round: of this cutout alone, for ties fall by their number
    uint32_t used;  // of the cutout's turns
    size_t waiting;
    AstarStatus status;
} CutoutFlood;

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

// The first turn of those that wait for a bucket, or for one that lies as far on as they go round.
static uint32_t *first_turn_of(AstarCutout *cutout, const CutoutFlood *flood, int64_t bucket)
{
    return &cutout->queue.first[(uint64_t)bucket & (flood->buckets - 1)];
}

// Has a cell wait for its bucket. 'way' tells the directions in which runs are to go from there,
// or, over ground of several costs, the one that led there.
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

// Whether no way over a cell reaches the aim within the limit.
static bool is_too_far(const AstarCutout *cutout, const AstarAim *aim, size_t at, double way)
{
    int32_t x = cutout->x0 + (int32_t)(at % (size_t)cutout->stride) - 1;
    int32_t y = cutout->y0 + (int32_t)(at / (size_t)cutout->stride) - 1;
    return way + astar_world_estimate(cutout->finder, x, y, aim->x, aim->y) > aim->limit;
}

// Goes straight on from a cell while that brings cells nearer. A diagonal run sends out the
// straight ones beside it as it goes.
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

// The steps to follow from a cell over ground of several costs: amid its own, those in canonical
// order. Backward it would count what lies behind as well.
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

// Goes one step on from a cell, over ground of several costs.
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

// Goes on from a cell whose turn it is.
static void take_turn(AstarCutout *cutout, CutoutFlood *flood, size_t at, unsigned way)
{
    if (cutout->is_uniform)
        for (; way != 0; way &= way - 1)
            run_flood(cutout, flood, at, astar_lowest_bit(way));
    else if (cutout->from[at] == way) // else it came nearer, and waits for that
        expand_cutout_cell(cutout, flood, at);
}

// What lies farther off than the buckets go round waits for a later turn of them. False: nothing
// waited for this one.
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
            continue; // it came nearer
        take_turn(cutout, flood, at, turn.cell >> TURN_CELL_BITS);
    }
    *first = later;
    return is_due;
}

// The least bucket that something waits for: of cells to which dear links lead, it may be millions
// on from the one before.
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

// Floods from the sources until all that is wanted is settled, NULL: to the end.
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
    size_t idle = 0; // buckets in a row that nothing waited for
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

// More than any way inside costs, a power of two.
static double span_of_ways(const AstarCutout *cutout)
{
    int exponent;
    frexp((double)cutout->stride * (cutout->height + 2) * cutout->longest, &exponent);
    return ldexp(1, exponent);
}

// The cost to start from, so far below the last that what floods have left counts as no way yet;
// unless sums would not be exact there: then all is cleared.
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

// Nothing is cleared between the rows of a square: that took a tenth of a first answer.
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

// The direction of the step that led to a cell at its best cost: where several did, that of the
// step after it, so that the way bends little, else the first.
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
    // Backward from the end, the directions kept in 'from', which is done with.
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
