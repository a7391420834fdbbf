// lua_resolving.c -- jobs that make a plan for units of a crowd that stand in each other's way.

#include "binding/lua_crowd.h"
#include "binding/lua_job.h"

#include <string.h>

// Its uservalue: {the crowd}.
typedef struct Resolving {
    astarL_Header header;
    AstarResolving *core; // NULL once it is closed
    size_t bytes;         // that the collector knows of
} Resolving;

// ---- making one ----

// Reads one number of the window at the top, {x, y, w, h}.
static int read_window_part(lua_State *L, int index, const char *name, int least, int most)
{
    lua_rawgeti(L, -1, index);
    int part = astarL_checkint(L, lua_gettop(L), least, most, name);
    lua_pop(L, 1);
    return part;
}

static void read_window(lua_State *L, int table, const astarL_Crowd *crowd,
                        AstarResolvingOptions *options)
{
    const AstarGrid *grid = astarL_gridofcrowd(crowd->core);
    int width = astar_grid_width(grid), height = astar_grid_height(grid);
    int type = astarL_rawfield(L, table, "window");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "window must be a table {x, y, w, h}, got %s",
                   astarL_describe(L, lua_gettop(L)));
    if (type == LUA_TTABLE) {
        const char *stray = astarL_strayentry(L, lua_gettop(L), 4, NULL);
        if (stray != NULL)
            luaL_error(L, "window must be a table {x, y, w, h}, got an entry [%s]", stray);
        int x0 = crowd->x0, y0 = crowd->y0;
        options->x = read_window_part(L, 1, "window[1]", x0, x0 + width - 1) - x0;
        options->y = read_window_part(L, 2, "window[2]", y0, y0 + height - 1) - y0;
        options->width = read_window_part(L, 3, "window[3]", 1, width - options->x);
        options->height = read_window_part(L, 4, "window[4]", 1, height - options->y);
    }
    lua_pop(L, 1);
}

static AstarResolvingOptions read_resolving_options(lua_State *L, int arg,
                                                    const astarL_Crowd *crowd)
{
    static const char *const resolving_option_names[] = {"bytes", "improve", "window", NULL};
    AstarResolvingOptions options = astar_resolving_options_default();
    if (lua_isnoneornil(L, arg))
        return options;
    astarL_checkoptions(L, arg, resolving_option_names);
    lua_Number bytes = astarL_readwhole(L, arg, "bytes", 0, ASTARL_MOST_WHOLE,
                                        (lua_Number)options.bytes);
    options.bytes = bytes < (lua_Number)SIZE_MAX ? (size_t)bytes : SIZE_MAX / 2;
    options.improve = (uint64_t)astarL_readwhole(L, arg, "improve", 0, ASTARL_MOST_WHOLE,
                                                 (lua_Number)options.improve);
    read_window(L, arg, crowd, &options);
    return options;
}

// Pushes the units of the list at 2 as the core takes them; NULL where there is none.
static const AstarUnit *push_units(lua_State *L, const astarL_Crowd *crowd, size_t *count)
{
    *count = 0;
    if (lua_isnoneornil(L, 2))
        return NULL;
    *count = astarL_checkunits(L);
    AstarUnit *units = lua_newuserdata(L, (*count + 1) * sizeof *units);
    for (size_t i = 0; i < *count; i++)
        units[i] = astarL_checklistedunit(L, crowd, (int)i + 1)->unit;
    return units;
}

// Pushes a job that holds the crowd, and nothing else yet.
static Resolving *push_resolving(lua_State *L)
{
    Resolving *job = astarL_newobject(L, ASTARL_RESOLVING, sizeof *job);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_setuservalue(L, -2);
    return job;
}

static void charge_resolving(lua_State *L, Resolving *job, bool is_owed)
{
    astarL_chargegrowth(L, &job->bytes, astar_resolving_facts(job->core).bytes, is_owed);
}

