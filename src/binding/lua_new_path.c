// lua_new_path.c -- paths that are made, of whatever they are: pushed, noted as valid, copied.

#include "binding/lua_path.h"

#include <string.h>

astarL_Path *astarL_pushpath(lua_State *L, bool asks, int owner, int x0, int y0)
{
    astarL_Path *path = astarL_newobject(L, ASTARL_PATH, sizeof *path);
    astar_path_init(&path->core);
    path->core.points = path->room;
    path->core.capacity = (int)(sizeof path->room / sizeof *path->room);
    path->core.is_lent = true;
    path->x0 = x0;
    path->y0 = y0;
    path->asks = asks;
    lua_getuservalue(L, owner);
    lua_setuservalue(L, -2);
    return path;
}

void astarL_setfinder(lua_State *L, astarL_Path *path, AstarFinder *finder)
{
    astarL_checkheld(L, finder);
    astar_finder_retain(finder);
    path->finder = finder;
}

// What a callback says may change without a word, so only an unchanged grid's data is trusted.
void astarL_notevalid(astarL_Path *path, int from, const astarL_Query *query)
{
    path->valid_from = path->asks ? 0 : from;
    path->valid_at = astar_grid_version(astar_finder_grid(query->finder));
}

size_t astarL_pathbytes(const AstarPath *path)
{
    return (size_t)path->count * sizeof *path->points +
           (size_t)path->link_count * sizeof *path->links;
}

void astarL_copypath(AstarPath *copy, const AstarPath *path)
{
    size_t points = (size_t)path->count * sizeof *path->points;
    size_t links = (size_t)path->link_count * sizeof *path->links;
    *copy = *path;
    copy->points = (AstarPoint *)(copy + 1);
    copy->links = (AstarPathLink *)(copy->points + path->count);
    if (points > 0)
        memcpy(copy->points, path->points, points);
    if (links > 0)
        memcpy(copy->links, path->links, links);
}
