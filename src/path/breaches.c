// breaches.c -- the blocks that a path leads through, of layers that have a price to its unit.

#include "map/blocks.h"
#include "unit/finder.h"

// Found so far: as many as there is room for are stored.
typedef struct Breaches {
    const AstarFinder *finder;
    AstarBlock *blocks;
    size_t room, count;
} Breaches;

// A large unit that turns round something may come to cover a cell again.
static bool is_listed(const Breaches *breaches, int x, int y)
{
    size_t known = breaches->count < breaches->room ? breaches->count : breaches->room;
    for (size_t i = known; i > 0 && breaches->finder->options.size > 1; i--)
        if (breaches->blocks[i - 1].x == x && breaches->blocks[i - 1].y == y)
            return true;
    return false;
}

// Those of the cells that the unit covers at (x, y) and not at (from_x, from_y).
static void list_blocks_of_step(Breaches *breaches, int from_x, int from_y, int x, int y)
{
    const AstarGrid *grid = breaches->finder->grid;
    const int size = breaches->finder->options.size;
    for (int row = y; row < y + size; row++)
        for (int column = x; column < x + size; column++) {
            bool is_new = column < from_x || column >= from_x + size || row < from_y ||
                          row >= from_y + size;
            if (is_new && astar_inside(grid, column, row) && !is_listed(breaches, column, row))
                breaches->count = astar_blocks_list(grid, ~breaches->finder->breached, column, row,
                                                    breaches->blocks, breaches->room,
                                                    breaches->count);
        }
}

size_t astar_path_breaches(const AstarPath *path, const AstarFinder *finder, AstarBlock *blocks,
                           size_t room)
{
    Breaches breaches = {.finder = finder, .blocks = blocks, .room = room};
    AstarPathCursor cursor = astar_path_cursor(path);
    int from_x, from_y, x, y;
    if (finder->breached == 0 || !astar_path_next(&cursor, &from_x, &from_y))
        return 0;
    for (; astar_path_next(&cursor, &x, &y); from_x = x, from_y = y)
        list_blocks_of_step(&breaches, from_x, from_y, x, y);
    return breaches.count;
}
