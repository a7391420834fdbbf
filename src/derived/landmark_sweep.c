// landmark_sweep.c -- the distances of all cells from one, or to it, a part at a time.
//
// They are measured by buckets as wide as a step, the cheapest there is: no cell of a bucket can
// shorten the way to another one of the same, so each is emptied in any order (E. Dinic, 1978).
// Where costs lie very far apart buckets are wider, and some of their cells come up twice.

#include "derived/landmark_sweep.h"

#include "base/directions.h"
#include "map/links_and_walls.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BUCKETS = 2048, // that a step reaches across
    WORK_OF_ENTRY = 12,  // of a bucket
    CLEARED = 1 << 14,   // cells at once,
    CLEARED_A_CELL = 4   // so many for the work of one
};

static const uint32_t MOST_DISTANCE = UINT32_C(0x7F000000);

// ---- spreading ----

// Notes a way to a cell, if it is the shortest yet.
static AstarStatus reach_swept(AstarSweep *sweep, uint32_t cell, int x, int y, unsigned from,
                               uint32_t distance)
{
    if (distance >= sweep->distances[cell])
        return ASTAR_OK;
    if (distance > MOST_DISTANCE)
        return ASTAR_BAD_COST;
    sweep->distances[cell] = distance;
    return astar_bucket_queue_put(&sweep->open, &sweep->grid->allocator, astar_entry(x, y, from),
                                  distance);
}

static AstarStatus spread_over_links(AstarSweep *sweep, uint32_t cell)
{
    const AstarGrid *grid = sweep->grid;
    const AstarLinksAndWalls *links = grid->links_and_walls;
    const AstarArcs *arcs = sweep->back ? &links->back : &links->arcs;
    const AstarArc *arc;
    uint32_t i = sweep->back ? astar_arcs_first_to(links, cell)
                             : astar_arcs_first_from(links, cell);
    AstarStatus status = ASTAR_OK;
    for (; status == ASTAR_OK && (arc = astar_arc_at(arcs, i)) != NULL; i++) {
        uint32_t here = sweep->back ? arc->to : arc->from;
        uint32_t next = sweep->back ? arc->from : arc->to;
        if (here != cell)
            break;
        int x, y;
        astar_cell_xy(grid, next, &x, &y);
        if (astar_bits_get(&sweep->landmarks->walkable->bits, x, y))
            status = reach_swept(sweep, next, x, y, ASTAR_DIRECTIONS,
                                 sweep->distances[cell] +
                                     astar_landmark_link(sweep->landmarks, arc->cost));
    }
    return status;
}

static AstarStatus sweep_on_from(AstarSweep *sweep, uint64_t entry, uint32_t cell)
{
    const AstarLandmarks *landmarks = sweep->landmarks;
    const AstarGrid *grid = sweep->grid;
    int x = astar_entry_x(entry), y = astar_entry_y(entry);
    uint32_t distance = sweep->distances[cell];
    unsigned moves = astar_landmark_moves(landmarks, grid, x, y, sweep->back);
    AstarStatus status = ASTAR_OK;
    moves &= ~(1u << (astar_entry_from(entry) ^ 4)); // not back
    for (; moves != 0 && status == ASTAR_OK; moves &= moves - 1) {
        int d = astar_lowest_bit(moves);
        uint32_t next = cell + (uint32_t)(astar_dy[d] * grid->width + astar_dx[d]);
        uint8_t entered = sweep->ground[sweep->back ? cell : next];
        uint32_t way = distance + landmarks->weight[d & 1][entered];
        if (way < sweep->distances[next])
            status = reach_swept(sweep, next, x + astar_dx[d], y + astar_dy[d], (unsigned)d, way);
    }
    if (status == ASTAR_OK && astar_grid_has_links(grid) &&
        astar_bits_get(&grid->links_and_walls->ends, x, y))
        status = spread_over_links(sweep, cell);
    return status;
}

