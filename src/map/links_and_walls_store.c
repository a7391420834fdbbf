// links_and_walls_store.c -- the memory that links and walls take.
//
// Nothing of it exists until the first link or wall.

#include "map/links_and_walls.h"

#include <string.h>

AstarStatus astar_need_links_and_walls(AstarGrid *grid)
{
    if (grid->links_and_walls != NULL)
        return ASTAR_OK;
    AstarLinksAndWalls *none = astar_alloc(&grid->allocator, 1, sizeof *none);
    if (none == NULL)
        return ASTAR_NO_MEMORY;
    none->back.back = true;
    grid->links_and_walls = none;
    return ASTAR_OK;
}

AstarStatus astar_need_walls(AstarGrid *grid)
{
    AstarStatus status = astar_need_links_and_walls(grid);
    if (status != ASTAR_OK || grid->links_and_walls->walls != NULL)
        return status;
    grid->links_and_walls->walls = astar_alloc(&grid->allocator, grid->cells, 1);
    return grid->links_and_walls->walls != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_need_ends(AstarGrid *grid)
{
    AstarStatus status = astar_need_links_and_walls(grid);
    if (status != ASTAR_OK || grid->links_and_walls->ends.words != NULL)
        return status;
    AstarBits *ends = &grid->links_and_walls->ends;
    *ends = astar_bits_new(&grid->allocator, grid->width, grid->height);
    return ends->words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY;
}

AstarStatus astar_links_clone(const AstarGrid *grid, AstarGrid *copy)
{
    const AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL || links->arcs.count == 0)
        return ASTAR_OK;
    if (astar_need_ends(copy) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    const AstarAllocator *allocator = &copy->allocator;
    AstarLinksAndWalls *copied = copy->links_and_walls;
    if (!astar_arcs_copy(&copied->arcs, allocator, &links->arcs) ||
        !astar_arcs_copy(&copied->back, allocator, &links->back)) {
        astar_arcs_free(&copied->arcs, allocator);
        return ASTAR_NO_MEMORY;
    }
    memcpy(copied->ends.words, links->ends.words, links->ends.count * sizeof *links->ends.words);
    copied->least_cost = links->least_cost;
    copied->most_cost = links->most_cost;
    return ASTAR_OK;
}

AstarStatus astar_walls_copy(AstarGrid *grid, const AstarGrid *from, int y, int height)
{
    const AstarLinksAndWalls *copied = from->links_and_walls;
    const uint8_t *theirs = copied != NULL ? copied->walls : NULL;
    if (theirs == NULL && (grid->links_and_walls == NULL || grid->links_and_walls->walls == NULL))
        return ASTAR_OK;
    if (astar_need_walls(grid) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    uint32_t first = (uint32_t)y * (uint32_t)grid->width;
    uint32_t end = first + (uint32_t)height * (uint32_t)grid->width;
    AstarLinksAndWalls *links = grid->links_and_walls;
    for (uint32_t cell = first; cell < end; cell++) {
        uint8_t wanted = theirs != NULL ? theirs[cell] : 0;
        if (links->walls[cell] == wanted)
            continue;
        links->wall_count += (uint32_t)astar_count_bits(wanted);
        links->wall_count -= (uint32_t)astar_count_bits(links->walls[cell]);
        links->walls[cell] = wanted;
    }
    return ASTAR_OK;
}

AstarStatus astar_links_and_walls_clone(const AstarGrid *grid, AstarGrid *copy)
{
    AstarStatus status = astar_walls_copy(copy, grid, 0, grid->height);
    return status == ASTAR_OK ? astar_links_clone(grid, copy) : status;
}

void astar_links_and_walls_free(AstarGrid *grid)
{
    AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL)
        return;
    astar_release(&grid->allocator, links->walls, grid->cells, 1);
    astar_bits_free(&grid->allocator, &links->ends);
    astar_arcs_free(&links->arcs, &grid->allocator);
    astar_arcs_free(&links->back, &grid->allocator);
    astar_release(&grid->allocator, links, 1, sizeof *links);
    grid->links_and_walls = NULL;
}

size_t astar_links_and_walls_bytes(const AstarGrid *grid)
{
    const AstarLinksAndWalls *links = grid->links_and_walls;
    if (links == NULL)
        return 0;
    size_t bytes = sizeof *links + (links->walls != NULL ? grid->cells : 0);
    if (links->ends.words != NULL)
        bytes += links->ends.count * sizeof *links->ends.words;
    return bytes + astar_arcs_bytes(&links->arcs) + astar_arcs_bytes(&links->back);
}
