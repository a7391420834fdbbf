// field.h -- a layer of numbers over a map: what to keep away from, and how much.

#ifndef ASTAR_FIELD_H
#define ASTAR_FIELD_H

#include "base/alloc.h"
#include "base/shape.h"
#include "base/thread.h"

// Changes are noted for squares of cells of that side.
enum { ASTAR_FIELD_TILE = 16 };

struct AstarField {
    AstarAllocator allocator;
    ASTAR_ATOMIC(uint32_t) references;
    const AstarShape *shape;
    int32_t width, height;
    uint64_t version; // counts changes
    uint64_t *tiles;  // the version that changed each square last, row by row
    float *values;    // a cell each, row by row
};

// Whether values change nearly everywhere, from a sample of them.
bool astar_field_is_rough(const AstarField *field);

// How many squares it takes to cover a side.
static inline int32_t astar_field_tiles(int32_t side)
{
    return (side + ASTAR_FIELD_TILE - 1) / ASTAR_FIELD_TILE;
}

#endif
