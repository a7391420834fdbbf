// lua_route_search.c -- searches for routes over a world, made at once or a little at a time.

#include "binding/lua_helper.h"
#include "binding/lua_job.h"
#include "binding/lua_world.h"

#include <math.h>
#include <string.h>

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
    // A fault leaves the search where it was.
    bool is_fault = call.failed || astar_route_search_status(core) != status;
    if (--search->busy == 0 && job->core == NULL)
        astar_route_search_free(core);
    if (is_fault)
        astarL_failworld(&call, status);
    astarL_endworldcall(&call, world, astarL_isbyclock(budget));
    return status;
}

// While its functions run, it is freed by who called them.
static void close_route_search(lua_State *L, astarL_Job *job, void *core)
{
    (void)L;
    if (((astarL_RouteSearch *)job)->busy == 0)
        astar_route_search_free(core);
}

static const astarL_JobKind routing = {ASTARL_ROUTE_SEARCH, &astar_route_search_job,
                                       step_route,          "found",
                                       "world changed",     close_route_search};

// Has the search ask as the table at 6, on the top, says.
static void take_question(lua_State *L, astarL_RouteSearch *search)
{
    lua_pushvalue(L, 6);
    astarL_askabout(L, "arguments", "world_question", 1);
    const int plain_question = lua_gettop(L) - 1;
    bool exact = lua_toboolean(L, -1);
    astarL_pushpart(L, 1, ASTARL_PALETTE_FINDER, LUA_TUSERDATA);
    const astarL_Finder *plain = astarL_checkfinder(L, lua_gettop(L));
    AstarQuestion question;
    astarL_checkquestion(L, plain_question, plain, &question);
    astarL_checkheld(L, search->job.core);
    astar_route_search_ask(search->job.core, &question, exact);
}

// Pushes the search that is asked for by the arguments from 1 on.
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
        take_question(L, search);
    lua_settop(L, 7);
}

// finder:search(sx, sy, gx, gy [, question]), (sx, sy, goals [, question]) --> search
int astarL_worldfinder_search(lua_State *L)
{
    if (lua_istable(L, 4))
        return astarL_answerby(L, "world_routes");
    push_route_search(L);
    return 1;
}

// core.add_goal(search, x, y, range)
int astarL_route_add_goal(lua_State *L)
{
    AstarCell goal = astarL_checkworldcell(L, 2, "x", "y");
    int range = (int)astarL_checkint(L, 4, 0, ASTAR_MAX_SIDE, "range");
    AstarStatus status = astar_route_search_add_goal(check_route_search(L)->job.core, goal.x,
                                                     goal.y, range);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// core.count_from_corner(search, goal): the number of one of its goals, from 1 on
int astarL_route_corner(lua_State *L)
{
    int goal = (int)astarL_checkint(L, 2, 1, INT_MAX, "goal");
    AstarStatus status = astar_route_search_count_from_corner(check_route_search(L)->job.core,
                                                              (size_t)goal - 1);
    return status == ASTAR_OK ? 0 : astarL_fail(L, status);
}

// core.hurry_route(search) --> whether it gives up soon
int astarL_route_hurry(lua_State *L)
{
    lua_pushboolean(L, astar_route_search_hurry(check_route_search(L)->job.core));
    return 1;
}

// core.raise_weight(search, weight)
int astarL_route_raise(lua_State *L)
{
    astar_route_search_raise(check_route_search(L)->job.core, luaL_checknumber(L, 2));
    return 0;
}

// Pushes the route of the search at 1, which was found.
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

// Pushes the route and, where it ends before the goal, why.
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
    {"path", 1, route_search_route}, // as queues ask for what
                                     // was found
    {"route", 1, route_search_route},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_routesearchclass = {.type = ASTARL_ROUTE_SEARCH,
                                              .methods = route_search_methods,
                                              .close = astarL_closejob,
                                              .field = astarL_pushjobfield,
                                              .fields = "status\0expanded\0"};
