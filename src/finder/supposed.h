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

// Whether a unit so many cells wide would stand on one at (x, y).
static inline bool astar_supposed_bars(const AstarSupposed *supposed, int size, int x, int y)
{
    for (size_t i = 0; i < supposed->count; i++) {
        const AstarRectangle *r = &supposed->blocked[i];
        AstarRectangle wide = {r->x - size + 1, r->y - size + 1, r->width + size - 1,
                               r->height + size - 1};
        if (astar_rectangle_has(&wide, x, y))
            return true;
    }
    return false;
}

// NULL when there is no memory.
AstarSupposed *astar_supposed_new(const AstarAllocator *allocator, const AstarRectangle *blocked,
                                  size_t count);
void astar_supposed_free(const AstarAllocator *allocator, AstarSupposed *supposed);
// The cost callback of such a finder where there is none of the host's.
double astar_cost_as_given(void *context, int x, int y, int terrain, double cost);

#endif
