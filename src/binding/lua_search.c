// lua_search.c -- searches that run a few expansions at a time and can be inspected in between.
//
// A search owns its core object from beginning to end, even if several coroutines step it. If a
// callback raises an error, the search can still be continued. A callback must not step or close
// its own search, because the core would then continue with a changed search. A flag could not
// detect such a call, since the flag would stay set after an error. Therefore all operations on a
// search are counted. If the count has changed during a callback, an error is raised before the
// core continues.

#include "binding/lua_search.h"

#include "binding/lua_finder.h"
#include "binding/lua_job.h"
#include "binding/lua_options.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"
#include "binding/lua_suppose.h"

#include <math.h>
#include <string.h>

static const astarL_JobKind searching;

astarL_Search *astarL_pushsearch(lua_State *L, int owner, bool has_callbacks, int x0, int y0)
{
    astarL_Search *search = astarL_newjob(L, &searching, sizeof *search, owner);
    search->x0 = x0;
    search->y0 = y0;
    search->has_callbacks = has_callbacks;
    return search;
}

unsigned astarL_takesearch(lua_State *L, astarL_Search *search, AstarFinder *const *held, int owner)
{
    astarL_checkheld(L, *held);
    AstarGrid *grid = astar_finder_grid(*held);
    unsigned entered = astarL_enterof(L, held, owner);
    AstarSearch *core;
    if (astarL_take_unbuilt(L, *held, &core) != ASTAR_OK) {
        astar_view_leave(grid, entered);
        astarL_nomemory(L);
    }
    search->job.core = core;
    return entered;
}

int astarL_returnsearch(lua_State *L, astarL_Search *search, unsigned entered, AstarStatus status)
{
    astar_view_leave(astar_finder_grid(astar_search_finder(search->job.core)), entered);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_GROUND || status == ASTAR_BAD_WRAP ||
        status == ASTAR_BAD_LINKS_AND_WALLS)
        return astarL_fail(L, status);
    astarL_accountjob(L, &search->job, true);
    return 1;
}

// The arguments of finder:search.
typedef struct SearchCall {
    const astarL_Finder *finder;
    astarL_Ends ends;
    AstarQueryOptions own;
    const AstarQueryOptions *query;
} SearchCall;

static void check_search_call(lua_State *L, SearchCall *call)
{
    const astarL_Finder *finder = call->finder = astarL_checkfinder(L, 1);
    call->ends = astarL_checkquery(L, 2, finder);
    call->query = astarL_checkqueryoptions(L, 6, finder, &call->own);
}

// Pushes a search. The search may spend the work of 'at_once' expansions on building layers while
// it is created, and again in each step in addition to the step's budget.
static int make_search(lua_State *L, uint64_t at_once)
{
    SearchCall call;
    check_search_call(L, &call);
    const astarL_Finder *finder = call.finder;
    astarL_Search *search = astarL_pushsearch(L, 1, finder->has_callbacks, finder->x0, finder->y0);
    unsigned entered = astarL_takesearch(L, search, &finder->core, 1);
    astarL_Ends ends = call.ends;
    AstarStatus status = astar_search_begin_in_steps(search->job.core, ends.x0, ends.y0, ends.x1,
                                                     ends.y1, call.query, at_once);
    return astarL_returnsearch(L, search, entered, status);
}

// finder:search(sx, sy, gx, gy [, options]) --> search
int astarL_finder_search(lua_State *L)
{
    return make_search(L, ASTAR_EXPANSIONS_AT_ONCE);
}

// core.search(finder, sx, sy, gx, gy [, options]) --> a search that builds layers only in its
// steps and within their budgets; for callers with a time limit
int astarL_search_unbuilt(lua_State *L)
{
    return make_search(L, 0);
}

// core.check_query(finder, sx, sy, gx, gy [, options]): raises the errors that finder:search
// would raise, without making a search
int astarL_check_query(lua_State *L)
{
    SearchCall call;
    check_search_call(L, &call);
    return 0;
}

// steps

static AstarStatus step_search(void *search, uint64_t expansions, void *query)
{
    ((astarL_Query *)query)->finder = astar_search_asking(search);
    return astar_search_step(search, expansions, query);
}

