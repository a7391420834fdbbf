// lua_graph_search.c -- searches of graphs made a few expansions at a time.

#include "binding/lua_graph.h"

#include "binding/lua_job.h"

#include <string.h>

#define check_graph_search(L) ((astarL_GraphSearch *)astarL_checkopen(L, 1, ASTARL_GRAPH_SEARCH))

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

static void push_graph_search_field(lua_State *L, const void *object, const char *name)
{
    const AstarGraphSearch *core = ((const astarL_GraphSearch *)object)->core;
    if (strcmp(name, "status") == 0)
        lua_pushstring(L, text_of_graph_status(astar_graph_search_status(core)));
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)astar_graph_search_expanded(core));
}

static void tell_graph_search(lua_State *L, const void *object)
{
    const astarL_GraphSearch *search = object;
    lua_pushfstring(L, "astar graph search, %s, %s expanded",
                    text_of_graph_status(astar_graph_search_status(search->core)),
                    astarL_pushnumber(L, (lua_Number)astar_graph_search_expanded(search->core)));
}

static const astarL_Function graph_search_methods[] = {
    {"close", graph_search_close, 1},
    {"path", graph_search_path, 1},
    {"step", graph_search_step, 2},
    {NULL, NULL, 0},
};

const astarL_Class astarL_graphsearchclass = {.type = ASTARL_GRAPH_SEARCH,
                                              .methods = graph_search_methods,
                                              .close = astarL_closegraphsearch,
                                              .tell = tell_graph_search,
                                              .field = push_graph_search_field,
                                              .fields = "status\0expanded\0"};