// Empties the current bucket, what comes into it meanwhile included, as far as the work goes.
static AstarStatus spread_bucket(AstarSweep *sweep, int64_t *work)
{
    AstarBucketQueue *open = &sweep->open;
    const AstarBucket *bucket = &open->ring[(size_t)open->current & (open->size - 1)];
    AstarStatus status = ASTAR_OK;
    for (; open->position<bucket->count && * work> 0 && status == ASTAR_OK; open->position++) {
        uint64_t entry = bucket->entries[open->position];
        int x = astar_entry_x(entry), y = astar_entry_y(entry);
        uint32_t cell = astar_cell(sweep->grid, x, y);
        *work -= WORK_OF_ENTRY;
        if (astar_bucket_of(open, sweep->distances[cell]) == open->current &&
            astar_bits_get(&sweep->landmarks->walkable->bits, x, y)) // it may have been closed
            status = sweep_on_from(sweep, entry, cell);
    }
    if (status == ASTAR_OK && open->position == bucket->count)
        status = astar_bucket_queue_advance(open, &sweep->grid->allocator, NULL, NULL);
    return status;
}

// ---- a sweep ----

AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks)
{
    *sweep = (AstarSweep){.grid = grid, .landmarks = landmarks, .least = {UINT32_MAX, UINT32_MAX}};
    for (int i = 0; i < grid->terrains.count; i++)
        for (int j = 0; j < 2 && grid->terrains.present[i] > 0; j++) {
            uint32_t weight = landmarks->weight[j][i];
            if (landmarks->scale > 0 && isinf(astar_landmark_price(grid, landmarks, i)))
                continue;
            sweep->least[j] = weight < sweep->least[j] ? weight : sweep->least[j];
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    if (astar_grid_has_links(grid)) {
        const AstarArcs *arcs = &grid->links_and_walls->arcs;
        for (uint32_t i = 0; i < arcs->count; i++) {
            uint32_t weight = astar_landmark_link(landmarks, astar_arc_at(arcs, i)->cost);
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    }
    sweep->distances = astar_alloc(&grid->allocator, grid->cells, sizeof *sweep->distances);
    return sweep->distances != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

void astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back)
{
    sweep->from = cell;
    sweep->back = back;
    sweep->cleared = 0;
    sweep->is_open = false;
}

// Forgets the distances of the last one; false where the work is used up before.
static bool clear_distances(AstarSweep *sweep, int64_t *work)
{
    size_t cells = sweep->grid->cells;
    while (sweep->cleared<cells && * work> 0) {
        size_t left = cells - sweep->cleared, count = left < CLEARED ? left : CLEARED;
        memset(sweep->distances + sweep->cleared, ASTAR_FAR & 0xFF,
               count * sizeof *sweep->distances);
        sweep->cleared += count;
        *work -= (int64_t)(count / CLEARED_A_CELL) + 1;
    }
    return sweep->cleared == cells;
}

static AstarStatus open_sweep(AstarSweep *sweep)
{
    double width = fmax(fmax(sweep->least[0], 1), (double)sweep->most / MOST_BUCKETS);
    int x, y;
    astar_cell_xy(sweep->grid, sweep->from, &x, &y);
    AstarStatus status = astar_bucket_queue_begin(&sweep->open, &sweep->grid->allocator, 0, width,
                                                  sweep->most / width);
    if (status == ASTAR_OK)
        status = reach_swept(sweep, sweep->from, x, y, ASTAR_DIRECTIONS, 0);
    sweep->is_open = status == ASTAR_OK;
    return status;
}

AstarStatus astar_sweep_advance(AstarSweep *sweep, int64_t *work)
{
    sweep->ground = astar_landmarks_ground(sweep->landmarks, sweep->grid);
    if (!clear_distances(sweep, work))
        return ASTAR_RUNNING;
    AstarStatus status = sweep->is_open ? ASTAR_OK : open_sweep(sweep);
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(&sweep->open))
        status = *work > 0 ? spread_bucket(sweep, work) : ASTAR_RUNNING;
    return status;
}

void astar_sweep_end(AstarSweep *sweep)
{
    if (sweep->grid == NULL)
        return;
    const AstarAllocator *allocator = &sweep->grid->allocator;
    astar_release(allocator, sweep->distances, sweep->grid->cells, sizeof *sweep->distances);
    astar_bucket_queue_free(&sweep->open, allocator);
    *sweep = (AstarSweep){.grid = NULL};
}