// Pushes an empty path, which will receive the result of a search. The finder of the search is at
// 'owner'.
static astarL_Path *push_unfilled(lua_State *L, const astarL_Search *search, int owner)
{
    astarL_Path *path = astarL_pushpath(L, search->has_callbacks, owner, search->x0, search->y0);
    astarL_checkheld(L, search->job.core);
    astarL_setfinder(L, path, astar_search_finder(search->job.core));
    return path;
}

// Stores the path on the top of the stack as the result of the search at 'self'.
static AstarStatus keep_path(lua_State *L, int self)
{
    astarL_pushparts(L, self);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, ASTARL_SEARCH_PATH);
    lua_pop(L, 1);
    return ASTAR_OK;
}

// Pushes the path of the search at 'self', whose finder is at 'owner'. The path is created at the
// first call and then stored.
static AstarStatus push_found(lua_State *L, int self, int owner)
{
    const astarL_Search *search = lua_touserdata(L, self);
    astarL_pushparts(L, self);
    lua_rawgeti(L, -1, ASTARL_SEARCH_PATH);
    if (!lua_isnil(L, -1))
        return ASTAR_OK;
    astarL_Path *path = push_unfilled(L, search, owner);
    AstarStatus status = astar_search_path(search->job.core, &path->core);
    return status == ASTAR_OK ? keep_path(L, self) : status;
}

// Steps a search within a budget. If the search succeeds and 'path' is not NULL, stores the result
// in 'path' before a view is left, because the next version of a view may be another map.
static AstarStatus run_budget(lua_State *L, astarL_Search *search, astarL_Budget budget,
                              AstarPath *path)
{
    AstarSearch *core = search->job.core;
    astarL_checkheld(L, core);
    astarL_Query query;
    search->job.turn++;
    bool has_callbacks = search->has_callbacks || search->tests;
    astarL_resume(L, &query, core, has_callbacks, 3, search->x0, search->y0, &search->job.turn);
    const AstarFinder *finder = astar_search_finder(core);
    uint64_t version = astar_finder_changes(finder);
    if (isfinite(budget.seconds))
        astar_search_build_by_steps(core);
    AstarStatus status = astarL_runslices(budget, step_search, core, &query);
    if (status == ASTAR_OK && path != NULL)
        status = astar_search_path(core, path);
    astarL_pause(&query);
    if (status > ASTAR_GRID_CHANGED || // a fault, or a callback edited the grid
        (status == ASTAR_GRID_CHANGED && astar_finder_changes(finder) != version))
        astarL_fail(L, status);
    return status;
}

// Steps the search at index 1. The path is created as soon as it is found, because its cost is
// known only while the grid is unchanged. The finder must be at index 3, and the function that
// tests for goals at ASTARL_TEST.
static AstarStatus step_and_keep(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    astarL_Search *search = (astarL_Search *)job;
    lua_settop(L, 2);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    if (search->tests)
        astarL_pushpart(L, 1, ASTARL_SEARCH_TEST, LUA_TFUNCTION);
    astarL_checkheld(L, job->core);
    bool runs = astar_search_status(job->core) == ASTAR_RUNNING;
    if (runs && astar_grid_is_view(astar_finder_grid(astar_search_finder(job->core)))) {
        astarL_Path *path = push_unfilled(L, search, 3);
        int pushed = lua_gettop(L);
        AstarStatus status = run_budget(L, search, budget, &path->core);
        lua_settop(L, pushed);
        return status == ASTAR_OK ? keep_path(L, 1) : status;
    }
    AstarStatus status = run_budget(L, search, budget, NULL);
    lua_settop(L, 3);
    if (status == ASTAR_OK && push_found(L, 1, 3) == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    return status;
}

static const astarL_JobKind searching = {
    ASTARL_SEARCH, &astar_search_job, step_and_keep, "found", NULL, NULL};

// search:path() --> path [, index] | nil, "running" or the reason of the failure
static int search_path(lua_State *L)
{
    astarL_Search *search = astarL_checksearch(L, 1);
    lua_settop(L, 1);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    AstarStatus status = astar_search_status(search->job.core);
    if (status == ASTAR_OK)
        status = push_found(L, 1, 2);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status == ASTAR_OK && !search->has_index)
        return 1;
    if (status == ASTAR_OK) {
        lua_pushinteger(L, (lua_Integer)astar_search_index(search->job.core) + 1);
        return 2;
    }
    return astarL_refuse(L, astar_status_text(status));
}

// inspection

