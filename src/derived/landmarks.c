// landmarks.c -- distances from and to a few far-off cells.
//
// The first landmark lies farthest from some cell of the largest component, each next one farthest
// from those before it (the heuristic's authors found nothing better by far). Distances are
// measured by buckets as wide as a step, the cheapest there is: no cell of a bucket can shorten
// the way to another one of the same, so each is emptied in any order (E. Dinic, 1978). Where costs
// lie very far apart buckets are wider, and some of their cells come up twice.
//
// Whole numbers are costs rounded down, for each step by itself, so that sums of them are no more
// than any route's and an estimate never falls by more than a step costs.

#include "derived/landmarks.h"

#include "base/directions.h"
#include "derived/landmark_repair.h"
#include "derived/landmark_sweep.h"
#include "map/blocks.h"
#include "map/links_and_walls.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_WEIGHT = 4096, // of the cheapest step, at first
    TRIES = 3,           // with a sixteenth of that each time
    MOST_BUCKETS = 2048, // that a step reaches across
    LEAST_FEW = 64,      // of a table repaired by an edit, or this share of the map:
    SHARE_OF_FEW = 64,
    MOST_FEW = 4096
};

static const uint32_t MOST_WEIGHT = UINT32_C(1) << 30;
static const uint32_t MOST_DISTANCE = UINT32_C(0x7F000000);

// ---- what steps cost ----

// A cost in whole numbers. The finder rounds costs to a multiple of its unit, which may be less by
// a part in 2^32, but for those that are multiples already.
static uint32_t weigh(const AstarLandmarks *landmarks, double cost)
{
    double exact = cost * landmarks->scale, whole = floor(exact);
    if (whole != exact)
        whole = floor(exact * (1 - 0x1p-31));
    return whole < MOST_WEIGHT ? (uint32_t)whole : MOST_WEIGHT;
}

uint32_t astar_landmark_link(const AstarLandmarks *landmarks, double cost)
{
    return landmarks->scale == 0 ? 0 : weigh(landmarks, cost);
}

static double price_of(const AstarGrid *grid, const AstarLandmarks *landmarks, int terrain)
{
    double own = (size_t)terrain < landmarks->own_count ? landmarks->own_cost[terrain]
                                                        : (double)NAN;
    return isnan(own) ? grid->cost[terrain] : own;
}

// Works the weights out anew; true where a step into ground that is there became cheaper.
static bool work_out_weights(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    bool is_cheaper = false;
    landmarks->palette_version = grid->palette_version;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++) {
        double price = i < grid->terrain_count ? price_of(grid, landmarks, i) : (double)INFINITY;
        uint32_t straight = landmarks->straight, diagonal = landmarks->diagonal;
        if (landmarks->scale > 0) {
            straight = weigh(landmarks, price);
            diagonal = weigh(landmarks, price * landmarks->diagonal_cost);
        }
        is_cheaper |= straight < landmarks->weight[0][i] && i < grid->terrain_count &&
                      grid->present[i] > 0;
        landmarks->weight[0][i] = straight;
        landmarks->weight[1][i] = diagonal;
    }
    return is_cheaper;
}

void astar_landmarks_reprice(const AstarGrid *grid, AstarLandmarks *landmarks)
{
    if (landmarks->palette_version == grid->palette_version || landmarks->scale == 0)
        return;
    if (work_out_weights(grid, landmarks))
        for (int i = 0; i < landmarks->tables; i++)
            landmarks->deficit[i] = ASTAR_FAR;
}

AstarLandmarkBounds astar_landmarks_bounds(const AstarLandmarks *landmarks, uint32_t goal)
{
    AstarLandmarkBounds bounds;
    for (int i = 0; i < ASTAR_MOST_TABLES; i++) {
        bounds.low[i] = 0;
        bounds.high[i] = INT32_MAX;
        if (i >= landmarks->tables || *astar_landmark_distance(landmarks, goal, i) == ASTAR_FAR)
            continue;
        int64_t here = *astar_landmark_distance(landmarks, goal, i);
        int64_t deficit = landmarks->deficit[i];
        bool is_one_way = landmarks->scale > 0, is_back = astar_table_is_back(landmarks, i);
        if (!is_back && here > deficit)
            bounds.low[i] = (int32_t)(here - deficit);
        if ((!is_one_way || is_back) && here + deficit < INT32_MAX)
            bounds.high[i] = (int32_t)(here + deficit);
    }
    return bounds;
}

