// plots.h -- a hash table of squares of the plane, by column and row, and a ring of them in the
// order of their last use. Chunks, measured squares and the squares of a search are stored in such
// tables.

#ifndef ASTAR_PLOTS_H
#define ASTAR_PLOTS_H

#include "base/alloc.h"

// The header of each entry. The owner's struct begins with it.
typedef struct AstarPlot {
    struct AstarPlot *next;          // next entry in its slot
    struct AstarPlot *older, *newer; // neighbours in the ring; NULL: the entry is not in it
    uint64_t tick;                   // AstarWorld.tick at its last use
    int32_t i, j;                    // column and row
    uint32_t bytes;                  // size of the entry
    uint8_t kind; // type of the entry, defined by the owner of the table; 0 for chunks
} AstarPlot;

typedef struct AstarPlots {
    AstarPlot **slots;
    size_t slot_count, count; // number of slots, which is a power of two or 0, and of entries
} AstarPlots;

AstarPlot *astar_plots_find(const AstarPlots *plots, int32_t i, int32_t j);
// Returns the entry of a square. If there is none, adds one of 'bytes' bytes, which are zero after
// the header. Returns NULL if memory is short.
AstarPlot *astar_plots_need(AstarPlots *plots, const AstarAllocator *allocator, int32_t i,
                            int32_t j, size_t bytes);
void astar_plots_remove(AstarPlots *plots, const AstarAllocator *allocator, AstarPlot *plot);
// Returns the entry after 'plot', or the first one if 'plot' is NULL. The order is arbitrary.
AstarPlot *astar_plots_next(const AstarPlots *plots, const AstarPlot *plot);
// Removes all entries.
void astar_plots_free(AstarPlots *plots, const AstarAllocator *allocator);

// Moves an entry to the newest place of the ring, or adds it to the ring. 'head' is the head of the
// ring and not an entry.
void astar_plot_use(AstarPlot *head, AstarPlot *plot, uint64_t tick);
void astar_plot_unlink(AstarPlot *plot);

// A rectangle of cells that were edited or read. Both corners belong to it.
typedef struct AstarWorldEdit {
    int32_t x0, y0, x1, y1;
} AstarWorldEdit;

// Returns the smallest rectangle that contains two cells, extended by 'more' cells on each side.
static inline AstarWorldEdit astar_cells_between(int32_t ax, int32_t ay, int32_t bx, int32_t by,
                                                 int32_t more)
{
    return (AstarWorldEdit){(ax < bx ? ax : bx) - more, (ay < by ? ay : by) - more,
                            (ax > bx ? ax : bx) + more, (ay > by ? ay : by) + more};
}

static const AstarWorldEdit astar_no_cells = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

// Returns the smallest rectangle that contains two rectangles.
static inline AstarWorldEdit astar_cells_joined(AstarWorldEdit a, AstarWorldEdit b)
{
    return (AstarWorldEdit){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                            a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

// Returns the common cells of two rectangles. If there are none, x0 > x1 or y0 > y1.
static inline AstarWorldEdit astar_cells_shared(AstarWorldEdit a, AstarWorldEdit b)
{
    return (AstarWorldEdit){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                            a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

// Returns the chunk column or row of a coordinate.
static inline int32_t astar_chunk_of(int32_t x)
{
    int32_t in = x % ASTAR_CHUNK_SIDE;
    return (x - (in < 0 ? in + ASTAR_CHUNK_SIDE : in)) / ASTAR_CHUNK_SIDE;
}

// Returns the column or row of a coordinate within its chunk.
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
