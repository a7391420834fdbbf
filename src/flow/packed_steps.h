// packed_steps.h -- the steps of a whole flow, half a byte a cell that has one.

#ifndef ASTAR_PACKED_STEPS_H
#define ASTAR_PACKED_STEPS_H

#include "map/links_and_walls.h"

enum { ASTAR_STEP_BLOCK = 1024 }; // cells

struct AstarStepBlock;

// The link over which a cell's step goes.
typedef struct AstarPackedLink {
    uint32_t cell;
    AstarArc arc;
} AstarPackedLink;

typedef struct AstarPackedSteps {
    struct AstarStepBlock **blocks; // NULL for one without any step
    size_t total, count;            // how many there are to be, and are
    size_t bytes;                   // of the blocks
    AstarPackedLink *links;         // in the order of their cells
    size_t link_count, link_capacity;
} AstarPackedSteps;

static inline bool astar_packed_steps_are_whole(const AstarPackedSteps *packed)
{
    return packed->blocks != NULL && packed->count == packed->total;
}

// Begins with none, for so many cells.
AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells);
// Adds the next block: of each cell 0, or 1 + a step below 15.
AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK]);
// Notes the link over which a cell's step goes; no cell comes before the last one noted.
AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc);
void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator);
size_t astar_packed_steps_bytes(const AstarPackedSteps *packed);
// The step of a cell, -1 for none.
int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell);
// The link of a cell whose step goes over one.
const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell);

#endif
