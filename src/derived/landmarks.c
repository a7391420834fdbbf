// landmarks.c -- distances from a few far-off cells.
//
// The first landmark lies farthest from some cell of the largest component, each next one farthest
// from those before it (the heuristic's authors found nothing better by far). Distances are
// measured by buckets as wide as a straight step, the shortest there is: no cell of a bucket can
// shorten the way to another one of the same, so each is emptied in any order (E. Dinic, 1978).

#include "derived/landmarks.h"

#include "base/directions.h"
#include "map/grid.h"
#include "openlist/bucket_queue.h"
#include "rules/corner_rules.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t FAR = UINT32_MAX;

typedef struct Sweep {
    const AstarGrid *grid;
    const AstarBits *bits;
    const AstarCornerRule *rule;
    uint32_t straight, diagonal;
    uint32_t *distances; // of every cell, FAR: not reached
    AstarBucketQueue open;
} Sweep;

static AstarStatus spread(Sweep *sweep, uint64_t entry, uint32_t cell)
{
    int x = astar_entry_x(entry), y = astar_entry_y(entry);
    uint32_t distance = sweep->distances[cell];
    unsigned moves = astar_legal_moves(sweep->rule, astar_bits_around(sweep->bits, x, y));
    moves &= ~(1u << (astar_entry_from(entry) ^ 4)); // not back
    for (; moves != 0; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * sweep->grid->width + astar_dx[d]);
        uint32_t way = distance + (d & 1 ? sweep->diagonal : sweep->straight);
        if (way < distance) // beyond 32 bits
            return ASTAR_BAD_COST;
        if (way >= sweep->distances[next])
            continue;
        uint64_t step = astar_entry(x + astar_dx[d], y + astar_dy[d], (unsigned)d);
        sweep->distances[next] = way;
        AstarStatus status = astar_bucket_queue_put(&sweep->open, &sweep->grid->allocator, step,
                                                    way);
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// Empties the current bucket, what comes into it meanwhile included.
static AstarStatus spread_bucket(Sweep *sweep)
{
    AstarBucketQueue *open = &sweep->open;
    const AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < bucket->count && status == ASTAR_OK; i++) {
        uint64_t entry = bucket->entries[i];
        uint32_t cell = astar_cell(sweep->grid, astar_entry_x(entry), astar_entry_y(entry));
        if (astar_bucket_of(open, sweep->distances[cell]) == open->current)
            status = spread(sweep, entry, cell);
    }
    return status;
}

// Measures the distances of all cells from one. A diagonal step costs up to two straight ones, so
// all that waits lies in the ring.
static AstarStatus sweep_from(Sweep *sweep, uint32_t landmark)
{
    const AstarAllocator *allocator = &sweep->grid->allocator;
    int x, y;
    astar_cell_xy(sweep->grid, landmark, &x, &y);
    memset(sweep->distances, 0xFF, sweep->grid->cells * sizeof *sweep->distances);
    sweep->distances[landmark] = 0;
    AstarStatus status = astar_bucket_queue_begin(&sweep->open, allocator, 0, sweep->straight, 2);
    if (status == ASTAR_OK)
        status = astar_bucket_queue_put(&sweep->open, allocator,
                                        astar_entry(x, y, ASTAR_DIRECTIONS), 0);
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(&sweep->open)) {
        status = spread_bucket(sweep);
        if (status == ASTAR_OK)
            status = astar_bucket_queue_advance(&sweep->open, allocator, NULL, 0);
    }
    return status;
}

// Some cell of the largest component; UINT32_MAX where all is blocked.
static AstarStatus find_largest(const AstarGrid *grid, AstarWalkable *walkable,
                                const AstarCornerRule *rule, uint32_t *cell)
{
    AstarComponents *components;
    AstarStatus status = astar_walkable_components(grid, walkable, rule->joins_corners,
                                                   &components);
    if (status != ASTAR_OK)
        return status;
    uint32_t *sizes = astar_alloc(&grid->allocator, components->node_count + 1, sizeof *sizes);
    if (sizes == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t largest = 0;
    *cell = UINT32_MAX;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            if (!astar_bits_get(&walkable->bits, x, y))
                continue;
            uint32_t size = ++sizes[astar_components_label(components, x, y)];
            if (size > largest) {
                largest = size;
                *cell = astar_cell(grid, x, y);
            }
        }
    astar_release(&grid->allocator, sizes, components->node_count + 1, sizeof *sizes);
    return ASTAR_OK;
}

