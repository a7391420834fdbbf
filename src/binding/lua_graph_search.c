// lua_graph_search.c -- searches of graphs made a few expansions at a time.

#include "binding/lua_graphs.h"

#include "binding/lua_query.h"

#include <string.h>

#define check_graph_search(L) ((astarL_GraphSearch *)astarL_checkopen(L, 1, ASTARL_GRAPH_SEARCH))

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

static AstarStatus step_graph_search(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, 1);
    AstarStatus status = astarL_runslices(budget, astar_graph_search_job.step, job->core, &query);
    astarL_pausegraphquery(&query);
    astarL_checkgraphstatus(L, status);
    // Kept at once, for its keys and labels can be told only while the graph is as it is.
    if (status == ASTAR_OK && push_found_route(L) == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    if (status != ASTAR_RUNNING && job->core != NULL) // a finalizer may have closed it
        astar_graph_search_thaw(job->core);
    return status;
}

static void close_graph_search(lua_State *L, astarL_Job *job, void *core)
{
    astarL_GraphSearch *search = (astarL_GraphSearch *)job;
    AstarGraph *graph = search->graph;
    astarL_forget(L, job);
    search->graph = NULL;
    astar_graph_search_free(core);
    astar_graph_release(graph);
}

const astarL_JobKind astarL_graphsearching = {
    ASTARL_GRAPH_SEARCH, &astar_graph_search_job, step_graph_search, "found",
    "graph changed",     close_graph_search,
};

// search:path() --> path | nil, "running" or reason
static int graph_search_path(lua_State *L)
{
    const astarL_GraphSearch *search = check_graph_search(L);
    AstarStatus status = astar_graph_search_status(search->job.core);
    if (status == ASTAR_OK)
        status = push_found_route(L);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

static const astarL_Function graph_search_methods[] = {
    {"close", 1, astarL_job_close},
    {"path", 1, graph_search_path},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_graphsearchclass = {.type = ASTARL_GRAPH_SEARCH,
                                              .methods = graph_search_methods,
                                              .close = astarL_closejob,
                                              .field = astarL_pushjobfield,
                                              .fields = "status\0expanded\0"};
