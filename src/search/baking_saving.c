// baking_saving.c -- what was baked, saved and loaded.

#include "derived/baked_map.h"
#include "derived/landmarks.h"
#include "search/baking_parts.h"

// The head of what is baked for a finder on these walkable bits.
static AstarBakedHead head_of(const AstarFinder *finder, const AstarBits *bits)
{
    return (AstarBakedHead){
        .width = (uint32_t)finder->grid->width,
        .height = (uint32_t)finder->grid->height,
        .diagonals = finder->options.diagonals,
        .size = (uint32_t)finder->options.size,
        .straight = finder->whole.straight,
        .diagonal = finder->whole.diagonal,
        .map = astar_baked_hash(bits),
    };
}

static AstarArchive begin_to_save(const AstarBaked *baked, const AstarBits *bits,
                                  AstarSavedKind kind, void *bytes, size_t capacity)
{
    AstarBakedHead head = head_of(baked->finder, bits);
    AstarArchive archive = astar_archive_save(bytes, capacity, ASTAR_SAVED_BAKED,
                                              ASTAR_BAKED_VERSION);
    head.gain = baked->facts.gain;
    head.near = baked->map != NULL ? (uint32_t)baked->map->near : 0;
    head.kind = kind;
    astar_baked_head_carry(&archive, &head);
    return archive;
}

size_t astar_baked_save(const AstarBaked *baked, void *bytes, size_t capacity)
{
    const AstarFinder *finder = baked->finder;
    const AstarBakedMap *map = baked->map;
    AstarArchive archive;
    if (baked->phase != BAKE_DONE)
        return 0;
    if (map != NULL) {
        archive = begin_to_save(baked, &map->subgoals->rows,
                                map->labels != NULL ? ASTAR_SAVED_LABELS : ASTAR_SAVED_HIERARCHY,
                                bytes, capacity);
        astar_baked_map_save(map, &archive);
    } else if (astar_baked_has_landmarks(baked) &&
               astar_landmarks_can_be_saved(finder->landmarks)) {
        archive = begin_to_save(baked, &finder->landmarks->walkable->bits, ASTAR_SAVED_LANDMARKS,
                                bytes, capacity);
        astar_landmarks_save(finder->grid, finder->landmarks, &archive);
    } else {
        return 0;
    }
    return astar_archive_close(&archive);
}

// Loads labels or a hierarchy.
static AstarStatus load_map(AstarBaked *baked, const AstarBakedHead *head, AstarArchive *archive,
                            const char **why)
{
    const AstarFinder *finder = baked->finder;
    *why = astar_baked_is_damaged;
    AstarStatus status = astar_baked_map_load(finder->grid, finder->on.walkable, head, archive,
                                              &baked->map);
    if (status != ASTAR_OK)
        return status;
    baked->facts.method = baked->map->labels != NULL ? ASTAR_BAKE_LABELS : ASTAR_BAKE_HIERARCHY;
    baked->facts.bytes = astar_baked_map_bytes(baked->map);
    baked->map->near = (int)head->near;
    return ASTAR_OK;
}

static AstarStatus load_landmarks(AstarBaked *baked, AstarArchive *archive, const char **why)
{
    AstarFinder *finder = baked->finder;
    AstarStatus status = astar_finder_load_landmarks(finder, archive, why);
    if (status != ASTAR_OK)
        return status;
    const AstarLandmarks *landmarks = finder->landmarks;
    baked->facts.method = ASTAR_BAKE_LANDMARKS;
    baked->facts.bytes = astar_landmarks_bytes(landmarks, finder->grid);
    baked->facts.landmarks = landmarks->scale == 0 ? landmarks->tables : landmarks->tables / 2;
    return ASTAR_OK;
}

// Loads what is saved as these bytes, and puts it in force.
static AstarStatus load_baked(AstarBaked *baked, const void *bytes, size_t length, const char **why)
{
    AstarArchive archive = astar_archive_load(bytes, length, ASTAR_SAVED_BAKED,
                                              ASTAR_BAKED_VERSION);
    AstarBakedHead head = {0}, wanted = head_of(baked->finder, &baked->finder->on.walkable->bits);
    astar_baked_head_carry(&archive, &head);
    bool is_bad = archive.is_bad || archive.version != ASTAR_BAKED_VERSION;
    *why = is_bad ? astar_baked_is_damaged : astar_baked_head_fault(&head, &wanted);
    if (*why != NULL)
        return ASTAR_BAD_DATA;
    AstarStatus status = head.kind == ASTAR_SAVED_LANDMARKS ? load_landmarks(baked, &archive, why)
                                                            : load_map(baked, &head, &archive, why);
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
    status = load_baked(baked, bytes, length, why);
    if (status == ASTAR_OK)
        *out = baked;
    else
        astar_baked_free(baked);
    return status;
}
