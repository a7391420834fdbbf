// landmark_layer.c -- landmarks as a layer of their grid, and those of copies of it.

#include "derived/landmarks.h"

#include "map/blocks.h"

#include <string.h>

enum {
    LEAST_FEW = 64, // of a table repaired by an edit, or this share of the map:
    SHARE_OF_FEW = 64,
    MOST_FEW = 4096
};

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

#define KIND_OF_LANDMARKS                                                                          \
    .size = sizeof(AstarLandmarks), .list = ASTAR_LANDMARKS, .is_like = is_another,                \
    .open = open_landmarks, .close = close_landmarks, .bytes = landmarks_bytes

// They are measured before they are published: see landmark_making.c.
static const AstarLayerKind landmarks_kind = {KIND_OF_LANDMARKS, .repair = astar_landmarks_repair,
                                              .reprice = astar_landmarks_reprice};

// Those of a copy of the grid are what those of the grid are, by astar_landmarks_follow alone.
static const AstarLayerKind copied_kind = {KIND_OF_LANDMARKS};

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

// ---- made ----

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
    astar_landmarks_weigh(grid, &key);
    key.few = LEAST_FEW;
    while (key.few < MOST_FEW && key.few < grid->cells / SHARE_OF_FEW)
        key.few *= 2;
    return astar_layer_acquire(grid, &key);
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
