// lua_spread.c -- finder:spread, what goes round walls from some cells on.

#include "binding/lua_helper.h"
#include "binding/lua_query.h"

enum { SPREAD_SELF = 1, SPREAD_REACH = 3, SPREAD_OPTIONS, SPREAD_INTO };
// What arguments.lua reads of the arguments and the grid, in whose place the field then stands.
enum { SPREAD_CELLS = SPREAD_INTO + 1, SPREAD_VALUE, SPREAD_FALLOFF, SPREAD_FLOW };

// Pushes the reach of the source at 'i' of the list of cells and fills the field from it.
static void spread_source(lua_State *L, int i)
{
    lua_pushcfunction(L, astarL_finder_reach);
    lua_pushvalue(L, SPREAD_SELF);
    lua_rawgeti(L, SPREAD_CELLS, i);
    lua_rawgeti(L, SPREAD_CELLS, i + 1);
    lua_pushvalue(L, SPREAD_REACH);
    lua_call(L, 4, 1);
    astarL_Flow *flow = astarL_checkflow(L, SPREAD_FLOW);
    const astarL_Field *into = astarL_checkfield(L, SPREAD_INTO);
    astarL_Query query;
    astarL_attend(L, &query, astar_flow_finder(flow->core), flow->asks, SPREAD_FLOW, flow->x0,
                  flow->y0, &flow->turn);
    AstarStatus status = astar_flow_complete(flow->core, &query);
    astarL_checkheld(L, into->core); // a function asked may have closed it
    if (status == ASTAR_OK)
        status = astar_flow_spread(flow->core, lua_tonumber(L, SPREAD_VALUE),
                                   lua_tonumber(L, SPREAD_FALLOFF), into->core, &query);
    astarL_pause(&query);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    astar_flow_release(flow->core);
    flow->core = NULL;
    lua_settop(L, SPREAD_FALLOFF);
}

// finder:spread(sources, reach [, {value =, falloff =, into =}]) --> field
int astarL_finder_spread(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, SPREAD_SELF);
    if (astar_finder_options(finder->core)->bend_cost > 0)
        return luaL_error(L, "spread cannot honour bend_cost");
    lua_settop(L, SPREAD_OPTIONS);
    astarL_plainoptions(L, SPREAD_OPTIONS, "falloff\0into\0value\0");
    astarL_pushpart(L, SPREAD_SELF, ASTARL_OF_GRID, LUA_TUSERDATA);
    astarL_askhelper(L, "arguments", "spread");
    const astarL_Field *into = astarL_pushinto(L, SPREAD_OPTIONS, finder);
    lua_replace(L, SPREAD_INTO);
    lua_settop(L, SPREAD_FALLOFF);
    int width = astar_field_width(into->core), height = astar_field_height(into->core);
    astar_field_fill(into->core, 0, 0, width, height, 0);
    int count = (int)lua_rawlen(L, SPREAD_CELLS);
    for (int i = 1; i < count; i += 2)
        spread_source(L, i);
    lua_settop(L, SPREAD_INTO);
    return 1;
}