// crowd:resolving([units [, {window =, bytes =, improve =}]]) --> job | nil, reason
int astarL_crowd_resolving(lua_State *L)
{
    const astarL_Crowd *crowd = astarL_checkcrowd(L);
    size_t count;
    lua_settop(L, 3);
    AstarResolvingOptions options = read_resolving_options(L, 3, crowd);
    const AstarUnit *units = push_units(L, crowd, &count);
    Resolving *job = push_resolving(L);
    astarL_checkheld(L, crowd->core);
    const char *refusal = astar_crowd_resolving_refusal(crowd->core, units, count, &options);
    if (refusal != NULL)
        return luaL_error(L, "resolving cannot honour %s", refusal);
    AstarStatus status = astar_crowd_resolving(crowd->core, units, count, &options, &job->core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    charge_resolving(L, job, true);
    return 1;
}

// ---- the job ----

#define check_resolving(L) ((Resolving *)astarL_checkopen(L, 1, ASTARL_RESOLVING))

static const char *text_of_resolving(AstarStatus status)
{
    return status == ASTAR_OK ? "done" : astar_status_text(status);
}

static AstarStatus step_resolving_slice(void *core, uint64_t expansions, void *context)
{
    (void)context;
    return astar_resolving_step(core, expansions);
}

// job:step([n | {ms =, expansions =}]) --> "running" | "done" | reason
static int resolving_step(lua_State *L)
{
    check_resolving(L);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    Resolving *job = check_resolving(L);
    AstarStatus status = astarL_runslices(budget, step_resolving_slice, job->core, NULL);
    if (status == ASTAR_NO_MEMORY)
        return astarL_fail(L, status);
    charge_resolving(L, job, astarL_isbyclock(budget));
    lua_pushstring(L, text_of_resolving(status));
    return 1;
}

// job:follow() --> true | false
static int resolving_follow(lua_State *L)
{
    lua_pushboolean(L, astar_resolving_follow(check_resolving(L)->core));
    return 1;
}

static void close_resolving(lua_State *L, void *object)
{
    (void)L;
    Resolving *job = object;
    if (job->core != NULL)
        astar_resolving_cancel(job->core);
    astar_resolving_release(job->core);
    job->core = NULL;
}

// job:close(): ends it, unless the crowd follows its plan already
static int resolving_close(lua_State *L)
{
    close_resolving(L, astarL_checkobject(L, 1, ASTARL_RESOLVING));
    lua_newtable(L);
    lua_setuservalue(L, 1);
    return 0;
}

// Pushes a number that there is only once there is a plan.
static void push_of_plan(lua_State *L, const AstarResolvingFacts *facts, uint64_t number)
{
    if (facts->has_plan)
        lua_pushinteger(L, (lua_Integer)number);
    else
        lua_pushnil(L);
}

static void push_resolving_field(lua_State *L, const void *object, const char *name)
{
    const AstarResolvingFacts own = astar_resolving_facts(((const Resolving *)object)->core);
    const AstarResolvingFacts *facts = &own;
    if (strcmp(name, "status") == 0)
        lua_pushstring(L, text_of_resolving(facts->status));
    else if (strcmp(name, "beats") == 0)
        push_of_plan(L, facts, facts->beats);
    else if (strcmp(name, "left") == 0)
        push_of_plan(L, facts, facts->left);
    else if (strcmp(name, "cost") == 0)
        push_of_plan(L, facts, facts->cost);
    else if (strcmp(name, "units") == 0)
        lua_pushinteger(L, (lua_Integer)facts->units);
    else if (strcmp(name, "expanded") == 0)
        lua_pushnumber(L, (lua_Number)facts->expanded);
    else if (strcmp(name, "bytes") == 0)
        lua_pushnumber(L, (lua_Number)facts->bytes);
}

static void tell_resolving(lua_State *L, const void *object)
{
    const Resolving *job = object;
    lua_pushfstring(L, "astar resolving job, %s",
                    text_of_resolving(astar_resolving_facts(job->core).status));
}

static const astarL_Function resolving_methods[] = {
    {"close", resolving_close, 1},
    {"follow", resolving_follow, 1},
    {"step", resolving_step, 2},
    {NULL, NULL, 0},
};

const astarL_Class astarL_resolvingclass = {
    .type = ASTARL_RESOLVING,
    .methods = resolving_methods,
    .close = close_resolving,
    .tell = tell_resolving,
    .field = push_resolving_field,
    .fields = "status\0beats\0left\0cost\0units\0expanded\0bytes\0"};
