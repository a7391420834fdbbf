// lua_search.c -- searches made a few expansions at a time, and looked at in between.
//
// A search owns its core object from beginning to end, whichever coroutine steps it. A callback
// that raises leaves it ready to go on. What a callback must not do is to step or close the very
// search it is asked for: the core would go on in a search that is no longer as it was. No flag
// could tell, since it would stick after an error, so all that is done to a search is counted; a
// callback after which the count is another one does not return to the core.

#include "binding/lua_search.h"

#include "binding/lua_job.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"

#include <math.h>
#include <string.h>

// Tells the collector how far the search's memory has grown.
static void charge_search(lua_State *L, astarL_Search *search, bool is_owed)
{
    size_t bytes = search->core != NULL ? astar_search_bytes(search->core) : 0;
    astarL_chargegrowth(L, &search->bytes, bytes, is_owed);
}

astarL_Search *astarL_pushsearch(lua_State *L, int owner, bool asks, int x0, int y0)
{
    astarL_Search *search = astarL_newobject(L, ASTARL_SEARCH, sizeof *search);
    search->x0 = x0;
    search->y0 = y0;
    search->asks = asks;
    lua_createtable(L, 3, 0);
    lua_pushvalue(L, owner);
    lua_rawseti(L, -2, ASTARL_SEARCH_FINDER);
    lua_setuservalue(L, -2);
    return search;
}

unsigned astarL_takesearch(lua_State *L, astarL_Search *search, AstarFinder *const *held, int owner)
{
    astarL_checkheld(L, *held);
    AstarGrid *grid = astar_finder_grid(*held);
    astarL_settle(L, grid, &grid);
    unsigned entered = astarL_enterof(L, held, owner);
    if (astarL_take_unbuilt(L, *held, &search->core) != ASTAR_OK) {
        astarL_leave(grid, entered);
        astarL_nomemory(L);
    }
    return entered;
}

int astarL_returnsearch(lua_State *L, astarL_Search *search, unsigned entered, AstarStatus status)
{
    astarL_leave(astar_finder_grid(astar_search_finder(search->core)), entered);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_GROUND ||
        status == ASTAR_BAD_LINKS_AND_WALLS)
        return astarL_fail(L, status);
    charge_search(L, search, true);
    return 1;
}

// Makes a search of the arguments of finder:search; it and each of its steps may build 'at_once'
// besides.
static int make_search(lua_State *L, uint64_t at_once)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    const AstarGrid *grid = astar_finder_grid(finder->core);
    int sx, sy, gx, gy;
    astarL_checkcell(L, 2, grid, finder->x0, finder->y0, "sx", "sy", &sx, &sy);
    astarL_checkcell(L, 4, grid, finder->x0, finder->y0, "gx", "gy", &gx, &gy);
    AstarQuestion own;
    const AstarQuestion *question = astarL_checkquestion(L, 6, finder, &own);
    astarL_Search *search = astarL_pushsearch(L, 1, finder->asks, finder->x0, finder->y0);
    unsigned entered = astarL_takesearch(L, search, &finder->core, 1);
    AstarStatus status = astar_search_begin_in_steps(search->core, sx, sy, gx, gy, question,
                                                     at_once);
    return astarL_returnsearch(L, search, entered, status);
}

// finder:search(sx, sy, gx, gy [, question]) --> search
int astarL_finder_search(lua_State *L)
{
    return make_search(L, ASTAR_EXPANSIONS_AT_ONCE);
}

// core.search(finder, sx, sy, gx, gy [, question]) --> the same, nothing of which is built but by
// its steps, within their budgets: for those that go by the clock
int astarL_search_unbuilt(lua_State *L)
{
    return make_search(L, 0);
}

// core.check_question(finder, sx, sy, gx, gy [, question]): raises what finder:search would, and
// makes none
int astarL_check_question(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    const AstarGrid *grid = astar_finder_grid(finder->core);
    int x, y;
    astarL_checkcell(L, 2, grid, finder->x0, finder->y0, "sx", "sy", &x, &y);
    astarL_checkcell(L, 4, grid, finder->x0, finder->y0, "gx", "gy", &x, &y);
    AstarQuestion question;
    astarL_checkquestion(L, 6, finder, &question);
    return 0;
}

// core.take_edits(search) --> whether the search, not stepped yet, goes on after edits from now on
int astarL_take_edits(lua_State *L)
{
    lua_pushboolean(L, astar_search_take_edits(astarL_checksearch(L, 1)->core));
    return 1;
}

