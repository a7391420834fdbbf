// walls.h -- Thin walls, which separate neighbouring cells, and restricted cells, which may be left
// only in some directions. A grid has them for all its cells, a world for the cells of each chunk.

#ifndef ASTAR_WALLS_H
#define ASTAR_WALLS_H

#include "base/alloc.h"
#include "base/bits.h"

// The walls and restrictions of a number of cells. No memory is allocated before the first one.
typedef struct AstarWalls {
    // For each cell, one bit for each direction in which a wall bars the step out of the cell; NULL
    // if there never was a wall.
    uint8_t *sides;
    // For each cell, one bit for each direction in which the cell may not be left; NULL if no cell
    // was ever restricted.
    uint8_t *exits;
    uint32_t side_count; // number of bits set in 'sides'
    uint32_t exit_count; // number of cells with a bit set in 'exits'
} AstarWalls;

// Allocates the array of walls of 'cells' cells, unless it exists. Returns false if memory runs
// out.
bool astar_walls_need_sides(AstarWalls *walls, const AstarAllocator *allocator, size_t cells);
// Allocates the array of restrictions of 'cells' cells, unless it exists. Returns false if memory
// runs out.
bool astar_walls_need_exits(AstarWalls *walls, const AstarAllocator *allocator, size_t cells);
// Frees the walls and restrictions of 'cells' cells.
void astar_walls_free(AstarWalls *walls, const AstarAllocator *allocator, size_t cells);
// Returns the bytes of the arrays of walls and restrictions of 'cells' cells.
size_t astar_walls_bytes(const AstarWalls *walls, size_t cells);

// Returns true if there is a wall or a restricted cell. A restricted cell bars steps out of it as
// one-way walls do, so all code that looks for walls looks for restricted cells as well.
static inline bool astar_walls_exist(const AstarWalls *walls)
{
    return walls->side_count > 0 || walls->exit_count > 0;
}

// Sets the directions in which walls bar steps out of a cell. The array of walls must exist.
// Returns true if they changed.
static inline bool astar_walls_set(AstarWalls *walls, size_t cell, unsigned barred)
{
    uint8_t *directions = &walls->sides[cell];
    if (*directions == barred)
        return false;
    walls->side_count += (uint32_t)astar_count_bits(barred);
    walls->side_count -= (uint32_t)astar_count_bits(*directions);
    *directions = (uint8_t)barred;
    return true;
}

// Adds the wall that bars the step out of a cell in a direction or, if 'barred' is false, removes
// it. The array of walls must exist. Returns true if the wall changed.
static inline bool astar_walls_turn(AstarWalls *walls, size_t cell, int direction, bool barred)
{
    uint8_t *directions = &walls->sides[cell];
    if ((*directions >> direction & 1) == barred)
        return false;
    *directions = (uint8_t)(*directions ^ 1u << direction);
    walls->side_count += barred ? 1 : UINT32_MAX;
    return true;
}

// Sets the directions in which a cell may not be left. The array of restrictions must exist.
// Returns true if they changed.
static inline bool astar_walls_restrict(AstarWalls *walls, size_t cell, unsigned barred)
{
    uint8_t *exits = &walls->exits[cell];
    if (*exits == barred)
        return false;
    walls->exit_count += (barred != 0) - (uint32_t)(*exits != 0);
    *exits = (uint8_t)barred;
    return true;
}

#endif
