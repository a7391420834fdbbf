// lua_spread.c -- finder:spread, what goes round walls from some cells on.

#include "binding/lua_query.h"

enum { SPREAD_SELF = 1, SPREAD_SOURCES, SPREAD_REACH, SPREAD_OPTIONS, SPREAD_INTO, SPREAD_FLOW };

// Pushes the reach of one source and fills the field from it.
static void spread_source(lua_State *L, AstarCell source, double value, double falloff)
{
    const astarL_Finder *finder = astarL_checkfinder(L, SPREAD_SELF);
    lua_pushcfunction(L, astarL_finder_reach);
    lua_pushvalue(L, SPREAD_SELF);
    astarL_pushcell(L, source.x, source.y, finder->x0, finder->y0);
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
        status = astar_flow_spread(flow->core, value, falloff, into->core, &query);
    astarL_pause(&query);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    astar_flow_release(flow->core);
    flow->core = NULL;
    lua_settop(L, SPREAD_INTO);
}

// finder:spread(sources, reach [, {value =, falloff =, into =}]) --> field
int astarL_finder_spread(lua_State *L)
{
    static const char *const names[] = {"falloff", "into", "value", NULL};
    const astarL_Finder *finder = astarL_checkfinder(L, SPREAD_SELF);
    if (astar_finder_options(finder->core)->bend_cost > 0)
        return luaL_error(L, "spread cannot honour bend_cost");
    if (!lua_istable(L, SPREAD_SOURCES))
        return luaL_error(L, "sources must be a list of cells, got %s",
                          astarL_describe(L, SPREAD_SOURCES));
    const char *stray;
    size_t count = astarL_lengthof(L, SPREAD_SOURCES, &stray);
    if (stray != NULL)
        return luaL_error(L, "sources must be a list of cells, got an entry [%s]", stray);
    astarL_checkreal(L, SPREAD_REACH, 0, ASTAR_COST_MAX, "reach");
    lua_settop(L, SPREAD_OPTIONS);
    double value = 1, falloff = 1;
    if (!lua_isnil(L, SPREAD_OPTIONS)) {
        astarL_checkoptions(L, SPREAD_OPTIONS, names);
        value = astarL_readreal(L, SPREAD_OPTIONS, "value", 0, ASTAR_COST_MAX, 1);
        falloff = astarL_readreal(L, SPREAD_OPTIONS, "falloff", 0, 1, 1);
    }
    lua_pushnil(L);
    const astarL_Field *into = astarL_pushinto(L, SPREAD_OPTIONS, finder);
    lua_replace(L, SPREAD_INTO);
    lua_settop(L, SPREAD_INTO);
    int width = astar_field_width(into->core), height = astar_field_height(into->core);
    astar_field_fill(into->core, 0, 0, width, height, 0);
    for (size_t i = 0; i < count; i++) {
        const astarL_Nth nth = {"source", i + 1};
        lua_rawgeti(L, SPREAD_SOURCES, (int)i + 1);
        if (!lua_istable(L, SPREAD_FLOW))
            luaL_error(L, "%s must be a cell {x, y}, got %s", astarL_pushnth(L, nth),
                       astarL_describe(L, SPREAD_FLOW));
        finder = astarL_checkfinder(L, SPREAD_SELF);
        AstarCell source = astarL_readgoal(L, astarL_areaof(finder), SPREAD_FLOW, nth, false);
        lua_settop(L, SPREAD_INTO);
        spread_source(L, source, value, falloff);
    }
    return 1;
}