// core.freeze(search) --> whether the search, not stepped yet, is one of the map, or the graph, as
// it is at one moment from now on
int astarL_freeze(lua_State *L)
{
    if (ASTAR_HAS_GRAPH && astarL_testobject(L, 1, ASTARL_GRAPH_SEARCH) != NULL)
        return astarL_freezegraphsearch(L);
    const astarL_Search *search = astarL_checksearch(L, 1);
    AstarStatus status = astar_search_freeze(search->core);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    lua_pushboolean(L, status == ASTAR_OK);
    return 1;
}

// ---- steps ----

static AstarStatus step_search(void *search, uint64_t expansions, void *query)
{
    ((astarL_Query *)query)->finder = astar_search_asking(search);
    return astar_search_step(search, expansions, query);
}

// Pushes a path that is still to be stored, of a search with its finder at 'owner'.
static astarL_Path *push_unfilled(lua_State *L, const astarL_Search *search, int owner)
{
    astarL_Path *path = astarL_pushpath(L, search->asks, owner, search->x0, search->y0);
    astarL_checkheld(L, search->core);
    astarL_setfinder(L, path, astar_search_finder(search->core));
    return path;
}

// Keeps the path on the top as that of the search at 'self'.
static AstarStatus keep_path(lua_State *L, int self)
{
    astarL_pushparts(L, self);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, ASTARL_SEARCH_PATH);
    lua_pop(L, 1);
    return ASTAR_OK;
}

// Makes the path of the search at 'self' with its finder at 'owner', unless it is there already,
// and pushes it.
static AstarStatus push_found(lua_State *L, int self, int owner)
{
    const astarL_Search *search = lua_touserdata(L, self);
    astarL_pushparts(L, self);
    lua_rawgeti(L, -1, ASTARL_SEARCH_PATH);
    if (!lua_isnil(L, -1))
        return ASTAR_OK;
    astarL_Path *path = push_unfilled(L, search, owner);
    AstarStatus status = astar_search_path(search->core, &path->core);
    return status == ASTAR_OK ? keep_path(L, self) : status;
}

// Counts the changes of all that a search reads: the grid, and the field to avoid.
static uint64_t version_of(const AstarFinder *finder)
{
    const AstarField *avoid = astar_finder_options(finder)->avoid;
    return astar_grid_version(astar_finder_grid(finder)) +
           (avoid != NULL ? astar_field_version(avoid) : 0);
}

// 'path' is to be stored before the map may be another, where a search finds its way; NULL: later.
static AstarStatus run_budget(lua_State *L, astarL_Search *search, astarL_Budget budget,
                              AstarPath *path)
{
    AstarSearch *core = search->core;
    astarL_checkheld(L, core);
    astarL_Query query;
    search->turn++;
    bool asks = search->asks || search->tests;
    astarL_resume(L, &query, core, asks, 3, search->x0, search->y0, &search->turn);
    const AstarFinder *finder = astar_search_finder(core);
    uint64_t version = version_of(finder);
    if (isfinite(budget.seconds))
        astar_search_build_by_steps(core);
    AstarStatus status = astarL_runslices(budget, step_search, core, &query);
    if (status == ASTAR_OK && path != NULL)
        status = astar_search_path(core, path);
    astarL_pause(&query);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_COST ||
        (status == ASTAR_GRID_CHANGED && version_of(finder) != version)) // by a callback
        astarL_fail(L, status);
    return status;
}

