// plots.h -- squares of the plane that come and go: found by column and row, let go in the order of
// their last use.

#ifndef ASTAR_PLOTS_H
#define ASTAR_PLOTS_H

#include "base/alloc.h"

// The head of what is kept for a square of the plane.
typedef struct AstarPlot {
    struct AstarPlot *next;          // in its slot
    struct AstarPlot *older, *newer; // by last use; NULL: it is not to be let go
    uint64_t tick;                   // of its last use
    int32_t i, j;                    // column and row
    uint32_t bytes;                  // that it takes
    uint8_t kind;                    // the owner's own
} AstarPlot;

typedef struct AstarPlots {
    AstarPlot **slots;
    size_t slot_count, count; // the first a power of two, or 0
} AstarPlots;

AstarPlot *astar_plots_find(const AstarPlots *plots, int32_t i, int32_t j);
// The plot there; where none is yet a new one, of so many bytes, all others 0. NULL when there is
// no memory.
AstarPlot *astar_plots_need(AstarPlots *plots, const AstarAllocator *allocator, int32_t i,
                            int32_t j, size_t bytes);
void astar_plots_remove(AstarPlots *plots, const AstarAllocator *allocator, AstarPlot *plot);
// The first of all, or the one after another; in no order.
AstarPlot *astar_plots_next(const AstarPlots *plots, const AstarPlot *plot);
// Removes all of them.
void astar_plots_free(AstarPlots *plots, const AstarAllocator *allocator);

// What is used now is the newest of a ring, whose head is no plot of its own.
void astar_plot_use(AstarPlot *head, AstarPlot *plot, uint64_t tick);
void astar_plot_unlink(AstarPlot *plot);

// A rectangle of cells, both corners included, that have changed or are looked at.
typedef struct AstarWorldEdit {
    int32_t x0, y0, x1, y1;
} AstarWorldEdit;

// The cells between two, and so many more around.
static inline AstarWorldEdit astar_cells_between(int32_t ax, int32_t ay, int32_t bx, int32_t by,
                                                 int32_t more)
{
    return (AstarWorldEdit){(ax < bx ? ax : bx) - more, (ay < by ? ay : by) - more,
                            (ax > bx ? ax : bx) + more, (ay > by ? ay : by) + more};
}

static const AstarWorldEdit astar_no_cells = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

// The least rectangle that holds both.
static inline AstarWorldEdit astar_cells_joined(AstarWorldEdit a, AstarWorldEdit b)
{
    return (AstarWorldEdit){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                            a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

// The cells of both; none where the first lies behind the last.
static inline AstarWorldEdit astar_cells_shared(AstarWorldEdit a, AstarWorldEdit b)
{
    return (AstarWorldEdit){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                            a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

// The chunk of a coordinate, and the place in it.
static inline int32_t astar_chunk_of(int32_t x)
{
    int32_t in = x % ASTAR_CHUNK_SIDE;
    return (x - (in < 0 ? in + ASTAR_CHUNK_SIDE : in)) / ASTAR_CHUNK_SIDE;
}

static inline int astar_in_chunk(int32_t x)
{
    return (int)(x - astar_chunk_of(x) * ASTAR_CHUNK_SIDE);
}

static inline bool astar_is_of_world(int64_t x, int64_t y)
{
    return x >= -ASTAR_WORLD_REACH && x < ASTAR_WORLD_REACH && y >= -ASTAR_WORLD_REACH &&
           y < ASTAR_WORLD_REACH;
}

#endif
