// supposed.h -- free cells that count as blocked for one finder.

#ifndef ASTAR_SUPPOSED_H
#define ASTAR_SUPPOSED_H

#include "base/alloc.h"

// What counts as blocked, inside 'all'.
typedef struct AstarSupposed {
    AstarRectangle all;
    size_t count;
    AstarRectangle blocked[];
} AstarSupposed;

static inline bool astar_rectangle_has(const AstarRectangle *r, int x, int y)
{
    return (unsigned)x - (unsigned)r->x < (unsigned)r->width &&
           (unsigned)y - (unsigned)r->y < (unsigned)r->height;
}

// Whether a cell is one of those.
static inline bool astar_supposed_has(const AstarSupposed *supposed, int x, int y)
{
    if (!astar_rectangle_has(&supposed->all, x, y))
        return false;
    for (size_t i = 0; i < supposed->count; i++)
        if (astar_rectangle_has(&supposed->blocked[i], x, y))
            return true;
    return false;
}

// NULL when there is no memory.
AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count);
void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed);
// The cost callback of such a finder where there is none of the host's.
double astar_cost_as_given(void *context, int x, int y, int terrain, double cost);

#endif
