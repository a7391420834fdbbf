// field_build.h -- works out the distances to a goal, a few cells at a time.

#ifndef ASTAR_FIELD_BUILD_H
#define ASTAR_FIELD_BUILD_H

#include "crowd/kind.h"

typedef struct AstarFieldBucket {
    uint32_t *cells;
    size_t count, capacity;
} AstarFieldBucket;

// One field at a time is worked out; what that takes is kept for the next.
typedef struct AstarFieldBuild {
    AstarAllocator allocator;
    AstarCrowdKind *kind;      // NULL: none is
    AstarNumbering *numbering; // of the cells as they were when it was begun; retained
    uint64_t version;          // of the kind then
    uint64_t rules_version;
    uint32_t goal;
    uint64_t spent; // work
    bool is_spread; // all distances are known
    // Of the search, Dijkstra's by buckets as wide as the shortest step.
    uint32_t *distances; // of each cell of the grid, from 'base' on
    size_t cell_capacity;
    uint64_t base;
    uint64_t farthest; // from base on
    AstarFieldBucket *ring;
    size_t ring_size; // a power of two
    uint64_t width, bucket;
    size_t position, waiting;
    uint32_t reached; // cells
    // Of the packing.
    AstarPacking packing;
    uint8_t *values;
    size_t bytes;
    size_t word;
    uint32_t number;
} AstarFieldBuild;

void astar_field_build_free(AstarFieldBuild *build);
size_t astar_field_build_bytes(const AstarFieldBuild *build);
// Begins with the distances to a cell of a kind that is current. On failure none is begun.
AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind, uint32_t goal);
// Drops what was begun.
void astar_field_build_stop(AstarFieldBuild *build);
// Goes on, by about as many cells: ASTAR_OK when it is done. ASTAR_NO_MEMORY leaves what there is.
AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work);
// The same until all distances are known, which are not packed then.
AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work);
// Hands over what was worked out.
void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out);

static inline bool astar_field_build_is_running(const AstarFieldBuild *build)
{
    return build->kind != NULL;
}

#endif