static int push_seen(lua_State *L, const astarL_Search *search, const AstarSeen *seen)
{
    astarL_pushcell(L, seen->x, seen->y, search->x0, search->y0);
    lua_pushstring(L, seen->closed ? "closed" : "open");
    lua_pushnumber(L, seen->g);
    lua_pushnumber(L, seen->h);
    lua_pushnumber(L, seen->f);
    if (seen->has_parent) {
        astarL_pushcell(L, seen->parent_x, seen->parent_y, search->x0, search->y0);
    } else {
        lua_pushnil(L);
        lua_pushnil(L);
    }
    return 8;
}

static int next_seen(lua_State *L)
{
    astarL_Search *search = astarL_checkobject(L, lua_upvalueindex(1), ASTARL_SEARCH);
    uint64_t cursor = astarL_cursor(L);
    if (search->job.core == NULL)
        return 0;
    lua_settop(L, 0);
    AstarSeen seen;
    astarL_Query query;
    bool has_callbacks = astar_finder_options(astar_search_finder(search->job.core))->estimate !=
                         NULL;
    lua_pushvalue(L, lua_upvalueindex(3));
    astarL_resume(L, &query, search->job.core, has_callbacks, 1, search->x0, search->y0,
                  &search->job.turn);
    bool more = astar_search_seen(search->job.core, &cursor, &query, &seen);
    astarL_pause(&query);
    astarL_setcursor(L, cursor);
    return more ? push_seen(L, search, &seen) : 0;
}

// for x, y, state, g, h, f, px, py in search:cells() do
static int search_cells(lua_State *L)
{
    astarL_checksearch(L, 1);
    lua_settop(L, 1);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    return astarL_iterate(L, next_seen, 2);
}

static void push_search_field(lua_State *L, const void *object, const char *name)
{
    AstarAlgorithm algorithm = astar_search_algorithm(((const astarL_Job *)object)->core);
    astarL_pushjobfield(L, object, name);
    if (strcmp(name, "algorithm") == 0 && algorithm != ASTAR_AUTO)
        lua_pushstring(L, astar_algorithm_name(algorithm));
    else if (strcmp(name, "restarts") == 0)
        lua_pushinteger(L, (lua_Integer)astar_search_restarts(((const astarL_Job *)object)->core));
}

static const astarL_Function search_methods[] = {
    {"cells", 1, search_cells},
    {"close", 1, astarL_job_close},
    {"path", 1, search_path},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_searchclass = {.type = ASTARL_SEARCH,
                                         .methods = search_methods,
                                         .close = astarL_closejob,
                                         .field = push_search_field,
                                         .fields = "status\0expanded\0algorithm\0restarts\0"};

// The functions below implement finder:find_nearest and finding_nearest: many goals, from a list or
// decided by a function.

// Stack indices of the finder, the goals and the options of finder:find_nearest and
// finder:finding_nearest.
enum { FINDER = 1, GOALS = ASTARL_TEST, QUERY };

// A request for the nearest goal, in the form in which the core takes it.
typedef struct NearestCall {
    astarL_Finder *finder;
    int sx, sy;
    bool by_function;
    const AstarCell *goals; // NULL: a function tests for goals
    size_t count;
    AstarQueryOptions own;
    const AstarQueryOptions *query;
    astarL_Supposed supposed; // used by find_nearest only
} NearestCall;

static bool call_is_goal(void *context, int x, int y, int terrain)
{
    const astarL_Query *query = context;
    lua_State *L = query->L;
    lua_pushvalue(L, GOALS);
    lua_pushinteger(L, x + query->x0);
    lua_pushinteger(L, y + query->y0);
    lua_rawgeti(L, query->base + ASTARL_OF_KEYS - ASTARL_COST + 1, terrain + 1);
    astarL_call(query, 3);
    bool is_goal = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_goal;
}

// Reads the arguments of a request for the nearest goal. Leaves the goals on the stack.
static void check_call(lua_State *L, NearestCall *call, bool may_suppose)
{
    astarL_Finder *finder = astarL_checkfinder(L, FINDER);
    *call = (NearestCall){.finder = finder};
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "sx", "sy",
                     &call->sx, &call->sy);
    lua_settop(L, QUERY);
    call->by_function = lua_isfunction(L, GOALS);
    if (!call->by_function && !lua_istable(L, GOALS))
        luaL_error(
            L, "goals must be a list of cells or a function, got %s%s", astarL_describe(L, GOALS),
            lua_type(L, GOALS) == LUA_TNUMBER ? ": to one cell leads find_path(sx, sy, gx, gy)"
                                              : "");
    astarL_plainoptions(L, QUERY, astarL_query_options);
    if (may_suppose)
        call->supposed = astarL_checksupposed(L, QUERY, finder);
    call->query = astarL_checkqueryoptions(L, QUERY, finder, &call->own);
    astarL_checkrange(L, finder, call->query, "find_nearest");
    if (!call->by_function)
        call->goals = astarL_pushgoals(L, GOALS, astarL_areaof(finder), &call->count);
}

