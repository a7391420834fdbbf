// cutout_flood.c -- distances inside a cutout, and ways by them.
//
// Dijkstra's algorithm with buckets as wide as the cheapest step, so that the order within a bucket
// does not matter; over ground of one cost by runs (uniform_flood.c).

#include "world/cutout_flood.h"

#include "path/path.h"

#include <assert.h>

enum { NOWHERE = 8 };

// Sums of costs are exact up to so many of a finder's units.
static const double EXACT_UNITS = 0x1p52;

// The directions of the neighbours that a legal step leads here from.
static unsigned legal_into(const AstarCutout *cutout, size_t at)
{
    unsigned from = 0;
    for (unsigned rest = cutout->around[at]; rest != 0; rest &= rest - 1) {
        int d = astar_lowest_bit(rest);
        unsigned back = astar_cutout_legal(cutout, astar_cutout_beside(cutout, at, d));
        from |= (back >> ((d + 4) & 7) & 1) << d;
    }
    return from;
}

static AstarStatus bring_nearer(AstarCutout *cutout, size_t at, int direction, double way,
                                uint16_t origin, const AstarAim *aim)
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
    cutout->origin[at] = origin;
    return astar_bucket_queue_put(&cutout->queue, &cutout->finder->world->allocator,
                                  astar_entry(column, row, (unsigned)direction), way);
}

static AstarStatus expand_cutout_cell(AstarCutout *cutout, size_t at, bool backward,
                                      const AstarAim *aim)
{
    const AstarWorldFinder *finder = cutout->finder;
    double g = cutout->g[at];
    uint16_t origin = cutout->origin[at];
    unsigned wanted = backward ? legal_into(cutout, at) : astar_cutout_legal(cutout, at);
    for (; wanted != 0; wanted &= wanted - 1) {
        int d = astar_lowest_bit(wanted);
        size_t next = astar_cutout_beside(cutout, at, d);
        double step = finder->step[d & 1][cutout->ground[backward ? at : next]];
        AstarStatus status = bring_nearer(cutout, next, d, g + step, origin, aim);
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

static double least_of_sources(AstarSources sources)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < sources.count; i++)
        least = fmin(least, sources.list[i].g);
    return least;
}

static double distance_in_cutout(const void *cutout, int x, int y)
{
    const AstarCutout *of = cutout;
    return of->g[(size_t)y * (size_t)of->stride + (size_t)x];
}

static AstarStatus flood_weighted(AstarCutout *cutout, AstarSources sources, bool backward,
                                  const AstarAim *aim)
{
    const AstarAllocator *allocator = &cutout->finder->world->allocator;
    AstarBucketQueue *queue = &cutout->queue;
    AstarStatus status = astar_bucket_queue_begin(queue, allocator, least_of_sources(sources),
                                                  cutout->width_of_bucket,
                                                  cutout->longest / cutout->width_of_bucket);
    for (size_t i = 0; i < sources.count && status == ASTAR_OK; i++)
        status = bring_nearer(cutout, sources.list[i].at, NOWHERE, sources.list[i].g, (uint16_t)i,
                              NULL);
    size_t target = aim != NULL ? astar_cutout_at(cutout, aim->x, aim->y) : 0;
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(queue)) {
        if (aim != NULL && !isinf(cutout->g[target]) &&
            astar_bucket_of(queue, cutout->g[target]) < queue->current)
            break;
        status = empty_cutout_bucket(cutout, backward, aim);
        if (status == ASTAR_OK)
            status = astar_bucket_queue_advance(queue, allocator, distance_in_cutout, cutout);
    }
    return status;
}

void astar_cutout_clear(AstarCutout *cutout)
{
    size_t cells = (size_t)cutout->stride * (size_t)(cutout->height + 2);
    for (size_t i = 0; i < cells; i++)
        cutout->g[i] = (double)INFINITY;
}

AstarStatus astar_cutout_flood_from(AstarCutout *cutout, AstarSources sources)
{
    return cutout->is_uniform ? astar_cutout_flood_uniform(cutout, sources, NULL, NULL)
                              : flood_weighted(cutout, sources, false, NULL);
}

AstarStatus astar_cutout_flood(AstarCutout *cutout, int32_t x, int32_t y, bool backward,
                               const AstarAim *aim)
{
    AstarSource start = {astar_cutout_at(cutout, x, y), 0};
    astar_cutout_clear(cutout);
    if (!cutout->is_uniform)
        return flood_weighted(cutout, (AstarSources){&start, 1, false, 0}, backward, aim);
    size_t target = aim != NULL ? astar_cutout_at(cutout, aim->x, aim->y) : start.at;
    AstarWantedCells wanted = {&target, 1};
    return astar_cutout_flood_uniform(cutout, (AstarSources){&start, 1, false, 0}, aim,
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
static AstarStatus measure_uniform(AstarCutout *cutout, size_t at, AstarWantedCells wanted,
                                   double *distances)
{
    double span = span_of_ways(cutout), zero = next_zero(cutout, span);
    AstarSource start = {at, zero};
    AstarWantedCells unsettled = wanted;
    AstarStatus status = astar_cutout_flood_uniform(cutout, (AstarSources){&start, 1, false, zero},
                                                    NULL, &unsettled);
    for (size_t i = 0; i < wanted.count; i++) {
        double distance = cutout->g[wanted.cells[i]] - zero;
        distances[i] = distance < span ? distance : (double)INFINITY;
    }
    return status;
}

AstarStatus astar_cutout_measure(AstarCutout *cutout, int32_t x, int32_t y, AstarWantedCells wanted,
                                 double *distances)
{
    size_t at = astar_cutout_at(cutout, x, y);
    if (cutout->is_uniform)
        return measure_uniform(cutout, at, wanted, distances);
    AstarStatus status = astar_cutout_flood(cutout, x, y, false, NULL);
    for (size_t i = 0; i < wanted.count; i++)
        distances[i] = cutout->g[wanted.cells[i]];
    return status;
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
