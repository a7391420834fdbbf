// plots.h -- a hash table of entries, one for each square of the plane, and a ring of entries in
// the order of their last use. The entries are chunks, measured squares, and the squares of a
// search.

#ifndef ASTAR_PLOTS_H
#define ASTAR_PLOTS_H

#include "base/alloc.h"

// The header of each entry of a table. The struct of each type of entry begins with this header.
typedef struct AstarPlot {
    struct AstarPlot *next; // next entry in the same slot of the hash table
    // Neighbours in the ring of entries; NULL: the entry is not in the ring.
    struct AstarPlot *older, *newer;
    uint64_t tick;  // value of AstarWorld.tick when the entry was last used
    int32_t i, j;   // column and row of the square
    uint32_t bytes; // size of the entry, header included
    // Type of the entry; 0 for chunks, other values are defined by the owner of the table.
    uint8_t kind;
} AstarPlot;

typedef struct AstarPlots {
    AstarPlot **slots;
    // Number of slots, which is a power of two or 0, and number of entries.
    size_t slot_count, count;
} AstarPlots;

AstarPlot *astar_plots_find(const AstarPlots *plots, int32_t i, int32_t j);
// Returns the entry of the square (i, j). If the table has none, adds an entry of 'bytes' bytes,
// which are zero after the header. Returns NULL if memory is short.
AstarPlot *astar_plots_need(AstarPlots *plots, const AstarAllocator *allocator, int32_t i,
                            int32_t j, size_t bytes);
void astar_plots_remove(AstarPlots *plots, const AstarAllocator *allocator, AstarPlot *plot);
// Returns the entry after 'plot' or, if 'plot' is NULL, the first entry of a table. The order of
// entries is arbitrary. Returns NULL after the last one.
AstarPlot *astar_plots_next(const AstarPlots *plots, const AstarPlot *plot);
// Removes all entries of a table and frees them.
void astar_plots_free(AstarPlots *plots, const AstarAllocator *allocator);

// Moves an entry to that end of the ring where the most recently used entries are, or adds it at
// this end. 'head' is the head of the ring and not an entry.
void astar_plot_use(AstarPlot *head, AstarPlot *plot, uint64_t tick);
void astar_plot_unlink(AstarPlot *plot);

// A rectangle of cells that were edited or read, given by two opposite corners. Both corner cells
// belong to it.
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

// Returns the common cells of two rectangles. If they have none, the result has x0 > x1 or y0 > y1.
static inline AstarWorldEdit astar_cells_shared(AstarWorldEdit a, AstarWorldEdit b)
{
    return (AstarWorldEdit){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                            a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

// Returns the column of the chunk that contains the column 'x' of a world. For a row, returns the
// row of the chunk.
static inline int32_t astar_chunk_of(int32_t x)
{
    int32_t in = x % ASTAR_CHUNK_SIDE;
    return (x - (in < 0 ? in + ASTAR_CHUNK_SIDE : in)) / ASTAR_CHUNK_SIDE;
}

// Returns the column of a cell within its chunk, given its column 'x' in the world. For a row,
// returns the row within the chunk.
static inline int astar_in_chunk(int32_t x)
{
    return (int)(x - astar_chunk_of(x) * ASTAR_CHUNK_SIDE);
}

// Returns the index of a cell in the arrays of its chunk, given its position in the world.
static inline size_t astar_cell_in_chunk(int32_t x, int32_t y)
{
    return (size_t)(astar_in_chunk(y) * ASTAR_CHUNK_SIDE + astar_in_chunk(x));
}

// Returns the common part of a rectangle of cells and the chunk (cx, cy), in coordinates of the
// chunk.
static inline AstarWorldEdit astar_part_in_chunk(AstarWorldEdit all, int32_t cx, int32_t cy)
{
    int32_t x = cx * ASTAR_CHUNK_SIDE, y = cy * ASTAR_CHUNK_SIDE, last = ASTAR_CHUNK_SIDE - 1;
    return astar_cells_shared((AstarWorldEdit){all.x0 - x, all.y0 - y, all.x1 - x, all.y1 - y},
                              (AstarWorldEdit){0, 0, last, last});
}

static inline bool astar_is_of_world(int64_t x, int64_t y)
{
    return x >= -ASTAR_WORLD_REACH && x < ASTAR_WORLD_REACH && y >= -ASTAR_WORLD_REACH &&
           y < ASTAR_WORLD_REACH;
}

#endif