// Returns true if a goal of the list has an extra cost, its third element. Goals that are objects
// with the fields x and y have no extra cost.
static bool has_extra_cost(lua_State *L)
{
    bool has_any = false;
    size_t count = lua_istable(L, GOALS) ? (size_t)lua_rawlen(L, GOALS) : 0;
    for (size_t i = 1; i <= count && !has_any; i++) {
        lua_rawgeti(L, GOALS, (int)i);
        if (lua_istable(L, -1)) {
            lua_rawgeti(L, -1, 3);
            has_any = !lua_isnil(L, -1) && !astarL_hasplace(L, lua_gettop(L) - 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return has_any;
}

// finder:find_nearest(sx, sy, goals [, options]) --> path, index | nil, reason
// finder:find_nearest(sx, sy, function(x, y, terrain) [, options]) --> path | nil, reason
int astarL_finder_find_nearest(lua_State *L)
{
    NearestCall call;
    if (has_extra_cost(L)) {
        astarL_checkfinder(L, FINDER);
        lua_settop(L, QUERY);
        return astarL_askabout(L, "goals_with_costs", "find_nearest", QUERY);
    }
    check_call(L, &call, true);
    astarL_Finder *finder = call.finder, *used = finder;
    int self = FINDER;
    if (call.supposed.blocked != NULL) {
        used = astarL_suppose(L, finder, FINDER, &call.supposed);
        self = call.supposed.finder;
    }
    bool has_callbacks = finder->has_callbacks || call.by_function;
    astarL_Path *path = astarL_pushpath(L, finder->has_callbacks, FINDER, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    int result = lua_gettop(L);
    astarL_Query query;
    astarL_open(L, &query, &used->core, has_callbacks, self, finder->x0, finder->y0);
    size_t index = 0;
    AstarStatus status = call.by_function
                             ? astar_search_where(query.search, call.sx, call.sy, call_is_goal,
                                                  call.query, &query)
                             : astar_search_nearest(query.search, call.sx, call.sy, call.goals,
                                                    call.count, call.query, &query, &index);
    if (status == ASTAR_OK)
        status = astar_search_path(query.search, &path->core);
    astarL_close(&query);
    if (used != finder) {
        path->core.best_at = 0; // not known to be the best path on the real map
        astarL_unsuppose(used);
    }
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    if (call.by_function)
        return 1;
    lua_pushinteger(L, (lua_Integer)index + 1);
    return 2;
}

// finder:finding_nearest(sx, sy, goals or function [, options]) --> search. Its method path() also
// returns the index of the goal, if the goals are a list.
int astarL_finder_finding_nearest(lua_State *L)
{
    NearestCall call;
    check_call(L, &call, false);
    const astarL_Finder *finder = call.finder;
    astarL_Search *search = astarL_pushsearch(L, FINDER, finder->has_callbacks, finder->x0,
                                              finder->y0);
    search->tests = call.by_function;
    search->has_index = !call.by_function;
    lua_getuservalue(L, -1);
    if (call.by_function)
        lua_pushvalue(L, GOALS);
    else
        lua_pushnil(L);
    lua_rawseti(L, -2, ASTARL_SEARCH_TEST);
    lua_pop(L, 1);
    unsigned entered = astarL_takesearch(L, search, &finder->core, FINDER);
    AstarStatus status = call.by_function
                             ? astar_search_where_in_steps(search->job.core, call.sx, call.sy,
                                                           call_is_goal, call.query,
                                                           ASTAR_EXPANSIONS_AT_ONCE)
                             : astar_search_nearest_in_steps(search->job.core, call.sx, call.sy,
                                                             call.goals, call.count, call.query,
                                                             ASTAR_EXPANSIONS_AT_ONCE);
    return astarL_returnsearch(L, search, entered, status);
}
