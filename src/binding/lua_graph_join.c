// lua_graph_join.c -- graphs joined to a grid: routes from a cell over way-points to a cell.
//
// From a cell a unit walks straight to any way-point in its line of sight, and from way-points
// straight to the goal; in between it goes by the graph's edges. Which pair of way-points is the
// best the search finds out, by beginning at all that are in sight of the start and ending at any
// that sees the goal. A position is a place as grid:center has it, of squares the cell itself; a
// way-point is at the cell nearest to that.

#include "binding/lua_graphs.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"

#include <math.h>

// Its uservalue: {the grid's finder, the graph, the graph's finder}.
enum { JOINED_GRID_FINDER = 1, JOINED_GRAPH, JOINED_GRAPH_FINDER };

typedef struct Joined {
    astarL_Header header;
    const void *whole; // itself; NULL: closed
    double radius;     // how far way-points are looked for
} Joined;

// graph:join(finder [, {finder =, radius =}]) --> joined
int astarL_graph_join(lua_State *L)
{
    static const char *const names[] = {"finder", "radius", NULL};
    const astarL_Graph *graph = astarL_checkgraph(L, 1);
    if (graph->is_space)
        return luaL_error(L, "a graph with neighbours has no nodes of its own");
    astarL_checkfinder(L, 2);
    lua_settop(L, 3);
    Joined *joined = astarL_newobject(L, ASTARL_JOINED, sizeof *joined);
    joined->radius = (double)INFINITY;
    lua_pushnil(L);
    if (!lua_isnil(L, 3)) {
        astarL_checkoptions(L, 3, names);
        joined->radius = astarL_readreal(L, 3, "radius", 0, (lua_Number)INFINITY, joined->radius);
        astarL_rawfield(L, 3, "finder");
        lua_replace(L, 5);
    }
    lua_settop(L, 5);
    if (lua_isnil(L, 5)) {
        lua_pushcfunction(L, astarL_graph_finder);
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        lua_replace(L, 5);
    }
    astarL_checkgraphfinder(L, 5);
    astarL_pushpart(L, 5, ASTARL_FINDERS_GRAPH, LUA_TUSERDATA);
    if (!lua_rawequal(L, 6, 1))
        return luaL_error(L, "finder must be one of this graph");
    astarL_setparts(L, 4, (const int[]){2, 1, 5}, JOINED_GRAPH_FINDER);
    joined->whole = joined;
    lua_settop(L, 4);
    return 1;
}

// ---- sight ----

// Where the parts of a question stand on the stack.
enum {
    JOINED_SELF = 1,
    JOINED_QUESTION = 6,
    JOINED_GRID,
    JOINED_WAYS,
    JOINED_OWN_GRAPH,
    START_CELL,
    GOAL_CELL
};

// A route from cell to cell, as the grid counts them.
typedef struct Journey {
    const astarL_Finder *finder;
    AstarGraph *graph;
    AstarSearch *search; // that casts rays
    astarL_Query *query;
    double radius;
    int sx, sy, gx, gy;
    double start_x, start_y, goal_x, goal_y; // the middles of both, as positions are
    AstarWayIn *in, *out;
    size_t in_count, out_count, capacity;
} Journey;

// Whether a ray goes through; a fault in '*status'.
static bool sees(const Journey *journey, int x0, int y0, int x1, int y1, AstarStatus *status)
{
    bool stopped = true;
    int x, y;
    *status = astar_search_raycast(journey->search, x0, y0, x1, y1, journey->query, &stopped, &x,
                                   &y);
    return *status == ASTAR_OK && !stopped;
}

// The cell of a way-point, as the grid counts them; false where it has none.
static bool find_cell(const astarL_Finder *finder, const AstarWaypoint *node, int *x, int *y)
{
    const double most = 1073741824; // 2^30
    const AstarGrid *grid = astar_finder_grid(finder->core);
    double column = node->x - finder->x0, row = node->y - finder->y0;
    if (!(fabs(column) <= most && fabs(row) <= most))
        return false;
    astar_grid_cell_at(grid, column, row, x, y);
    return astar_grid_get(grid, *x, *y) >= 0;
}

// The middle of a cell, as positions are.
static void find_middle(const astarL_Finder *finder, int x, int y, double *middle_x,
                        double *middle_y)
{
    astar_grid_center(astar_finder_grid(finder->core), x, y, middle_x, middle_y);
    *middle_x += finder->x0;
    *middle_y += finder->y0;
}

static double distance_from(const AstarWaypoint *node, double x, double y)
{
    return sqrt((node->x - x) * (node->x - x) + (node->y - y) * (node->y - y));
}

