// baking_saving.c -- what was baked, saved and loaded.

#include "derived/baked_file.h"
#include "derived/landmark_file.h"
#include "search/baking_parts.h"
#include "search/landmark_baking.h"

static AstarBakedKey baked_key(const AstarFinder *finder)
{
    return (AstarBakedKey){finder->options.diagonals, finder->options.size, finder->whole.straight,
                           finder->whole.diagonal};
}

static size_t save_landmarks(const AstarBaked *baked, void *bytes, size_t capacity)
{
    const AstarFinder *finder = baked->finder;
    AstarBakedHead head = {baked_key(finder), ASTAR_SAVED_LANDMARKS, baked->facts.gain};
    return astar_landmarks_can_be_saved(finder->landmarks)
               ? astar_landmarks_save(finder->grid, finder->landmarks, &head, bytes, capacity)
               : 0;
}

size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity)
{
    if (baked->phase != BAKE_DONE)
        return 0;
    if (baked->map != NULL)
        return astar_baked_map_save(baked->map, baked->walkable->size, baked->facts.gain, bytes,
                                    capacity);
    return astar_baked_has_landmarks(baked) ? save_landmarks(baked, bytes, capacity) : 0;
}

// Loads labels or a hierarchy, and puts them in force.
static AstarStatus load_map(AstarBaked *baked, const AstarBakedHead *head, AstarReader *reader,
                            const char **why)
{
    const AstarFinder *finder = baked->finder;
    *why = astar_baked_is_damaged;
    AstarStatus status = astar_baked_map_load(finder->grid, finder->walkable, head, reader,
                                              &baked->map);
    if (status != ASTAR_OK)
        return status;
    baked->facts.method = baked->map->labels != NULL ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY;
    baked->facts.bytes = astar_baked_map_bytes(baked->map);
    return ASTAR_OK;
}

static AstarStatus load_landmarks(AstarBaked *baked, AstarReader *reader, const char **why)
{
    AstarFinder *finder = baked->finder;
    AstarStatus status = astar_finder_load_landmarks(finder, reader, why);
    if (status != ASTAR_OK)
        return status;
    const AstarLandmarks *landmarks = finder->landmarks;
    baked->facts.method = ASTAR_BAKE_LANDMARKS;
    baked->facts.bytes = astar_landmarks_bytes(landmarks, finder->grid);
    baked->facts.landmarks = landmarks->scale == 0 ? landmarks->tables : landmarks->tables / 2;
    return ASTAR_OK;
}

// Loads what is saved as these bytes, and puts it in force.
static AstarStatus load_parts(AstarBaked *baked, AstarReader *reader, const char **why)
{
    const AstarFinder *finder = baked->finder;
    AstarBakedHead head;
    *why = astar_baked_head_read(reader, finder->grid, finder->walkable, baked_key(finder), &head);
    if (*why != NULL)
        return ASTAR_BAD_DATA;
    AstarStatus status = head.kind == ASTAR_SAVED_LANDMARKS ? load_landmarks(baked, reader, why)
                                                            : load_map(baked, &head, reader, why);
    if (status != ASTAR_OK)
        return status;
    baked->facts.gain = head.gain;
    astar_baking_put_in_force(baked);
    baked->phase = BAKE_DONE;
    return ASTAR_OK;
}

AstarStatus astar_baked_load(AstarFinder *finder, const void *bytes, size_t length,
                             const char **why, AstarBaked **out)
{
    AstarBaked *baked;
    *why = NULL;
    AstarStatus status = astar_finder_update(finder);
    if (status == ASTAR_OK)
        status = astar_baking_new(finder, NULL, &baked);
    if (status != ASTAR_OK)
        return status;
    AstarReader reader = {bytes, (const uint8_t *)bytes + length, false};
    status = load_parts(baked, &reader, why);
    if (status == ASTAR_OK)
        *out = baked;
    else
        astar_baked_free(baked);
    return status;
}
