// lua_graph_search.c -- searches of graphs made a few expansions at a time.

#include "binding/lua_graph.h"

#include "binding/lua_job.h"

#include <string.h>

static astarL_GraphSearch *check_graph_search(lua_State *L)
{
    astarL_GraphSearch *search = astarL_checkobject(L, 1, ASTARL_GRAPH_SEARCH);
    if (search->core == NULL)
        luaL_error(L, "search is closed");
    return search;
}

static const char *text_of_graph_status(AstarStatus status)
{
    return status == ASTAR_GRID_CHANGED ? "graph changed" : astar_status_text(status);
}

// Pushes the path of the search at 1, which is made once.
static AstarStatus push_found_route(lua_State *L)
{
    lua_settop(L, 1);
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 2, ASTARL_FOUND);
    if (!lua_isnil(L, 3))
        return ASTAR_OK;
    AstarStatus status = astarL_pushgraphpath(L, 1, ASTAR_NO_NODE, 0, 0);
    if (status != ASTAR_OK)
        return status;
    lua_pushvalue(L, -1);
    lua_rawseti(L, 2, ASTARL_FOUND);
    return ASTAR_OK;
}

static AstarStatus step_graph_slice(void *search, uint64_t expansions, void *query)
{
    return astar_graph_search_step(search, expansions, query);
}

// search:step([n | {ms =, expansions =}]) --> "running" | "found" | reason
static int graph_search_step(lua_State *L)
{
    check_graph_search(L);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    astarL_GraphSearch *search = check_graph_search(L);
    lua_settop(L, 2);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, 1);
    AstarStatus status = astarL_runslices(budget, step_graph_slice, search->core, &query);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    // Kept at once, for its keys and labels can be told only while the graph is as it is.
    if (status == ASTAR_OK && push_found_route(L) == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    astarL_chargegraphsearch(L, search, astarL_isbyclock(budget));
    lua_pushstring(L, text_of_graph_status(status));
    return 1;
}

int astarL_freezegraphsearch(lua_State *L)
{
    AstarStatus status = astar_graph_search_freeze(check_graph_search(L)->core);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    lua_pushboolean(L, status == ASTAR_OK);
    return 1;
}

// search:path() --> path | nil, "running" or reason
static int graph_search_path(lua_State *L)
{
    const astarL_GraphSearch *search = check_graph_search(L);
    AstarStatus status = astar_graph_search_status(search->core);
    if (status == ASTAR_OK)
        status = push_found_route(L);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// search:close(): gives its memory back at once
static int graph_search_close(lua_State *L)
{
    astarL_closegraphsearch(L, astarL_checkobject(L, 1, ASTARL_GRAPH_SEARCH));
    return 0;
}

static int graph_search_index(lua_State *L)
{
    astarL_checkobject(L, 1, ASTARL_GRAPH_SEARCH);
    if (lua_type(L, 2) != LUA_TSTRING)
        return astarL_nofield(L);
    if (astarL_pushmethod(L))
        return 1;
    const AstarGraphSearch *core = check_graph_search(L)->core;
    if (strcmp(lua_tostring(L, 2), "status") == 0)
        lua_pushstring(L, text_of_graph_status(astar_graph_search_status(core)));
    else if (strcmp(lua_tostring(L, 2), "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)astar_graph_search_expanded(core));
    else
        astarL_nofield(L);
    return 1;
}

static bool tell_graph_search(lua_State *L, const void *object)
{
    const astarL_GraphSearch *search = object;
    if (search->core != NULL)
        lua_pushfstring(
            L, "astar graph search, %s, %s expanded",
            text_of_graph_status(astar_graph_search_status(search->core)),
            astarL_pushnumber(L, (lua_Number)astar_graph_search_expanded(search->core)));
    return search->core != NULL;
}

void astarL_opengraphsearch(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"close", graph_search_close, 1},
        {"path", graph_search_path, 1},
        {"step", graph_search_step, 2},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {
        ASTARL_GRAPH_SEARCH, methods, astarL_closegraphsearch, tell_graph_search,
        graph_search_index,  NULL,    "status\0expanded\0"};
    astarL_newtype(L, &class);
}
