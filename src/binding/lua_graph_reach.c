// lua_graph_reach.c -- all nodes within a budget, and what it costs to them.
//
// The search that has found them is kept. After an edit of the graph the next question makes it
// anew.

#include "binding/lua_graphs.h"

#include <math.h>

// Its uservalue: {its finder, where it begins, its search}.
enum { REACH_FINDER = 1, REACH_START, REACH_SEARCH };

typedef struct astarL_GraphReach {
    astarL_Header header;
    const void *whole; // itself; NULL: closed
    double max_cost;
    uint64_t version; // of the graph, when it was searched
} astarL_GraphReach;

// Where its parts stand once they are pushed: the reach and, but for that, where it begins below.
enum { REACH_SELF = 1, REACH_ASKED, REACH_PARTS, REACH_OF, REACH_BEGIN };

// Searches from what is at REACH_BEGIN with the finder at REACH_OF, and keeps that in the table at
// REACH_PARTS.
static void search_all(lua_State *L, astarL_GraphReach *reach)
{
    lua_settop(L, REACH_BEGIN);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, REACH_OF, &astarL_graphsearching);
    int self = lua_gettop(L);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    uint32_t start = astarL_checkplace(L, &query, REACH_OF, REACH_BEGIN);
    AstarStatus status = astar_graph_search_reach(astarL_searchof(&query), start, reach->max_cost);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search->job.core, UINT64_MAX, &query);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    reach->version = astar_graph_version(search->graph);
    astarL_chargejob(L, &search->job, false);
    lua_settop(L, self);
    lua_rawseti(L, REACH_PARTS, REACH_SEARCH);
}

// finder:reach(a, max_cost) --> reach
int astarL_graphfinder_reach(lua_State *L)
{
    astarL_GraphFinder *finder = astarL_checkgraphfinder(L, 1);
    double max_cost = astarL_checkreal(L, 3, 0, (lua_Number)INFINITY, "max_cost");
    lua_settop(L, 2);
    astarL_GraphReach *reach = astarL_newobject(L, ASTARL_GRAPH_REACH, sizeof *reach);
    double most = finder->options.question.max_cost;
    reach->max_cost = max_cost < most ? max_cost : most;
    lua_insert(L, REACH_SELF);
    astarL_setparts(L, REACH_SELF, (const int[]){2, 3}, REACH_START);
    astarL_pushparts(L, REACH_SELF);
    lua_insert(L, 2);
    lua_pushnil(L);
    lua_insert(L, REACH_ASKED); // as its parts stand
    if (finder->options.question.partial)
        return luaL_error(L, "partial needs a single goal");
    search_all(L, reach);
    reach->whole = reach;
    lua_settop(L, 1);
    return 1;
}

// The reach at 1, its parts pushed, its search on the top: made anew where the graph was edited.
static astarL_GraphSearch *check_reach(lua_State *L)
{
    astarL_GraphReach *reach = astarL_checkopen(L, REACH_SELF, ASTARL_GRAPH_REACH);
    lua_settop(L, REACH_ASKED);
    astarL_pushparts(L, REACH_SELF);
    lua_rawgeti(L, REACH_PARTS, REACH_FINDER);
    lua_rawgeti(L, REACH_PARTS, REACH_START);
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, REACH_OF);
    if (astar_graph_version(finder->core) != reach->version)
        search_all(L, reach);
    lua_rawgeti(L, REACH_PARTS, REACH_SEARCH);
    astarL_GraphSearch *search = astarL_checkobject(L, lua_gettop(L), ASTARL_GRAPH_SEARCH);
    astarL_checkheld(L, search->job.core);
    return search;
}

// Stores the node that is asked for at REACH_ASKED; false, nil and the reason pushed, where it was
// not reached.
static bool find_asked(lua_State *L, astarL_GraphSearch *search, uint32_t *node, double *g)
{
    astarL_GraphQuery query;
    int self = lua_gettop(L);
    astarL_opengraphquery(L, &query, self);
    *node = astarL_checkplace(L, &query, REACH_OF, REACH_ASKED);
    astarL_searchof(&query);
    astarL_pausegraphquery(&query);
    lua_settop(L, self);
    uint32_t parent;
    if (astar_graph_search_node(search->job.core, *node, g, &parent))
        return true;
    const astarL_GraphReach *reach = lua_touserdata(L, REACH_SELF);
    AstarStatus status = astar_graph_search_status(search->job.core);
    if (status == ASTAR_OK) // all there is within the budget
        status = isinf(reach->max_cost) ? ASTAR_UNREACHABLE : ASTAR_MAX_COST;
    astarL_failgraph(L, status);
    return false;
}

// reach:distance(key) --> cost | nil, reason
static int reach_distance(lua_State *L)
{
    astarL_GraphSearch *search = check_reach(L);
    uint32_t node;
    double g;
    if (!find_asked(L, search, &node, &g))
        return 2;
    lua_pushnumber(L, g);
    return 1;
}

// reach:path(key) --> path | nil, reason
static int reach_path(lua_State *L)
{
    astarL_GraphSearch *search = check_reach(L);
    uint32_t node;
    double g;
    int self = lua_gettop(L);
    if (!find_asked(L, search, &node, &g))
        return 2;
    AstarStatus status = astarL_pushgraphpath(L, self, node, 0, 0);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// The iterator holds the reach as upvalue 1 and where it stands as 2.
static int next_reached(lua_State *L)
{
    uint64_t cursor = astarL_cursor(L);
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    astarL_GraphSearch *search = check_reach(L);
    int self = lua_gettop(L);
    uint32_t node;
    double g;
    if (!astar_graph_search_reached(search->job.core, &cursor, &node, &g))
        return 0;
    astarL_setcursor(L, cursor);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    astarL_pushnode(L, &query, node);
    astarL_pausegraphquery(&query);
    lua_pushnumber(L, g);
    return 2;
}

// for key, cost in reach:nodes() do: the nearest first
static int reach_nodes(lua_State *L)
{
    check_reach(L);
    return astarL_iterate(L, next_reached, 1);
}

static void tell_reach(lua_State *L, const void *object)
{
    const astarL_GraphReach *reach = object;
    lua_pushfstring(L, "astar graph reach, max_cost %s", astarL_pushnumber(L, reach->max_cost));
}

static const astarL_Function graph_reach_methods[] = {
    {"distance", 2, reach_distance},
    {"nodes", 1, reach_nodes},
    {"path", 2, reach_path},
    {"", 0, NULL},
};

const astarL_Class astarL_graphreachclass = {
    .type = ASTARL_GRAPH_REACH, .methods = graph_reach_methods, .tell = tell_reach};
