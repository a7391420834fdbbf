// lua_bottlenecks.c -- finder:min_cut, finder:chokepoints: cells that part two others.

#include "binding/lua_query.h"
#include "binding/lua_share.h"

// What is asked of a finder at 1, the cells at 2 to 5.
typedef struct Between {
    astarL_Finder *finder;
    AstarCell start, goal;
} Between;

static Between check_between(lua_State *L)
{
    Between between = {.finder = astarL_checkfinder(L, 1)};
    astarL_Ends ends = astarL_checkquery(L, 2, between.finder);
    between.start = (AstarCell){ends.x0, ends.y0};
    between.goal = (AstarCell){ends.x1, ends.y1};
    return between;
}

// Pushes the list of cells, or raises what is wrong.
static int push_cells(lua_State *L, const Between *between, AstarStatus status,
                      const AstarCell *cells, size_t count, const char *method)
{
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "%s cannot honour size or callbacks", method);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        astarL_pushpoint(L, cells[i].x, cells[i].y, between->finder->x0, between->finder->y0);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// finder:min_cut(sx, sy, gx, gy [, { most = 8 }]) --> cells | nil, "open"
int astarL_finder_min_cut(lua_State *L)
{
    Between between = check_between(L);
    AstarCell cells[ASTAR_MOST_CUT];
    astarL_checkoptions(L, 6, "most\0");
    int most = (int)astarL_readwhole(L, 6, "most", 0, ASTAR_MOST_CUT, 8), count;
    astarL_checkheld(L, between.finder->core);
    AstarGrid *grid = astar_finder_grid(between.finder->core);
    unsigned entered = astarL_enterof(L, &between.finder->core, 1);
    AstarStatus status = astar_min_cut(astarL_workspace(L), between.finder->core, between.start,
                                       between.goal, most, cells, &count);
    astar_view_leave(grid, entered);
    if (status == ASTAR_OK && count > most)
        return astarL_refuse(L, "open");
    return push_cells(L, &between, status, cells, (size_t)count, "min_cut");
}

// finder:chokepoints(sx, sy, gx, gy) --> cells | nil, reason
int astarL_finder_chokepoints(lua_State *L)
{
    Between between = check_between(L);
    AstarCell few[64], *cells = few;
    size_t room = sizeof few / sizeof *few, count;
    for (;;) {
        AstarGrid *grid = astar_finder_grid(between.finder->core);
        unsigned entered = astarL_enterof(L, &between.finder->core, 1);
        AstarStatus status = astar_chokepoints(astarL_workspace(L), between.finder->core,
                                               between.start, between.goal, cells, room, &count);
        astar_view_leave(grid, entered);
        if (status != ASTAR_OK || count <= room)
            return push_cells(L, &between, status, cells, count, "chokepoints");
        room = count;
        cells = lua_newuserdata(L, room * sizeof *cells);
        astarL_checkheld(L, between.finder->core);
    }
}
