// walls.c -- the memory of thin walls and of restricted cells.
//
// A wall lies on the side between two neighbouring cells. Each cell has a byte with one bit for
// each direction in which a wall bars the step out of the cell. A wall sets two bits, one in each
// of the two cells; a one-way wall sets one bit. A restricted cell has a second byte with one bit
// for each direction in which it may not be left. The two bytes are separate, so that removing a
// restriction leaves all walls as they are. A restriction bars steps out of its own cell only;
// unlike a wall it does not affect diagonal steps past the cell. The corner rules define how walls
// affect diagonal steps: see corner_rules.h.

#include "map/walls.h"

static bool need_bytes(uint8_t **bytes, const AstarAllocator *allocator, size_t cells)
{
    if (*bytes == NULL)
        *bytes = astar_alloc(allocator, cells, 1);
    return *bytes != NULL;
}

bool astar_walls_need_sides(AstarWalls *walls, const AstarAllocator *allocator, size_t cells)
{
    return need_bytes(&walls->sides, allocator, cells);
}

bool astar_walls_need_exits(AstarWalls *walls, const AstarAllocator *allocator, size_t cells)
{
    return need_bytes(&walls->exits, allocator, cells);
}

void astar_walls_free(AstarWalls *walls, const AstarAllocator *allocator, size_t cells)
{
    astar_release(allocator, walls->sides, cells, 1);
    astar_release(allocator, walls->exits, cells, 1);
    *walls = (AstarWalls){0};
}

size_t astar_walls_bytes(const AstarWalls *walls, size_t cells)
{
    return (walls->sides != NULL ? cells : 0) + (walls->exits != NULL ? cells : 0);
}
