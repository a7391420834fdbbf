// field.h -- a layer of numbers over a map: what to keep away from, and how much.

#ifndef ASTAR_FIELD_H
#define ASTAR_FIELD_H

#include "alloc.h"

struct AstarField {
    AstarAllocator allocator;
    uint32_t references;
    int32_t width, height;
    uint64_t version; // counts changes
    float *values;    // a cell each, row by row
};

#endif
