// goal_range.h -- the cells within range of goals.

#ifndef ASTAR_GOAL_RANGE_H
#define ASTAR_GOAL_RANGE_H

#include "map/grid.h"

// A cell that has a value from the outset.
typedef struct AstarSeed {
    uint32_t cell;
    double value;
} AstarSeed;

// Goals, and the memory to go over the cells around them.
typedef struct AstarRange {
    AstarSeed *goals;
    size_t count, capacity;
    // The band of rows at hand: a bit for each cell that is marked, and of those the goal.
    uint64_t *marked;
    uint32_t *whose;
    size_t cells;  // room for so many
    int32_t y0, y; // its first row, and the next one to be told
    size_t left;   // cells without a mark
    size_t goal;   // how many have marked their runs,
    int64_t runs;  // and how many runs the next one has
} AstarRange;

// Makes room for so many goals and what is no farther from them, and empties it.
AstarStatus astar_range_begin(AstarRange *range, const AstarAllocator *allocator,
                              const AstarGrid *grid, size_t goals, int reach);
void astar_range_free(AstarRange *range, const AstarAllocator *allocator);
size_t astar_range_bytes(const AstarRange *range);

static inline void astar_range_add(AstarRange *range, uint32_t cell, double value)
{
    range->goals[range->count++] = (AstarSeed){cell, value};
}

// Told of a cell, and of the goal within range of it whose value is the least.
typedef AstarStatus (*AstarRangeTake)(void *context, uint32_t cell, const AstarSeed *goal);

// Goes over all cells whose columns and rows are within 'reach' of a goal's, or without corners as
// many steps away, each once, in order; until one is not taken.
AstarStatus astar_range_sweep(AstarRange *range, const AstarGrid *grid, int reach,
                              AstarRangeTake take, void *context);
// The same in slices, of a reach above 0; ASTAR_RUNNING where the work is used up before.
void astar_range_begin_sweep(AstarRange *range, const AstarGrid *grid);
AstarStatus astar_range_sweep_on(AstarRange *range, const AstarGrid *grid, int reach,
                                 AstarRangeTake take, void *context, int64_t *work);

#endif