// Takes the distances of a sweep as those from landmark number 'landmark'. Cells it did not reach
// keep 0: no route joins them to cells it did.
static void take_distances(const Sweep *sweep, AstarLandmarks *landmarks, int landmark)
{
    for (size_t cell = 0; cell < sweep->grid->cells; cell++)
        if (sweep->distances[cell] != FAR)
            landmarks->distances[cell * (size_t)landmarks->stride + (size_t)landmark] =
                sweep->distances[cell];
}

// The cell the sweep reached that lies farthest from the 'count' landmarks there are; without any,
// from where the sweep began.
static uint32_t farthest(const Sweep *sweep, const AstarLandmarks *landmarks, int count)
{
    uint32_t found = 0, most = 0;
    for (uint32_t cell = 0; cell < sweep->grid->cells; cell++) {
        uint32_t nearest = sweep->distances[cell];
        if (nearest == FAR)
            continue;
        const uint32_t *distances = landmarks->distances + (size_t)cell * (size_t)landmarks->stride;
        for (int i = 0; i < count; i++)
            nearest = distances[i] < nearest ? distances[i] : nearest;
        if (nearest >= most) {
            most = nearest;
            found = cell;
        }
    }
    return found;
}

static AstarStatus measure(Sweep *sweep, uint32_t first, int count, AstarLandmarks *landmarks)
{
    AstarStatus status = sweep_from(sweep, first);
    for (int i = 0; i < count && status == ASTAR_OK; i++) {
        status = sweep_from(sweep, farthest(sweep, landmarks, i));
        if (status == ASTAR_OK)
            take_distances(sweep, landmarks, i);
    }
    return status;
}

static void free_sweep(Sweep *sweep)
{
    const AstarAllocator *allocator = &sweep->grid->allocator;
    astar_release(allocator, sweep->distances, sweep->grid->cells, sizeof *sweep->distances);
    astar_bucket_queue_free(&sweep->open, allocator);
}

AstarStatus astar_landmarks_measure(const AstarGrid *grid, AstarWalkable *walkable,
                                    const AstarCornerRule *rule, uint32_t straight,
                                    uint32_t diagonal, int count, AstarLandmarks *out)
{
    const AstarAllocator *allocator = &grid->allocator;
    Sweep sweep = {grid, &walkable->bits, rule, straight, diagonal, .distances = NULL};
    AstarLandmarks landmarks = {NULL, (count + 3) / 4 * 4, walkable->openings};
    uint32_t first;
    AstarStatus status = find_largest(grid, walkable, rule, &first);
    if (status != ASTAR_OK || first == UINT32_MAX) {
        *out = landmarks;
        return status;
    }
    sweep.distances = astar_alloc(allocator, grid->cells, sizeof *sweep.distances);
    landmarks.distances = astar_alloc(allocator, grid->cells,
                                      (size_t)landmarks.stride * sizeof *landmarks.distances);
    status = ASTAR_NO_MEMORY;
    if (sweep.distances != NULL && landmarks.distances != NULL)
        status = measure(&sweep, first, count, &landmarks);
    free_sweep(&sweep);
    if (status != ASTAR_OK)
        astar_landmarks_free(&landmarks, grid);
    *out = landmarks;
    return status;
}

// ---- what they gain ----

// A* expands the cells n with g(n) + h(n, goal) < g(goal). From a start whose distances are
// measured all g are known, so no search is needed to tell how many those are by either estimate: a
// sample of cells is looked at for each of a sample of goals. Only cells at the corners of
// obstacles count, for jump point search expands few others.
enum { SAMPLE_STARTS = 4, SAMPLE_GOALS = 64, SAMPLE_CELLS = 1024 };

typedef struct Sample {
    uint32_t cells[SAMPLE_CELLS];
    int count;
} Sample;

// Whether an obstacle's corner touches a cell that is set.
static bool is_at_corner(const AstarGrid *grid, const AstarBits *bits, size_t cell)
{
    int x, y;
    astar_cell_xy(grid, (uint32_t)cell, &x, &y);
    unsigned around = astar_bits_around(bits, x, y), straights = around & ASTAR_STRAIGHTS;
    return (astar_rotate(straights, 1) & astar_rotate(straights, 7) & ~around) != 0;
}

