// field_build.h -- works out the distances to a goal, a few cells at a time.

#ifndef ASTAR_FIELD_BUILD_H
#define ASTAR_FIELD_BUILD_H

#include "parts/crowd/kind.h"

typedef struct AstarFieldBucket {
    uint32_t *cells;
    size_t count, capacity;
} AstarFieldBucket;

typedef enum AstarRepairStage {
    ASTAR_REPAIR_RECALL,
    ASTAR_REPAIR_RAISE,
    ASTAR_REPAIR_LOWER,
    ASTAR_REPAIR_SPREAD,
    ASTAR_REPAIR_COPY,
    ASTAR_REPAIR_WRITE,
    ASTAR_REPAIR_DONE
} AstarRepairStage;

// See goal_fields.c.
typedef struct AstarFieldRepair {
    const AstarGoalField *field; // whose distances in force are mended; NULL: none are
    AstarRepairStage stage;
    uint32_t *cells; // about the edits, and whose distances change
    size_t count, capacity, at;
} AstarFieldRepair;

// One field at a time is worked out; what that takes is kept for the next.
typedef struct AstarFieldBuild {
    AstarAllocator allocator;
    AstarCrowdKind *kind; // NULL: none is
    AstarDistances made;  // of the kind and its cells as they were when it was begun
    AstarCrowdAim aim;    // as the field has it
    uint64_t spent;       // work
    bool is_spread;       // all distances are known
    // Of the search, Dijkstra's.
    uint32_t *distances; // of each cell of the grid, from 'base' on; below it: none
    size_t cell_capacity;
    uint64_t base;
    uint64_t farthest; // from base on
    AstarFieldBucket *ring;
    size_t ring_size; // a power of two
    unsigned shift;   // of a distance, to its bucket
    uint64_t bucket;
    size_t position, kept, waiting; // 'kept' until the ring comes round again
    uint32_t reached;               // cells
    size_t word;                    // of the packing
    AstarFieldRepair repair;
} AstarFieldBuild;

void astar_field_build_free(AstarFieldBuild *build);
size_t astar_field_build_bytes(const AstarFieldBuild *build);
// Begins with the distances to where units of a kind have come to an aim; the kind is current. On
// failure none is begun.
AstarStatus astar_field_build_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                    AstarCrowdAim aim);
// The same anew, with the cells of before.
AstarStatus astar_field_build_again(AstarFieldBuild *build);
// Drops what was begun.
void astar_field_build_stop(AstarFieldBuild *build);
// Goes on, by about as many cells: ASTAR_OK when it is done. ASTAR_NO_MEMORY leaves what there is.
AstarStatus astar_field_build_step(AstarFieldBuild *build, uint64_t *work);
// The same until all distances are known, which are not packed then.
AstarStatus astar_field_build_spread(AstarFieldBuild *build, uint64_t *work);
// Gives a cell a distance, and has it expanded.
AstarStatus astar_field_build_put(AstarFieldBuild *build, uint32_t cell, uint64_t distance);
// Goes on to the next bucket.
void astar_field_build_next_bucket(AstarFieldBuild *build);
// Makes room for what is packed.
AstarStatus astar_field_build_need_values(AstarFieldBuild *build);
// Hands over what was worked out.
void astar_field_build_deliver(AstarFieldBuild *build, AstarDistances *out);

// A bucket, which shares its place with those that lie as far apart as the ring is long.
static inline AstarFieldBucket *astar_field_bucket(const AstarFieldBuild *build, uint64_t bucket)
{
    return &build->ring[(size_t)bucket & (build->ring_size - 1)];
}

static inline bool astar_field_build_has(const AstarFieldBuild *build, uint32_t cell)
{
    return build->distances[cell] >= build->base;
}

// Counts what was done of the work there is.
static inline void astar_field_build_spend(AstarFieldBuild *build, uint64_t *work, uint64_t done)
{
    *work -= done < *work ? done : *work;
    build->spent += done;
}

// What is packed for a known distance.
static inline uint32_t astar_packed_value(const AstarFieldBuild *build, uint32_t known,
                                          unsigned shift, uint32_t modulus)
{
    uint32_t distance = known - (uint32_t)build->base;
    return known < build->base ? astar_packed_none(shift)
           : shift == 0        ? distance >> 1 & 1
           : modulus == 0      ? distance
                               : distance % modulus;
}

// The steps into a cell, or out of it, each in turn, by the cells as they were when it was begun.
typedef struct AstarFieldSteps {
    uint32_t cell;
    bool are_back;
    unsigned moves;      // whose turn is still to come
    uint32_t lengths[2]; // of those into the cell
    uint32_t link;       // the next one
} AstarFieldSteps;

AstarFieldSteps astar_field_steps(const AstarFieldBuild *build, uint32_t cell, bool are_back);
// The cell at the other end of the next step, and how long that is; false: there are no more.
bool astar_next_field_step(const AstarFieldBuild *build, AstarFieldSteps *steps, uint32_t *other,
                           uint32_t *length);

// goal_fields.c: mends the distances to a goal after edits, a few cells at a time.

// Begins with the distances to a field's goal, of a kind that is current: by mending those in force
// where that can be, else anew. On failure none is begun.
AstarStatus astar_field_repair_begin(AstarFieldBuild *build, AstarCrowdKind *kind,
                                     const AstarGoalField *field);
// Goes on with either, as astar_field_build_step does.
AstarStatus astar_field_repair_step(AstarFieldBuild *build, uint64_t *work);

#endif
