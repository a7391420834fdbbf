// lua_graph_path.c -- routes over graphs: the keys on the way, and the labels of the steps.

#include "binding/lua_graphs.h"

#include <math.h>
#include <string.h>

// Its uservalue: {keys, labels}, so that it stays as it is whatever becomes of the graph.
enum { PATH_KEYS = 1, PATH_LABELS };

typedef struct astarL_GraphPath {
    astarL_Header header;
    const void *whole;   // itself once there are keys; NULL: closed
    AstarGraphPath core; // its numbers are let go of then
    int count;
} astarL_GraphPath;

#define check_graph_path(L, arg) ((astarL_GraphPath *)astarL_checkopen(L, arg, ASTARL_GRAPH_PATH))

// Pushes the label of the step from one node to the next.
static void push_step_label(lua_State *L, const astarL_GraphQuery *query, uint32_t from,
                            uint32_t to)
{
    uint32_t label = 0;
    if (query->search->is_space) {
        lua_rawgeti(L, query->base + ASTARL_STEPS, (int)to + 1);
        if (!lua_toboolean(L, -1)) {
            lua_pop(L, 1);
            lua_pushnil(L);
        }
    } else if ((label = astar_graph_search_label(astarL_searchof(query), from, to)) > 0) {
        lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
        if (lua_istable(L, -1))
            lua_rawgeti(L, -1, (int)label);
        lua_remove(L, -2);
    } else {
        lua_pushnil(L);
    }
}

// Whether any edge of the graph was ever given a label.
static bool has_labels(lua_State *L, const astarL_GraphQuery *query)
{
    lua_rawgeti(L, query->base + ASTARL_SEARCHED, ASTARL_GRAPH_LABELS);
    bool has_any = lua_istable(L, -1) && lua_rawlen(L, -1) > 0;
    lua_pop(L, 1);
    return has_any;
}

// Fills the tables of keys and of labels at 'keys' and after it. A straight path has no query.
static void fill_route(lua_State *L, const astarL_GraphQuery *query, astarL_GraphPath *path,
                       int keys, int first, int last)
{
    if (first != 0) {
        lua_pushvalue(L, first);
        lua_rawseti(L, keys, ++path->count);
    }
    bool is_labelled = path->core.count > 1 && (query->search->is_space || has_labels(L, query));
    for (size_t i = 0; i < path->core.count; i++) {
        if (i > 0 && is_labelled) {
            push_step_label(L, query, path->core.nodes[i - 1], path->core.nodes[i]);
            lua_rawseti(L, keys + 1, path->count);
        }
        astarL_pushnode(L, query, path->core.nodes[i]);
        lua_rawseti(L, keys, ++path->count);
    }
    if (last != 0) {
        lua_pushvalue(L, last);
        lua_rawseti(L, keys, ++path->count);
    }
}

AstarStatus astarL_pushgraphpath(lua_State *L, int self, uint32_t node, int first, int last)
{
    astarL_GraphSearch *search = lua_touserdata(L, self);
    astarL_GraphPath *path = astarL_newobject(L, ASTARL_GRAPH_PATH, sizeof *path);
    int result = lua_gettop(L);
    astar_graph_path_init(&path->core);
    astarL_checkheld(L, search->job.core);
    AstarStatus status = node == ASTAR_NO_NODE
                             ? astar_graph_search_path(search->job.core, &path->core)
                             : astar_graph_search_path_to(search->job.core, node, &path->core);
    if (status != ASTAR_OK)
        return status;
    uint64_t version = astar_graph_version(search->graph);
    astarL_GraphQuery query;
    lua_createtable(L, (int)path->core.count, 0);
    lua_newtable(L);
    astarL_opengraphquery(L, &query, self);
    fill_route(L, &query, path, result + 1, first, last);
    astarL_searchof(&query);
    astarL_pausegraphquery(&query);
    if (astar_graph_version(search->graph) != version)
        luaL_error(L, "graph was edited during the search"); // by a finalizer
    astarL_setparts(L, result, (const int[]){result + 1, result + 2}, PATH_LABELS);
    lua_settop(L, result);
    AstarGraphPath told = path->core;
    astar_graph_path_destroy(&path->core);
    path->core.cost = told.cost;
    path->core.expanded = told.expanded;
    path->core.partial = told.partial;
    path->whole = path;
    return ASTAR_OK;
}

// A joined path without a way-point: the straight line between the values at 'first' and 'last'.
void astarL_pushstraightpath(lua_State *L, int first, int last, double cost)
{
    astarL_GraphPath *path = astarL_newobject(L, ASTARL_GRAPH_PATH, sizeof *path);
    int result = lua_gettop(L);
    astar_graph_path_init(&path->core);
    lua_createtable(L, 2, 0);
    lua_newtable(L);
    fill_route(L, NULL, path, result + 1, first, last);
    astarL_setparts(L, result, (const int[]){result + 1, result + 2}, PATH_LABELS);
    lua_settop(L, result);
    path->core.cost = cost;
    path->whole = path;
}

// path:link(i) --> the label of the step from path[i] to the next, nil for none
static int graph_path_link(lua_State *L)
{
    const astarL_GraphPath *path = check_graph_path(L, 1);
    int index = astarL_checkint(L, 2, 1, path->count, "i");
    astarL_pushpart(L, 1, PATH_LABELS, LUA_TTABLE);
    lua_rawgeti(L, -1, index);
    return 1;
}

// path:totable() --> a list of the keys
static int graph_path_totable(lua_State *L)
{
    const astarL_GraphPath *path = check_graph_path(L, 1);
    astarL_pushpart(L, 1, PATH_KEYS, LUA_TTABLE);
    lua_createtable(L, path->count, 0);
    for (int i = 1; i <= path->count; i++) {
        lua_rawgeti(L, -2, i);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static void push_graph_path_field(lua_State *L, const void *object, const char *name)
{
    const astarL_GraphPath *path = object;
    if (strcmp(name, "cost") == 0)
        lua_pushnumber(L, path->core.cost);
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)path->core.expanded);
    else if (strcmp(name, "partial") == 0)
        lua_pushboolean(L, path->core.partial);
}

static void push_node_on_way(lua_State *L, const void *object, int index)
{
    (void)object;
    astarL_pushpart(L, 1, PATH_KEYS, LUA_TTABLE);
    lua_rawgeti(L, -1, index);
}

static int count_nodes_on_way(const void *object)
{
    return ((const astarL_GraphPath *)object)->count;
}

static void close_graph_path(lua_State *L, void *object)
{
    (void)L;
    astarL_GraphPath *path = object;
    path->whole = NULL;
    astar_graph_path_destroy(&path->core);
}

static const astarL_Function graph_path_methods[] = {
    {"link", 2, graph_path_link},
    {"totable", 1, graph_path_totable},
    {"", 0, NULL},
};

const astarL_Class astarL_graphpathclass = {.type = ASTARL_GRAPH_PATH,
                                            .methods = graph_path_methods,
                                            .close = close_graph_path,
                                            .field = push_graph_path_field,
                                            .count = count_nodes_on_way,
                                            .item = push_node_on_way,
                                            .fields = "cost\0expanded\0partial\0"};