// ---- sweeps ----

// Notes a way to a cell, if it is the shortest yet.
static AstarStatus reach(AstarSweep *sweep, uint32_t cell, int x, int y, unsigned from,
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
    const AstarArc *arcs = sweep->back ? links->back : links->arcs;
    uint32_t i = sweep->back ? astar_arcs_first_to(links, cell)
                             : astar_arcs_first_from(links, cell);
    AstarStatus status = ASTAR_OK;
    for (; status == ASTAR_OK && i < links->arc_count; i++) {
        uint32_t here = sweep->back ? arcs[i].to : arcs[i].from;
        uint32_t next = sweep->back ? arcs[i].from : arcs[i].to;
        if (here != cell)
            break;
        int x, y;
        astar_cell_xy(grid, next, &x, &y);
        if (astar_bits_get(&sweep->landmarks->walkable->bits, x, y))
            status = reach(sweep, next, x, y, ASTAR_DIRECTIONS,
                           sweep->distances[cell] +
                               astar_landmark_link(sweep->landmarks, arcs[i].cost));
    }
    return status;
}

static AstarStatus spread(AstarSweep *sweep, uint64_t entry, uint32_t cell)
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
            status = reach(sweep, next, x + astar_dx[d], y + astar_dy[d], (unsigned)d, way);
    }
    if (status == ASTAR_OK && astar_grid_has_links(grid) &&
        astar_bits_get(&grid->links_and_walls->ends, x, y))
        status = spread_over_links(sweep, cell);
    return status;
}

// Empties the current bucket, what comes into it meanwhile included.
static AstarStatus spread_bucket(AstarSweep *sweep)
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