// Gathers such cells of the part of the map that was measured, evenly spread.
static void gather_sample(const AstarGrid *grid, const AstarBits *bits,
                          const AstarLandmarks *landmarks, Sample *sample)
{
    uint64_t total = 0, seen = 0;
    sample->count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t cell = 0; cell < grid->cells && sample->count < SAMPLE_CELLS; cell++) {
            const uint32_t *distances = landmarks->distances + cell * (size_t)landmarks->stride;
            if ((distances[0] == 0 && distances[1] == 0) || !is_at_corner(grid, bits, cell))
                continue;
            if (pass == 0)
                total++;
            else if (seen++ >= total * (uint64_t)sample->count / SAMPLE_CELLS)
                sample->cells[sample->count++] = (uint32_t)cell;
        }
}

// The estimate by the rule alone.
static uint32_t plain_estimate(const Sweep *sweep, uint32_t from, uint32_t to)
{
    int x0, y0, x1, y1;
    astar_cell_xy(sweep->grid, from, &x0, &y0);
    astar_cell_xy(sweep->grid, to, &x1, &y1);
    uint32_t dx = (uint32_t)abs(x1 - x0), dy = (uint32_t)abs(y1 - y0);
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    bool steps = !sweep->rule->has_diagonals || sweep->diagonal > 2 * sweep->straight;
    return steps ? (dx + dy) * sweep->straight
                 : less * sweep->diagonal + (more - less) * sweep->straight;
}

// Of equal f as the goal, one is expanded or not as ties fall: it counts half.
static unsigned count_halves(uint32_t left, uint32_t estimate)
{
    return (unsigned)(estimate < left) + (unsigned)(estimate <= left);
}

// Counts the cells of the sample that a search from where the sweep began expands.
static void count_expanded(const Sweep *sweep, const Sample *sample,
                           const AstarLandmarks *landmarks, uint32_t goal, uint64_t expanded[2])
{
    size_t stride = (size_t)landmarks->stride;
    const uint32_t *to_goal = landmarks->distances + goal * stride;
    for (int i = 0; i < sample->count; i++) {
        uint32_t cell = sample->cells[i];
        if (sweep->distances[cell] >= sweep->distances[goal])
            continue;
        uint32_t left = sweep->distances[goal] - sweep->distances[cell];
        uint32_t plain = plain_estimate(sweep, cell, goal);
        uint32_t landmark = astar_landmarks_estimate(landmarks->distances + cell * stride, to_goal,
                                                     landmarks->stride);
        expanded[0] += count_halves(left, plain);
        expanded[1] += count_halves(left, landmark > plain ? landmark : plain);
    }
}

AstarStatus astar_landmarks_gain(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarCornerRule *rule, uint32_t straight, uint32_t diagonal,
                                 const AstarLandmarks *landmarks, double *gain)
{
    Sample sample;
    uint64_t expanded[2] = {0, 0};
    Sweep sweep = {grid, &walkable->bits, rule, straight, diagonal, .distances = NULL};
    gather_sample(grid, &walkable->bits, landmarks, &sample);
    sweep.distances = astar_alloc(&grid->allocator, grid->cells, sizeof *sweep.distances);
    AstarStatus status = sweep.distances != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
    for (int i = 1; i <= SAMPLE_STARTS && sample.count > 0 && status == ASTAR_OK; i++) {
        status = sweep_from(&sweep, sample.cells[sample.count * i / (SAMPLE_STARTS + 1)]);
        for (int j = 0; j < SAMPLE_GOALS && status == ASTAR_OK; j++)
            count_expanded(&sweep, &sample, landmarks,
                           sample.cells[sample.count * j / SAMPLE_GOALS], expanded);
    }
    free_sweep(&sweep);
    *gain = (double)(expanded[0] + 1) / (double)(expanded[1] + 1);
    return status;
}

void astar_landmarks_free(AstarLandmarks *landmarks, const AstarGrid *grid)
{
    astar_release(&grid->allocator, landmarks->distances, grid->cells,
                  (size_t)landmarks->stride * sizeof *landmarks->distances);
    landmarks->distances = NULL;
}

size_t astar_landmarks_bytes(const AstarLandmarks *landmarks, const AstarGrid *grid)
{
    return landmarks->distances == NULL
               ? 0
               : grid->cells * (size_t)landmarks->stride * sizeof *landmarks->distances;
}