// Notes the ways into the graph and out of it.
static AstarStatus look_around_ends(Journey *journey)
{
    uint32_t cursor = 0, number;
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < journey->capacity; i++) {
        AstarWaypoint node;
        int x, y;
        if (!astar_graph_next(journey->graph, &cursor, &number) ||
            !astar_graph_node(journey->graph, number, &node))
            break;
        if (node.blocked || !find_cell(journey->finder, &node, &x, &y))
            continue;
        double to = distance_from(&node, journey->start_x, journey->start_y);
        double from = distance_from(&node, journey->goal_x, journey->goal_y);
        if (to <= journey->radius && sees(journey, journey->sx, journey->sy, x, y, &status))
            journey->in[journey->in_count++] = (AstarWayIn){number, to};
        if (status == ASTAR_OK && from <= journey->radius &&
            sees(journey, x, y, journey->gx, journey->gy, &status))
            journey->out[journey->out_count++] = (AstarWayIn){number, from};
        if (status != ASTAR_OK)
            return status;
    }
    return ASTAR_OK;
}

// ---- questions ----

// Puts the parts of the joined graph at JOINED_SELF and what a question needs on the stack.
static void push_journey(lua_State *L, Journey *journey)
{
    const Joined *joined = astarL_checkopen(L, JOINED_SELF, ASTARL_JOINED);
    lua_settop(L, JOINED_QUESTION);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRID_FINDER, LUA_TUSERDATA);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRAPH_FINDER, LUA_TUSERDATA);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRAPH, LUA_TUSERDATA);
    const astarL_Finder *finder = astarL_checkfinder(L, JOINED_GRID);
    *journey = (Journey){.finder = finder, .graph = astarL_checkgraph(L, JOINED_OWN_GRAPH)->core};
    journey->radius = joined->radius;
    astarL_Ends ends = astarL_checkquery(L, 2, finder);
    journey->sx = ends.x0;
    journey->sy = ends.y0;
    journey->gx = ends.x1;
    journey->gy = ends.y1;
    find_middle(finder, journey->sx, journey->sy, &journey->start_x, &journey->start_y);
    find_middle(finder, journey->gx, journey->gy, &journey->goal_x, &journey->goal_y);
    astarL_pushpoint(L, journey->sx, journey->sy, finder->x0, finder->y0);
    astarL_pushpoint(L, journey->gx, journey->gy, finder->x0, finder->y0);
    journey->capacity = astar_graph_count(journey->graph);
    journey->in = lua_newuserdata(L, (2 * journey->capacity + 1) * sizeof *journey->in);
    journey->out = journey->in + journey->capacity;
}

// Whether a hexagon is free for a unit; nothing larger than a cell moves over those.
static bool is_free_hexagon(AstarFinder *finder, int x, int y)
{
    const AstarGrid *grid = astar_finder_grid(finder);
    uint64_t ignored = astar_finder_options(finder)->ignore;
    for (int layer = 0; layer < astar_grid_layer_count(grid); layer++)
        if ((ignored >> layer & 1) == 0 && astar_grid_is_blocked_layer(grid, layer, x, y))
            return false;
    return !isinf(astar_finder_cost(finder, astar_grid_get(grid, x, y)));
}

// Whether the unit fits at the goal, callbacks aside.
static AstarStatus judge_goal(const Journey *journey)
{
    AstarFinder *finder = journey->finder->core;
    int x = journey->gx, y = journey->gy, size = 0;
    if (astar_grid_offset(astar_finder_grid(finder)) != ASTAR_NO_OFFSET)
        size = is_free_hexagon(finder, x, y);
    else if (astar_clearance(finder, x, y, &size) != ASTAR_OK)
        return ASTAR_NO_MEMORY;
    return size < astar_finder_options(finder)->size ? ASTAR_GOAL_BLOCKED : ASTAR_RUNNING;
}

// What of the ground itself keeps a journey from being made; ASTAR_RUNNING: nothing.
static AstarStatus judge_ends(const Journey *journey)
{
    const AstarGrid *grid = astar_finder_grid(journey->finder->core);
    int ground = astar_grid_get(grid, journey->sx, journey->sy);
    if (isinf(astar_finder_cost(journey->finder->core, ground)))
        return ASTAR_START_BLOCKED;
    if (journey->sx == journey->gx && journey->sy == journey->gy)
        return ASTAR_RUNNING;
    return judge_goal(journey);
}

// Looks whether the goal is in sight of the start, and else what way-points are.
static AstarStatus look(lua_State *L, Journey *journey, bool *is_straight)
{
    astarL_Query query;
    AstarGraph *graph = journey->graph;
    uint64_t version = astar_graph_version(graph);
    astarL_open(L, &query, &journey->finder->core, journey->finder->asks, JOINED_GRID,
                journey->finder->x0, journey->finder->y0);
    journey->query = &query;
    journey->search = query.search;
    AstarStatus status;
    *is_straight = sees(journey, journey->sx, journey->sy, journey->gx, journey->gy, &status);
    if (status == ASTAR_OK && !*is_straight)
        status = look_around_ends(journey);
    astarL_close(&query);
    if (astarL_checkgraph(L, JOINED_OWN_GRAPH)->core != graph ||
        astar_graph_version(graph) != version)
        luaL_error(L, "graph was edited during the search"); // by a function of the finder's
    return status;
}

