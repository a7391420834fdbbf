// lua_route_search.c -- searches for routes over a world, made at once or a little at a time.

#include "binding/lua_job.h"
#include "binding/lua_world.h"

#include <math.h>
#include <string.h>

static astarL_RouteSearch *check_route_search(lua_State *L, int arg)
{
    astarL_RouteSearch *search = astarL_checkobject(L, arg, ASTARL_ROUTE_SEARCH);
    if (search->core == NULL || search->is_closed)
        luaL_error(L, "search is closed");
    return search;
}

static void close_route_search(lua_State *L, void *object)
{
    (void)L;
    astarL_RouteSearch *search = object;
    search->is_closed = true;
    if (search->busy > 0)
        return;
    astar_route_search_free(search->core);
    search->core = NULL;
}

// Pushes an object that belongs to the world finder at 'finder'.
static void *push_of_finder(lua_State *L, int finder, astarL_Type type, size_t size)
{
    void *object = astarL_newobject(L, type, size);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, finder);
    lua_rawseti(L, -2, ASTARL_OF_WORLD_FINDER);
    lua_setuservalue(L, -2);
    return object;
}

// Pushes the search that is asked for by the arguments from 1 on.
static astarL_RouteSearch *push_route_search(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    AstarCell start = astarL_checkworldcell(L, 2, "sx", "sy");
    AstarCell goal = astarL_checkworldcell(L, 4, "gx", "gy");
    lua_settop(L, 5);
    astarL_RouteSearch *search = push_of_finder(L, 1, ASTARL_ROUTE_SEARCH, sizeof *search);
    AstarStatus status = astar_route_search_new(astarL_checkworldfinder(L, 1)->core, start.x,
                                                start.y, goal.x, goal.y, &search->core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    return search;
}

// finder:search(sx, sy, gx, gy) --> search
int astarL_worldfinder_search(lua_State *L)
{
    push_route_search(L);
    return 1;
}

// What a slice works with.
static AstarStatus step_route_slice(void *search, uint64_t expansions, void *call)
{
    return astar_route_search_step(search, expansions, call);
}

// Steps the search at 'arg', which stays meanwhile.
static AstarStatus step_route(lua_State *L, int arg, astarL_Budget budget)
{
    astarL_RouteSearch *search = check_route_search(L, arg);
    int top = lua_gettop(L);
    astarL_pushpart(L, arg, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    astarL_WorldCall call;
    int world = astarL_beginfindercall(L, &call, lua_gettop(L));
    search = check_route_search(L, arg);
    search->busy++;
    AstarStatus status = astarL_runslices(budget, step_route_slice, search->core, &call);
    search->busy--;
    if (search->is_closed)
        close_route_search(L, search);
    bool is_fault = call.failed || status == ASTAR_NO_MEMORY || status == ASTAR_BAD_DATA ||
                    status == ASTAR_GRID_CHANGED;
    if (is_fault)
        astarL_failworld(&call, status);
    astarL_chargeworld(L, lua_touserdata(L, world), astarL_isbyclock(budget));
    lua_settop(L, top);
    return status;
}

// Pushes the route of the search at 'arg', which was found.
static void push_route(lua_State *L, int arg)
{
    astarL_pushpart(L, arg, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    int finder = lua_gettop(L);
    astarL_Route *route = push_of_finder(L, finder, ASTARL_ROUTE, sizeof *route);
    AstarStatus status = astar_route_search_route(check_route_search(L, arg)->core, &route->core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    lua_remove(L, finder);
}

// Pushes the route and, where it ends before the goal, why.
static int return_route(lua_State *L, int arg)
{
    push_route(L, arg);
    const astarL_Route *route = lua_touserdata(L, -1);
    if (!astar_route_facts(route->core).is_partial)
        return 1;
    lua_pushstring(L, astar_status_text(ASTAR_NOT_LOADED));
    return 2;
}

// finder:find_route(sx, sy, gx, gy) --> route [, "not loaded"] | nil, reason
int astarL_worldfinder_find_route(lua_State *L)
{
    push_route_search(L);
    AstarStatus status = step_route(L, 6, (astarL_Budget){UINT64_MAX, (double)INFINITY});
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    return return_route(L, 6);
}

// search:step([n | {ms =, expansions =}]) --> "running" | "found" | reason
static int route_search_step(lua_State *L)
{
    check_route_search(L, 1);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    lua_settop(L, 2);
    lua_pushstring(L, astar_status_text(step_route(L, 1, budget)));
    return 1;
}

// search:route() --> route [, "not loaded"] | nil, "running" or reason
static int route_search_route(lua_State *L)
{
    AstarStatus status = astar_route_search_status(check_route_search(L, 1)->core);
    lua_settop(L, 1);
    return status == ASTAR_OK ? return_route(L, 1) : astarL_fail(L, status);
}

// search:close()
static int route_search_close(lua_State *L)
{
    close_route_search(L, astarL_checkobject(L, 1, ASTARL_ROUTE_SEARCH));
    return 0;
}

static int route_search_index(lua_State *L)
{
    astarL_checkobject(L, 1, ASTARL_ROUTE_SEARCH);
    if (lua_type(L, 2) != LUA_TSTRING)
        return astarL_nofield(L);
    if (astarL_pushmethod(L))
        return 1;
    const AstarRouteSearch *core = check_route_search(L, 1)->core;
    if (strcmp(lua_tostring(L, 2), "status") == 0)
        lua_pushstring(L, astar_status_text(astar_route_search_status(core)));
    else if (strcmp(lua_tostring(L, 2), "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)astar_route_search_expanded(core));
    else
        astarL_nofield(L);
    return 1;
}

static bool tell_route_search(lua_State *L, const void *object)
{
    const astarL_RouteSearch *search = object;
    bool is_open = search->core != NULL && !search->is_closed;
    if (is_open)
        lua_pushfstring(L, "astar route search, %s",
                        astar_status_text(astar_route_search_status(search->core)));
    return is_open;
}

void astarL_openroutesearch(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"close", route_search_close, 1},
        {"path", route_search_route, 1}, // as queues ask for what
                                         // was found
        {"route", route_search_route, 1},
        {"step", route_search_step, 2},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {
        ASTARL_ROUTE_SEARCH, methods, close_route_search,  tell_route_search,
        route_search_index,  NULL,    "status\0expanded\0"};
    astarL_newtype(L, &class);
}
