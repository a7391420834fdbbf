// lua_route.c -- routes over a world, and the cells of their stretches.

#include "binding/lua_helper.h"
#include "binding/lua_job.h"
#include "binding/lua_path.h"
#include "binding/lua_world.h"

#include <string.h>

#define check_world_route(L) ((astarL_Route *)astarL_checkopen(L, 1, ASTARL_ROUTE))

// While its functions run, it is freed by who called them.
static void close_route(lua_State *L, void *object)
{
    (void)L;
    astarL_Route *route = object;
    AstarRoute *core = route->core;
    route->core = NULL;
    if (route->busy == 0)
        astar_route_free(core);
}

// A call of a method of the route at 1, which stays meanwhile.
typedef struct RouteCall {
    astarL_WorldCall call;
    astarL_Route *route;
    AstarRoute *core;
    int finder, world; // where they stand
} RouteCall;

static void begin_route_call(lua_State *L, RouteCall *call)
{
    astarL_pushpart(L, 1, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    call->finder = lua_gettop(L);
    astarL_checkobject(L, call->finder, ASTARL_WORLD_FINDER);
    call->world = astarL_beginfindercall(L, &call->call, call->finder);
}

// Has the route stay until end_route_call.
static void hold_route(lua_State *L, RouteCall *call)
{
    call->route = check_world_route(L);
    call->core = call->route->core;
    call->route->busy++;
}

static void end_route_call(RouteCall *call)
{
    if (--call->route->busy == 0 && call->route->core == NULL)
        astar_route_free(call->core);
    astarL_endworldcall(&call->call, call->world, false);
}

// core.route_next(route [, legs]) --> path of the next stretch, or of so many, where it stays where
// it is; nil at its end | nil, reason
int astarL_route_next(lua_State *L)
{
    RouteCall call;
    bool goes_on = lua_isnone(L, 2);
    int legs = goes_on ? 1 : (int)lua_tointeger(L, 2);
    check_world_route(L);
    lua_settop(L, 1);
    begin_route_call(L, &call);
    astarL_pushpart(L, call.finder, ASTARL_PALETTE_FINDER, LUA_TUSERDATA);
    int owner = lua_gettop(L);
    const astarL_Finder *plain = astarL_checkfinder(L, owner);
    astarL_Path *path = astarL_pushpath(L, false, owner, 1, 1);
    path->of_world = true;
    astarL_setfinder(L, path, plain->core);
    hold_route(L, &call);
    AstarStatus status = astar_route_walk(call.core, legs, goes_on, &call.call, &path->core);
    end_route_call(&call);
    if (status != ASTAR_OK)
        return astarL_failworld(&call.call, status);
    if (path->core.cells == 0)
        lua_pushnil(L);
    return 1;
}

// core.take_route(route, other | nil, is_rough, is_nearest): it goes on as the other one, of the
// same finder
int astarL_route_take(lua_State *L)
{
    astarL_Route *route = check_world_route(L);
    route->is_rough = lua_toboolean(L, 3);
    route->is_nearest = lua_toboolean(L, 4);
    if (lua_isnil(L, 2))
        return 0;
    astarL_Route *other = astarL_checkopen(L, 2, ASTARL_ROUTE);
    if (route->busy + other->busy > 0)
        return luaL_error(L, "load and save may neither edit the world nor ask it");
    AstarRoute *core = other->core;
    other->core = route->core;
    route->core = core;
    return 0;
}

// route:stretch() --> path of the next stretch, nil at the goal | nil, reason
// route:path([{legs =}]) --> path of the next stretches, of all that is left | nil, reason
static int route_by_lua(lua_State *L)
{
    return astarL_answerby(L, "world_routes");
}

// route:step(budget) --> "running" | "refined"
static int route_step(lua_State *L)
{
    check_world_route(L);
    astarL_checkbudget(L, 2);
    return astarL_answerby(L, "world_routes");
}

// route:is_valid() --> whether what is left of it can be walked
static int route_is_valid(lua_State *L)
{
    RouteCall call;
    bool is_valid = false;
    check_world_route(L);
    lua_settop(L, 1);
    begin_route_call(L, &call);
    hold_route(L, &call);
    AstarStatus status = astar_route_check(call.core, &call.call, &is_valid);
    end_route_call(&call);
    astarL_checkworldstatus(&call.call, status);
    lua_pushboolean(L, is_valid);
    return 1;
}

static void push_route_field(lua_State *L, const void *object, const char *name)
{
    const AstarRouteFacts own = astar_route_facts(((const astarL_Route *)object)->core);
    const AstarRouteFacts *facts = &own;
    if (strcmp(name, "status") == 0)
        lua_pushstring(L, ((const astarL_Route *)object)->is_rough ? "running" : "refined");
    else if (strcmp(name, "cost") == 0)
        lua_pushnumber(L, facts->cost);
    else if (strcmp(name, "left") == 0)
        lua_pushnumber(L, facts->left);
    else if (strcmp(name, "bound") == 0)
        lua_pushnumber(L, facts->bound);
    else if (strcmp(name, "partial") == 0)
        lua_pushboolean(L, facts->is_partial || ((const astarL_Route *)object)->is_nearest);
    else if (strcmp(name, "known") == 0)
        lua_pushboolean(L, facts->is_known);
    else if (strcmp(name, "legs") == 0)
        lua_pushinteger(L, facts->legs);
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)facts->expanded);
    else if (strcmp(name, "x") == 0 || strcmp(name, "y") == 0)
        lua_pushinteger(L, (name[0] == 'x' ? facts->x : facts->y) + 1);
    else if (strcmp(name, "gx") == 0 || strcmp(name, "gy") == 0)
        lua_pushinteger(L, (name[1] == 'x' ? facts->gx : facts->gy) + 1);
}

static const astarL_Function route_methods[] = {
    {"is_valid", 1, route_is_valid},
    {"path", 2, route_by_lua},
    {"step", 2, route_step},
    {"stretch", 1, route_by_lua},
    {"", 0, NULL},
};

const astarL_Class astarL_routeclass = {
    .type = ASTARL_ROUTE,
    .methods = route_methods,
    .close = close_route,
    .field = push_route_field,
    .fields = "status\0cost\0left\0bound\0partial\0known\0legs\0expanded\0x\0y\0gx\0gy\0"};