static int answer_straight(lua_State *L, const Journey *journey, double max_cost)
{
    const AstarGrid *grid = astar_finder_grid(journey->finder->core);
    double cost = astar_grid_length(grid, journey->sx, journey->sy, journey->gx, journey->gy);
    if (cost > max_cost)
        return astarL_failgraph(L, ASTAR_MAX_COST);
    astarL_pushstraightpath(L, START_CELL, cost > 0 ? GOAL_CELL : 0, cost);
    return 1;
}

// joined:find_path(sx, sy, gx, gy [, question]) --> path | nil, reason
static int joined_find_path(lua_State *L)
{
    Journey journey;
    push_journey(L, &journey);
    const astarL_GraphFinder *finder = astarL_checkgraphfinder(L, JOINED_WAYS);
    AstarGraphQuestion own = finder->options.question;
    astarL_checkgraphquestion(L, JOINED_QUESTION, finder, &own);
    if (own.partial)
        return luaL_error(L, "joined graphs cannot honour partial");
    AstarGrid *grid = astar_finder_grid(journey.finder->core);
    unsigned entered = astarL_enterof(L, &journey.finder->core, JOINED_GRID);
    AstarStatus status = judge_ends(&journey);
    astar_view_leave(grid, entered);
    if (status != ASTAR_RUNNING)
        return astarL_failgraph(L, status);
    bool is_straight;
    status = look(L, &journey, &is_straight);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    if (is_straight)
        return answer_straight(L, &journey, own.max_cost);
    astarL_GraphSearch *search = astarL_pushgraphsearch(L, JOINED_WAYS, &astarL_graphsearching);
    int self = lua_gettop(L);
    astarL_GraphQuery query;
    astarL_opengraphquery(L, &query, self);
    status = astar_graph_search_between(search->job.core, journey.in, journey.in_count, journey.out,
                                        journey.out_count, journey.goal_x, journey.goal_y, &own,
                                        &query);
    if (status == ASTAR_RUNNING)
        status = astar_graph_search_step(search->job.core, UINT64_MAX, &query);
    astarL_pausegraphquery(&query);
    if (status == ASTAR_OK)
        status = astarL_pushgraphpath(L, self, ASTAR_NO_NODE, START_CELL, GOAL_CELL);
    if (status != ASTAR_NO_MEMORY)
        astarL_closejob(L, search);
    return status == ASTAR_OK ? 1 : astarL_failgraph(L, status);
}

// ---- legs ----

// Pushes the coordinates of the place at 'arg', a way-point or a cell of a route; false where it
// has none on the grid, be it that the node is gone.
static bool push_place(lua_State *L, int arg)
{
    AstarName key;
    AstarWaypoint node;
    const astarL_Graph *graph = astarL_checkgraph(L, JOINED_OWN_GRAPH);
    astarL_pushpart(L, JOINED_OWN_GRAPH, ASTARL_HANDLES, LUA_TTABLE);
    bool is_known = astarL_readkey(L, arg, lua_gettop(L), &key);
    lua_pop(L, 1);
    if (is_known && astar_graph_node(graph->core, astar_graph_find(graph->core, &key), &node)) {
        int x, y;
        const astarL_Finder *finder = astarL_checkfinder(L, JOINED_GRID);
        if (!find_cell(finder, &node, &x, &y)) // nor is NAN anywhere
            return false;
        return astarL_pushcell(L, x, y, finder->x0, finder->y0) > 0;
    }
    if (!lua_istable(L, arg))
        return false;
    return astarL_rawfield(L, arg, "x") == LUA_TNUMBER &&
           astarL_rawfield(L, arg, "y") == LUA_TNUMBER;
}

// joined:leg(path, i) --> the path over the grid from path[i] to the next | nil, reason
static int joined_leg(lua_State *L)
{
    astarL_checkopen(L, JOINED_SELF, ASTARL_JOINED);
    int index = astarL_checkint(L, 3, 1, astarL_checkroute(L, 2) - 1, "i");
    lua_settop(L, JOINED_QUESTION);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRID_FINDER, LUA_TUSERDATA);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRAPH_FINDER, LUA_TUSERDATA);
    astarL_pushpart(L, JOINED_SELF, JOINED_GRAPH, LUA_TUSERDATA);
    astarL_pushroutekey(L, 2, index);
    astarL_pushroutekey(L, 2, index + 1);
    lua_getfield(L, JOINED_GRID, "find_path");
    lua_pushvalue(L, JOINED_GRID);
    if (!push_place(L, START_CELL) || !push_place(L, GOAL_CELL)) {
        return astarL_refuse(L, "no position");
    }
    lua_call(L, 5, 2);
    return 2;
}

static const astarL_Function joined_methods[] = {
    {"find_path", joined_find_path, 6},
    {"leg", joined_leg, 3},
    {NULL, NULL, 0},
};

const astarL_Class astarL_joinedclass = {.type = ASTARL_JOINED, .methods = joined_methods};