// Makes steps of the search at 1, whose finder is at 3. Its path is kept at once, for what it costs
// can be known only while the grid is as it is.
static AstarStatus step_and_keep(lua_State *L, astarL_Search *search, astarL_Budget budget)
{
    astarL_checkheld(L, search->core);
    bool runs = astar_search_status(search->core) == ASTAR_RUNNING;
    if (runs && astar_grid_is_view(astar_finder_grid(astar_search_finder(search->core)))) {
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

// search:step([n | {ms =, expansions =}]) --> "running" | "found" | reason
static int search_step(lua_State *L)
{
    astarL_Search *search = astarL_checksearch(L, 1);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    lua_settop(L, 2);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    if (search->tests)
        astarL_pushpart(L, 1, ASTARL_SEARCH_TEST, LUA_TFUNCTION); // at ASTARL_TEST
    AstarStatus status = step_and_keep(L, search, budget);
    charge_search(L, search, astarL_isbyclock(budget));
    lua_pushstring(L, astar_status_text(status));
    return 1;
}

// search:path() --> path [, index] | nil, "running" or reason
static int search_path(lua_State *L)
{
    astarL_Search *search = astarL_checksearch(L, 1);
    lua_settop(L, 1);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    AstarStatus status = astar_search_status(search->core);
    if (status == ASTAR_OK)
        status = push_found(L, 1, 2);
    if (status == ASTAR_NO_MEMORY)
        return astarL_nomemory(L);
    if (status == ASTAR_OK && !search->has_index)
        return 1;
    if (status == ASTAR_OK) {
        lua_pushinteger(L, (lua_Integer)astar_search_index(search->core) + 1);
        return 2;
    }
    lua_pushnil(L);
    lua_pushstring(L, astar_status_text(status));
    return 2;
}

// search:close(): gives its memory back at once
static void close_search(lua_State *L, void *object)
{
    astarL_Search *search = object;
    AstarSearch *core = search->core;
    astarL_forgive(L, search->bytes);
    search->core = NULL;
    search->bytes = 0;
    search->turn++;
    astar_search_free(core);
}

static int search_close(lua_State *L)
{
    close_search(L, astarL_checkobject(L, 1, ASTARL_SEARCH));
    return 0;
}

// ---- looking at it ----

static int push_seen(lua_State *L, const astarL_Search *search, const AstarSeen *seen)
{
    lua_pushinteger(L, seen->x + search->x0);
    lua_pushinteger(L, seen->y + search->y0);
    lua_pushstring(L, seen->closed ? "closed" : "open");
    lua_pushnumber(L, seen->g);
    lua_pushnumber(L, seen->h);
    lua_pushnumber(L, seen->f);
    if (seen->has_parent) {
        lua_pushinteger(L, seen->parent_x + search->x0);
        lua_pushinteger(L, seen->parent_y + search->y0);
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
    if (search->core == NULL)
        return 0;
    lua_settop(L, 0);
    AstarSeen seen;
    astarL_Query query;
    bool asks = astar_finder_options(astar_search_finder(search->core))->estimate != NULL;
    lua_pushvalue(L, lua_upvalueindex(3));
    astarL_resume(L, &query, search->core, asks, 1, search->x0, search->y0, &search->turn);
    bool more = astar_search_seen(search->core, &cursor, &query, &seen);
    astarL_pause(&query);
    astarL_setcursor(L, cursor);
    return more ? push_seen(L, search, &seen) : 0;
}

// for x, y, state, g, h, f, px, py, side in search:cells() do
static int search_cells(lua_State *L)
{
    astarL_checksearch(L, 1);
    lua_settop(L, 1);
    lua_pushinteger(L, 0);
    astarL_pushpart(L, 1, ASTARL_SEARCH_FINDER, LUA_TUSERDATA);
    lua_pushcclosure(L, next_seen, 3);
    return 1;
}

static int push_search_field(lua_State *L, const AstarSearch *core, const char *name)
{
    if (strcmp(name, "status") == 0)
        lua_pushstring(L, astar_status_text(astar_search_status(core)));
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)astar_search_expanded(core));
    else if (strcmp(name, "algorithm") == 0 && astar_search_algorithm(core) != ASTAR_AUTO)
        lua_pushstring(L, astar_algorithm_name(astar_search_algorithm(core)));
    else
        astarL_nofield(L);
    return 1;
}

static int search_index(lua_State *L)
{
    astarL_checkobject(L, 1, ASTARL_SEARCH);
    if (lua_type(L, 2) != LUA_TSTRING)
        return astarL_nofield(L);
    if (astarL_pushmethod(L))
        return 1;
    return push_search_field(L, astarL_checksearch(L, 1)->core, lua_tostring(L, 2));
}

static bool tell_search(lua_State *L, const void *object)
{
    const astarL_Search *search = object;
    if (search->core != NULL)
        lua_pushfstring(L, "astar search, %s, %s expanded",
                        astar_status_text(astar_search_status(search->core)),
                        astarL_pushnumber(L, (lua_Number)astar_search_expanded(search->core)));
    return search->core != NULL;
}

void astarL_opensearch(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"cells", search_cells, 1},
        {"close", search_close, 1},
        {"path", search_path, 1},
        {"step", search_step, 2},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {ASTARL_SEARCH,
                                       methods,
                                       close_search,
                                       tell_search,
                                       search_index,
                                       NULL,
                                       "status\0expanded\0algorithm\0"};
    astarL_newtype(L, &class);
}
