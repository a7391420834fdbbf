// lua_route.c -- the Lua objects of world finders, of searches for routes over a world, and of
// routes.

#include "parts/world/lua_route.h"

#include "binding/lua_finder.h"
#include "binding/lua_job.h"
#include "binding/lua_options.h"
#include "binding/lua_path.h"
#include "binding/lua_util.h"
#include "parts/world/lua_world.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The functions below are the methods of world finders. A world finder is one kind of unit and how
// it moves over a world.
// ------------------------------------------------------------------------------------------------

// world:finder([options]) --> world finder
int astarL_world_finder(lua_State *L)
{
    astarL_World *world = astarL_checkworld(L, 1);
    astarL_checklast(L, 2, "finder");
    astarL_pushpart(L, 1, ASTARL_PALETTE, LUA_TUSERDATA);
    astarL_askhelper(L, "arguments", "world_finder");
    const int palette_finder = 4;
    const int avoided = palette_finder + 2;
    lua_settop(L, avoided + 1);
    const astarL_Field *field = lua_isnil(L, avoided) ? NULL : astarL_checkfield(L, avoided);
    if (field != NULL && astar_field_offset(field->core) != ASTAR_NO_OFFSET)
        return luaL_error(L, "avoid must be a field of square cells, got a field of hexagons: "
                             "make it by astar.field(width, height)");
    astarL_Finder *plain = astarL_checkfinder(L, palette_finder);
    int spacing = lua_toboolean(L, palette_finder + 1) ? 1 : world->spacing;
    const AstarOptions *options = astar_finder_options(plain->core);
    if (options->size != options->height)
        return luaL_error(
            L,
            "size of a world's finder must be an integer from 1 to %d, got { %d, %d }: "
            "its units are squares, as with size = %d",
            ASTAR_WORLD_MAX_SIZE, options->size, options->height,
            options->size > options->height ? options->size : options->height);
    if (options->size > ASTAR_WORLD_MAX_SIZE)
        return luaL_error(L, "size must be an integer from 1 to %d, got %d", ASTAR_WORLD_MAX_SIZE,
                          options->size);
    astarL_WorldFinder *finder = astarL_newobject(L, ASTARL_WORLD_FINDER, sizeof *finder);
    astarL_setparts(L, lua_gettop(L), (const int[]){1, palette_finder}, ASTARL_PALETTE_FINDER);
    // The world and the finder are checked again, because a finalizer may have closed them.
    astarL_checkheld(L, world->core);
    astarL_checkheld(L, plain->core);
    if (field != NULL)
        astarL_checkheld(L, field->core);
    AstarStatus status = astar_world_finder_new(world->core, plain->core, spacing, &finder->core);
    if (status == ASTAR_OK && field != NULL)
        status = astar_world_finder_avoid(finder->core, field->core, field->x0 - 1, field->y0 - 1,
                                          lua_tonumber(L, avoided + 1));
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

ASTARL_RELEASE(release_world_finder, astar_world_finder_release)

// finder:raycast(x0, y0, x1, y1) --> true | false, x, y; the first cell that stops the ray
static int worldfinder_raycast(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    AstarCell from = astarL_checkworldcell(L, 2, "x0", "y0");
    AstarCell to = astarL_checkworldcell(L, 4, "x1", "y1");
    bool stopped;
    int32_t x, y;
    astarL_WorldCall call;
    int world = astarL_beginfindercall(L, &call, 1);
    AstarWorldFinder *core = astarL_checkworldfinder(L, 1)->core;
    astar_world_finder_retain(core);
    AstarStatus status = astar_world_raycast(core, from.x, from.y, to.x, to.y, &call, &stopped, &x,
                                             &y);
    astar_world_finder_release(core);
    astarL_checkworldstatus(&call, status);
    astarL_endworldcall(&call, world, false);
    lua_pushboolean(L, !stopped);
    return stopped ? 1 + astarL_pushcell(L, x, y, 1, 1) : 1;
}

// finder:find_nearest(sx, sy, goals [, options])
// finder:find_route(sx, sy, gx, gy [, options]), or with a list of goals
// finder:reachable(sx, sy, gx, gy)
static int worldfinder_by_lua(lua_State *L)
{
    return astarL_answerby(L, "world.routes");
}

static const astarL_Function world_finder_methods[] = {
    {"find_nearest", 5, worldfinder_by_lua},  {"find_route", 6, worldfinder_by_lua},
    {"raycast", 5, worldfinder_raycast},      {"reachable", 5, worldfinder_by_lua},
    {"search", 6, astarL_worldfinder_search}, {"", 0, NULL},
};

const astarL_Class astarL_worldfinderclass = {
    .type = ASTARL_WORLD_FINDER, .methods = world_finder_methods, .release = release_world_finder};

// ------------------------------------------------------------------------------------------------
// The functions below are the methods of routes.
// ------------------------------------------------------------------------------------------------

#define check_world_route(L) ((astarL_Route *)astarL_checkopen(L, 1, ASTARL_ROUTE))

// Closes a route and frees it. If a method of the route is running, the end of that method frees
// the route instead.
static void close_route(lua_State *L, void *object)
{
    (void)L;
    astarL_Route *route = object;
    AstarRoute *core = route->core;
    route->core = NULL;
    if (route->busy == 0)
        astar_route_free(core);
}

// A call of a method of the route at index 1. The route is not freed during the call.
typedef struct RouteCall {
    astarL_WorldCall call;
    astarL_Route *route;
    AstarRoute *core;
    int finder, world; // stack indices of the finder and of the world
} RouteCall;

static void begin_route_call(lua_State *L, RouteCall *call)
{
    astarL_pushpart(L, 1, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    call->finder = lua_gettop(L);
    astarL_checkobject(L, call->finder, ASTARL_WORLD_FINDER);
    call->world = astarL_beginfindercall(L, &call->call, call->finder);
}

// Prevents the route from being freed until end_route_call is called.
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

// core.route_next(route [, legs]) --> path | nil at the end of the route | nil, reason
//
// If 'legs' is not given, returns the next stretch and moves the route forward. Otherwise returns
// that number of stretches and does not move the route forward.
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

// core.take_route(route, other | nil, is_rough, is_nearest)
//
// Replaces the contents of 'route' by those of 'other', a route of the same finder. Sets the two
// flags of 'route'.
int astarL_route_take(lua_State *L)
{
    astarL_Route *route = check_world_route(L);
    route->is_rough = lua_toboolean(L, 3);
    route->is_nearest = lua_toboolean(L, 4);
    if (lua_isnil(L, 2))
        return 0;
    astarL_Route *other = astarL_checkopen(L, 2, ASTARL_ROUTE);
    if (route->busy + other->busy > 0)
        return luaL_error(L, "the callbacks load and save must not edit or query the world");
    AstarRoute *core = other->core;
    other->core = route->core;
    route->core = core;
    return 0;
}

// route:stretch() --> path of the next stretch, nil at the goal | nil, reason
// route:path([{legs =}]) --> path of the next stretches, by default of all | nil, reason
static int route_by_lua(lua_State *L)
{
    return astarL_answerby(L, "world.routes");
}

// route:step(budget) --> "running" | "refined"
static int route_step(lua_State *L)
{
    check_world_route(L);
    astarL_checkbudget(L, 2);
    return astarL_answerby(L, "world.routes");
}

// route:is_valid() --> true if the rest of the route can be followed
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

// ------------------------------------------------------------------------------------------------
// The functions below are the methods of searches for routes over a world, in one call or in steps.
// ------------------------------------------------------------------------------------------------

#define check_route_search(L) ((astarL_RouteSearch *)astarL_checkopen(L, 1, ASTARL_ROUTE_SEARCH))

static AstarStatus step_route(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    astarL_RouteSearch *search = (astarL_RouteSearch *)job;
    astarL_pushpart(L, 1, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    astarL_WorldCall call;
    int world = astarL_beginfindercall(L, &call, lua_gettop(L));
    AstarRouteSearch *core = check_route_search(L)->job.core;
    search->busy++;
    AstarStatus status = astarL_runslices(budget, astar_route_search_job.step, core, &call);
    // An error leaves the status of the search unchanged, because the search can be continued after
    // the error.
    bool is_fault = call.failed || astar_route_search_status(core) != status;
    if (--search->busy == 0 && job->core == NULL)
        astar_route_search_free(core);
    if (is_fault)
        astarL_failworld(&call, status);
    astarL_endworldcall(&call, world, astarL_isbyclock(budget));
    return status;
}

// Closes a search and frees it. If a method of the search is running, the end of that method frees
// the search instead.
static void close_route_search(lua_State *L, astarL_Job *job, void *core)
{
    (void)L;
    if (((astarL_RouteSearch *)job)->busy == 0)
        astar_route_search_free(core);
}

static const astarL_JobKind routing = {ASTARL_ROUTE_SEARCH, &astar_route_search_job,
                                       step_route,          "found",
                                       "world changed",     close_route_search};

// Reads the options of a query from the table at index 6, which is on top of the stack, and gives
// them to a search.
static void take_query(lua_State *L, astarL_RouteSearch *search)
{
    lua_pushvalue(L, 6);
    astarL_askabout(L, "arguments", "world_question", 1);
    const int plain_query = lua_gettop(L) - 1;
    bool exact = lua_toboolean(L, -1);
    astarL_pushpart(L, 1, ASTARL_PALETTE_FINDER, LUA_TUSERDATA);
    const astarL_Finder *plain = astarL_checkfinder(L, lua_gettop(L));
    AstarQueryOptions query_options;
    astarL_checkqueryoptions(L, plain_query, plain, &query_options);
    astarL_checkheld(L, search->job.core);
    astar_route_search_ask(search->job.core, &query_options, exact);
}

// Pushes a new search for the arguments of finder:search, which begin at index 1.
static void push_route_search(lua_State *L)
{
    astarL_checkworldfinder(L, 1);
    AstarCell start = astarL_checkworldcell(L, 2, "sx", "sy");
    AstarCell goal = astarL_checkworldcell(L, 4, "gx", "gy");
    lua_settop(L, 6);
    astarL_RouteSearch *search = astarL_newjob(L, &routing, sizeof *search, 1);
    AstarRouteSearch *core;
    AstarStatus status = astar_route_search_new(astarL_checkworldfinder(L, 1)->core, start.x,
                                                start.y, goal.x, goal.y, &core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    search->job.core = core;
    if (!lua_isnil(L, 6))
        take_query(L, search);
    lua_settop(L, 7);
}

// finder:search(sx, sy, gx, gy [, options]) --> search
// finder:search(sx, sy, goals [, options]) --> search
int astarL_worldfinder_search(lua_State *L)
{
    if (lua_istable(L, 4))
        return astarL_answerby(L, "world.routes");
    push_route_search(L);
    return 1;
}

// core.add_goal(search, x, y, range): adds a goal to a search
int astarL_route_add_goal(lua_State *L)
{
    AstarCell goal = astarL_checkworldcell(L, 2, "x", "y");
    int range = (int)astarL_checkint(L, 4, 0, ASTAR_MAX_SIDE, "range");
    AstarStatus status = astar_route_search_add_goal(check_route_search(L)->job.core, goal.x,
                                                     goal.y, range);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// core.count_from_corner(search, goal): measures the range of a goal from the unit's north-west
// cell. 'goal' is the number of the goal, counted from 1.
int astarL_route_corner(lua_State *L)
{
    int goal = (int)astarL_checkint(L, 2, 1, INT_MAX, "goal");
    AstarStatus status = astar_route_search_count_from_corner(check_route_search(L)->job.core,
                                                              (size_t)goal - 1);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// core.hurry_route(search) --> true if the search now has a small limit of expansions
int astarL_route_hurry(lua_State *L)
{
    lua_pushboolean(L, astar_route_search_hurry(check_route_search(L)->job.core));
    return 1;
}

// core.raise_weight(search, weight): changes the weight of a search
int astarL_route_raise(lua_State *L)
{
    astar_route_search_raise(check_route_search(L)->job.core, luaL_checknumber(L, 2));
    return 0;
}

// Pushes the route that the search at index 1 has found.
static void push_route(lua_State *L)
{
    astarL_pushpart(L, 1, ASTARL_OF_WORLD_FINDER, LUA_TUSERDATA);
    int finder = lua_gettop(L);
    astarL_Route *route = astarL_newobject(L, ASTARL_ROUTE, sizeof *route);
    astarL_setparts(L, lua_gettop(L), &finder, ASTARL_OF_WORLD_FINDER);
    AstarStatus status = astar_route_search_route(check_route_search(L)->job.core, &route->core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    lua_remove(L, finder);
}

// Pushes the route of the search at index 1. If the route ends before the goal, pushes the reason
// as well.
static int return_route(lua_State *L)
{
    push_route(L);
    const astarL_Route *route = lua_touserdata(L, -1);
    if (!astar_route_facts(route->core).is_partial)
        return 1;
    lua_pushstring(L, astar_status_text(ASTAR_NOT_LOADED));
    return 2;
}

// search:route() --> route [, "not loaded"] | nil, "running" or reason
static int route_search_route(lua_State *L)
{
    const astarL_Job *job = &check_route_search(L)->job;
    AstarStatus status = astar_route_search_status(job->core);
    lua_settop(L, 1);
    if (status == ASTAR_OK)
        return return_route(L);
    return astarL_refuse(L, astarL_jobstatus(job, status));
}

static const astarL_Function route_search_methods[] = {
    {"close", 1, astarL_job_close},
    // 'path' is the method by which queues get the result.
    {"path", 1, route_search_route},
    {"route", 1, route_search_route},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_routesearchclass = {.type = ASTARL_ROUTE_SEARCH,
                                              .methods = route_search_methods,
                                              .close = astarL_closejob,
                                              .field = astarL_pushjobfield,
                                              .fields = "status\0expanded\0"};