AstarStatus astar_sweep_begin(AstarSweep *sweep, const AstarGrid *grid,
                              const AstarLandmarks *landmarks)
{
    *sweep = (AstarSweep){.grid = grid,
                          .landmarks = landmarks,
                          .ground = astar_landmarks_ground(landmarks, grid),
                          .least = {UINT32_MAX, UINT32_MAX}};
    for (int i = 0; i < grid->terrain_count; i++)
        for (int j = 0; j < 2 && grid->present[i] > 0; j++) {
            uint32_t weight = landmarks->weight[j][i];
            if (landmarks->scale > 0 && isinf(price_of(grid, landmarks, i)))
                continue;
            sweep->least[j] = weight < sweep->least[j] ? weight : sweep->least[j];
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    if (astar_grid_has_links(grid)) {
        astar_arcs_update(grid);
        for (uint32_t i = 0; i < grid->links_and_walls->arc_count; i++) {
            uint32_t weight = astar_landmark_link(landmarks, grid->links_and_walls->arcs[i].cost);
            sweep->most = weight > sweep->most ? weight : sweep->most;
        }
    }
    sweep->distances = astar_alloc(&grid->allocator, grid->cells, sizeof *sweep->distances);
    return sweep->distances != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_sweep_from(AstarSweep *sweep, uint32_t cell, bool back)
{
    const AstarAllocator *allocator = &sweep->grid->allocator;
    double width = fmax(fmax(sweep->least[0], 1), (double)sweep->most / MOST_BUCKETS);
    int x, y;
    astar_cell_xy(sweep->grid, cell, &x, &y);
    memset(sweep->distances, ASTAR_FAR & 0xFF, sweep->grid->cells * sizeof *sweep->distances);
    sweep->back = back;
    AstarStatus status = astar_bucket_queue_begin(&sweep->open, allocator, 0, width,
                                                  sweep->most / width);
    if (status == ASTAR_OK)
        status = reach(sweep, cell, x, y, ASTAR_DIRECTIONS, 0);
    while (status == ASTAR_OK && !astar_bucket_queue_are_empty(&sweep->open)) {
        status = spread_bucket(sweep);
        if (status == ASTAR_OK)
            status = astar_bucket_queue_advance(&sweep->open, allocator, NULL, 0);
    }
    return status;
}

void astar_sweep_end(AstarSweep *sweep)
{
    const AstarAllocator *allocator = &sweep->grid->allocator;
    astar_release(allocator, sweep->distances, sweep->grid->cells, sizeof *sweep->distances);
    astar_bucket_queue_free(&sweep->open, allocator);
}

// ---- where landmarks lie ----

// Some cell of the largest component; UINT32_MAX where all is blocked.
static AstarStatus find_largest(const AstarGrid *grid, AstarWalkable *walkable,
                                const AstarCornerRule *rule, uint32_t *cell)
{
    AstarComponents *components;
    AstarStatus status = astar_walkable_components(grid, walkable, rule->joins_corners,
                                                   &components);
    if (status != ASTAR_OK)
        return status;
    uint32_t *sizes = astar_alloc(&grid->allocator, components->label_count + 1, sizeof *sizes);
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
    astar_release(&grid->allocator, sizes, components->label_count + 1, sizeof *sizes);
    return ASTAR_OK;
}

// Takes the distances of a sweep as the next table.
static void take_distances(const AstarSweep *sweep, AstarLandmarks *landmarks)
{
    int table = landmarks->tables++;
    for (uint32_t cell = 0; cell < sweep->grid->cells; cell++)
        *astar_landmark_distance(landmarks, cell, table) = sweep->distances[cell];
}

// The cell the sweep reached that lies farthest from the landmarks there are; without any, from
// where the sweep began.
static uint32_t farthest(const AstarSweep *sweep, const AstarLandmarks *landmarks)
{
    uint32_t found = 0, most = 0;
    for (uint32_t cell = 0; cell < sweep->grid->cells; cell++) {
        uint32_t nearest = sweep->distances[cell];
        if (nearest == ASTAR_FAR)
            continue;
        for (int i = 0; i < landmarks->tables; i++) {
            uint32_t distance = *astar_landmark_distance(landmarks, cell, i);
            nearest = distance < nearest ? distance : nearest;
        }
        if (nearest >= most) {
            most = nearest;
            found = cell;
        }
    }
    return found;
}

static AstarStatus measure_from(AstarSweep *sweep, uint32_t first, int count,
                                AstarLandmarks *landmarks)
{
    AstarStatus status = astar_sweep_from(sweep, first, false);
    for (int i = 0; i < count && status == ASTAR_OK; i++) {
        uint32_t landmark = farthest(sweep, landmarks);
        for (int back = 0; back <= (landmarks->scale > 0) && status == ASTAR_OK; back++) {
            status = astar_sweep_from(sweep, landmark, back == 1);
            if (status == ASTAR_OK)
                take_distances(sweep, landmarks);
        }
    }
    return status;
}

// ---- the layer ----

static bool is_another(const void *layer, const void *key)
{
    (void)layer;
    (void)key;
    return false;
}

static bool open_landmarks(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    const AstarAllocator *allocator = &grid->allocator;
    landmarks->walkable->layer.references++;
    if (landmarks->footprints != NULL)
        landmarks->footprints->layer.references++;
    landmarks->distances = astar_alloc(allocator, grid->cells,
                                       (size_t)landmarks->capacity * sizeof *landmarks->distances);
    landmarks->mended = astar_alloc(allocator, 2 * landmarks->few, sizeof *landmarks->mended);
    landmarks->changed = astar_alloc(allocator, astar_landmarks_memory(landmarks),
                                     sizeof *landmarks->changed);
    return landmarks->distances != NULL && landmarks->mended != NULL && landmarks->changed != NULL;
}

static void close_landmarks(const AstarGrid *grid, void *layer)
{
    AstarLandmarks *landmarks = layer;
    const AstarAllocator *allocator = &grid->allocator;
    astar_release(allocator, landmarks->distances, grid->cells,
                  (size_t)landmarks->capacity * sizeof *landmarks->distances);
    astar_release(allocator, landmarks->mended, 2 * landmarks->few, sizeof *landmarks->mended);
    astar_release(allocator, landmarks->changed, astar_landmarks_memory(landmarks),
                  sizeof *landmarks->changed);
    astar_layer_drop(grid, landmarks->walkable);
    astar_layer_drop(grid, landmarks->footprints);
}

static size_t landmarks_bytes(const AstarGrid *grid, const void *layer)
{
    const AstarLandmarks *landmarks = layer;
    return astar_landmarks_bytes(landmarks, grid) + 2 * landmarks->few * sizeof *landmarks->mended +
           astar_landmarks_memory(landmarks) * sizeof *landmarks->changed;
}

// They are measured before they are published.
static AstarStatus build_landmarks(const AstarGrid *grid, void *layer, int64_t *work)
{
    (void)grid;
    (void)layer;
    (void)work;
    return ASTAR_OK;
}

static bool is_large_for_landmarks(const AstarGrid *grid, const void *layer, const AstarEdit *edit)
{
    (void)grid;
    (void)layer;
    (void)edit;
    return false;
}

static void reprice_landmarks(const AstarGrid *grid, void *layer)
{
    astar_landmarks_reprice(grid, layer);
}

static const AstarLayerKind landmarks_kind = {
    .size = sizeof(AstarLandmarks),
    .list = ASTAR_LANDMARKS,
    .spares = 0,
    .is_like = is_another,
    .open = open_landmarks,
    .close = close_landmarks,
    .bytes = landmarks_bytes,
    .build = build_landmarks,
    .is_outdated = is_large_for_landmarks,
    .repair = astar_landmarks_repair,
    .reprice = reprice_landmarks,
};

static void leave_as_copied(const AstarGrid *grid, void *layer, const AstarEdit *edit)
{
    (void)grid;
    (void)layer;
    (void)edit;
}

// Those of a copy of the grid are what those of the grid are, by astar_landmarks_follow alone.
static const AstarLayerKind copied_kind = {
    .size = sizeof(AstarLandmarks),
    .list = ASTAR_LANDMARKS,
    .spares = 0,
    .is_like = is_another,
    .open = open_landmarks,
    .close = close_landmarks,
    .bytes = landmarks_bytes,
    .build = build_landmarks,
    .is_outdated = is_large_for_landmarks,
    .repair = leave_as_copied,
};

// ---- of copies of the grid ----

// Takes the layer of a copy of the grid that is like one of the grid's; NULL without memory.
static void *acquire_like(const AstarGrid *replica, const AstarWalkable *walkable,
                          const AstarFootprints *footprints)
{
    if (footprints != NULL) {
        AstarFootprints key = *footprints;
        key.layer = (AstarLayer){.kind = key.layer.kind, .ignored = key.layer.ignored};
        return astar_layer_acquire(replica, &key);
    }
    AstarWalkable key = {
        .layer = {.kind = walkable->layer.kind, .ignored = walkable->layer.ignored},
        .enterable = walkable->enterable,
        .size = walkable->size};
    return astar_layer_acquire(replica, &key);
}

static AstarStatus new_copy(const AstarGrid *replica, const AstarLandmarks *from,
                            AstarLandmarks **out)
{
    AstarLandmarks key = *from;
    key.layer = (AstarLayer){.kind = &copied_kind, .ignored = from->layer.ignored};
    key.few = 1; // it is not repaired
    key.distances = NULL;
    key.mended = NULL;
    key.changed = NULL;
    key.walkable = acquire_like(replica, from->walkable, NULL);
    if (key.walkable != NULL && from->footprints != NULL)
        key.footprints = acquire_like(replica, NULL, from->footprints);
    bool is_whole = key.walkable != NULL && (from->footprints == NULL || key.footprints != NULL);
    *out = is_whole ? astar_layer_acquire(replica, &key) : NULL;
    if (is_whole)
        astar_layer_release(replica, key.footprints);
    astar_layer_release(replica, key.walkable);
    return *out != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

static void copy_distances(const AstarGrid *grid, const AstarLandmarks *from, AstarLandmarks *copy)
{
    if (from->changes - copy->changes > astar_landmarks_memory(from)) {
        memcpy(copy->distances, from->distances, astar_landmarks_bytes(from, grid));
        return;
    }
    for (uint64_t i = copy->changes; i != from->changes; i++)
        for (int table = 0; table < from->tables; table++) {
            uint32_t cell = astar_landmarks_change(from, i);
            *astar_landmark_distance(copy, cell, table) = *astar_landmark_distance(from, cell,
                                                                                   table);
        }
}

AstarStatus astar_landmarks_follow(const AstarGrid *replica, const AstarLandmarks *from,
                                   AstarLandmarks **copy)
{
    if (*copy == NULL) {
        AstarStatus status = new_copy(replica, from, copy);
        if (status != ASTAR_OK)
            return status;
        memcpy((*copy)->distances, from->distances, astar_landmarks_bytes(from, replica));
        astar_put(&(*copy)->layer.stale, false);
    } else {
        copy_distances(replica, from, *copy);
    }
    memcpy((*copy)->deficit, from->deficit, sizeof from->deficit);
    memcpy((*copy)->weight, from->weight, sizeof from->weight);
    (*copy)->palette_version = from->palette_version;
    (*copy)->changes = from->changes;
    return ASTAR_OK;
}

// ---- measured ----

// The whole numbers for each unit of cost: a power of two, so that estimates are exact.
static double scale_for(const AstarGrid *grid, const AstarLandmarkPlan *plan)
{
    double least = INFINITY;
    for (int i = 0; i < grid->terrain_count; i++)
        if (grid->present[i] > 0)
            least = fmin(least, plan->cost[i]);
    int exponent;
    frexp(isfinite(least) ? least : 1, &exponent);
    return ldexp(LEAST_WEIGHT, 1 - exponent);
}

AstarLandmarks *astar_landmarks_new(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                    double scale)
{
    int tables = plan->is_whole ? plan->count : 2 * plan->count, capacity = (tables + 3) / 4 * 4;
    AstarLandmarks key = {
        .layer = {.kind = &landmarks_kind, .ignored = plan->walkable->layer.ignored},
        .walkable = plan->walkable,
        .footprints = plan->footprints,
        .rule = plan->rule,
        .own_cost = plan->own_cost,
        .own_count = plan->own_count,
        .diagonal_cost = plan->diagonal_cost,
        .scale = scale,
        .straight = plan->straight,
        .diagonal = plan->diagonal,
        .capacity = capacity,
        .cell_step = plan->is_whole ? (size_t)capacity : 1,
        .table_step = plan->is_whole ? 1 : grid->cells};
    work_out_weights(grid, &key);
    key.few = LEAST_FEW;
    while (key.few < MOST_FEW && key.few < grid->cells / SHARE_OF_FEW)
        key.few *= 2;
    return astar_layer_acquire(grid, &key);
}

// Measures by one scale; '*out' is NULL where that fails.
static AstarStatus measure_by(const AstarGrid *grid, const AstarLandmarkPlan *plan, double scale,
                              uint32_t first, AstarLandmarks **out)
{
    AstarLandmarks *landmarks = astar_landmarks_new(grid, plan, scale);
    *out = NULL;
    if (landmarks == NULL)
        return ASTAR_NO_MEMORY;
    AstarSweep sweep;
    AstarStatus status = astar_sweep_begin(&sweep, grid, landmarks);
    if (status == ASTAR_OK)
        status = measure_from(&sweep, first, plan->count, landmarks);
    astar_sweep_end(&sweep);
    int64_t work = ASTAR_ALL_WORK;
    if (status == ASTAR_OK)
        status = astar_layer_advance(grid, landmarks, &work);
    if (status == ASTAR_OK)
        *out = landmarks;
    else
        astar_layer_release(grid, landmarks);
    return status;
}

AstarStatus astar_landmarks_measure(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                    AstarLandmarks **out)
{
    uint32_t first;
    *out = NULL;
    AstarStatus status = find_largest(grid, plan->walkable, plan->rule, &first);
    if (status != ASTAR_OK || first == UINT32_MAX)
        return status;
    double scale = plan->is_whole ? 0 : scale_for(grid, plan);
    status = measure_by(grid, plan, scale, first, out);
    for (int i = 1; i < TRIES && !plan->is_whole && status == ASTAR_BAD_COST; i++)
        status = measure_by(grid, plan, scale = scale / 16, first, out);
    return status;
}

AstarStatus astar_landmarks_copy(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                 const AstarGrid *replica, const AstarLandmarks *from,
                                 AstarLandmarks **out)
{
    uint64_t version = replica->version;
    *out = NULL;
    if (grid->palette_version != replica->palette_version ||
        grid->links_and_walls_version != replica->links_and_walls_version ||
        !astar_knows_edits_since(grid, from->layer.ignored, version))
        return ASTAR_OK;
    AstarLandmarks *landmarks = astar_landmarks_new(grid, plan, from->scale);
    if (landmarks == NULL)
        return ASTAR_NO_MEMORY;
    int64_t work = ASTAR_ALL_WORK;
    landmarks->tables = from->tables;
    memcpy(landmarks->distances, from->distances, astar_landmarks_bytes(from, grid));
    memcpy(landmarks->deficit, from->deficit, sizeof from->deficit);
    AstarEditsSince edits = astar_edits_since(grid, from->layer.ignored, version);
    for (const AstarEdit *edit; (edit = astar_next_edit(&edits)) != NULL;)
        if (edit->width > 0)
            astar_landmarks_repair(grid, landmarks, edit);
    AstarStatus status = astar_layer_advance(grid, landmarks, &work);
    if (status == ASTAR_OK)
        *out = landmarks;
    else
        astar_layer_release(grid, landmarks);
    return status;
}
