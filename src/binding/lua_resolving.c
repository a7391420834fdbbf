// lua_resolving.c -- jobs that make a plan for units of a crowd that stand in each other's way.

#include "binding/lua_crowd.h"
#include "binding/lua_helper.h"
#include "binding/lua_job.h"

#include <string.h>

// ---- making one ----

// Reads the options at 3, the last argument.
static AstarResolvingOptions read_resolving_options(lua_State *L, const astarL_Crowd *crowd)
{
    AstarResolvingOptions options = astar_resolving_options_default();
    if (lua_isnil(L, 3))
        return options;
    const AstarGrid *grid = astarL_gridofcrowd(crowd->core);
    astarL_pushcell(L, crowd->x0, crowd->y0, 0, 0);
    astarL_pushcell(L, astar_grid_width(grid), astar_grid_height(grid), 0, 0);
    astarL_askhelper(L, "arguments", "resolving");
    lua_settop(L, 13);
    lua_Number bytes = luaL_optnumber(L, 8, (lua_Number)options.bytes);
    options.bytes = bytes < (lua_Number)SIZE_MAX ? (size_t)bytes : SIZE_MAX / 2;
    options.improve = (uint64_t)luaL_optnumber(L, 9, (lua_Number)options.improve);
    options.x = (int)lua_tointeger(L, 10);
    options.y = (int)lua_tointeger(L, 11);
    options.width = (int)lua_tointeger(L, 12);
    options.height = (int)lua_tointeger(L, 13);
    lua_settop(L, 3);
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

static AstarStatus step_resolving(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    (void)L;
    return astarL_runslices(budget, astar_resolving_job.step, job->core, NULL);
}

static const astarL_JobKind resolving = {
    ASTARL_RESOLVING, &astar_resolving_job, step_resolving, "done", NULL, NULL};

// crowd:resolving([units [, {window =, bytes =, improve =}]]) --> job | nil, reason
int astarL_crowd_resolving(lua_State *L)
{
    const astarL_Crowd *crowd = astarL_checkcrowd(L);
    size_t count;
    lua_settop(L, 3);
    AstarResolvingOptions options = read_resolving_options(L, crowd);
    astarL_checkheld(L, crowd->core);
    const AstarUnit *units = push_units(L, crowd, &count);
    astarL_Job *job = astarL_newjob(L, &resolving, sizeof *job, 1);
    astarL_checkheld(L, crowd->core);
    const char *refusal = astar_crowd_resolving_refusal(crowd->core, units, count, &options);
    if (refusal != NULL)
        return luaL_error(L, "resolving cannot honour %s", refusal);
    AstarResolving *core;
    AstarStatus status = astar_crowd_resolving(crowd->core, units, count, &options, &core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    job->core = core;
    astarL_chargejob(L, job, true);
    return 1;
}

// job:follow() --> true | false
static int resolving_follow(lua_State *L)
{
    lua_pushboolean(
        L, astar_resolving_follow(((astarL_Job *)astarL_checkopen(L, 1, ASTARL_RESOLVING))->core));
    return 1;
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
    const AstarResolvingFacts own = astar_resolving_facts(((const astarL_Job *)object)->core);
    const AstarResolvingFacts *facts = &own;
    astarL_pushjobfield(L, object, name);
    if (strcmp(name, "beats") == 0)
        push_of_plan(L, facts, facts->beats);
    else if (strcmp(name, "left") == 0)
        push_of_plan(L, facts, facts->left);
    else if (strcmp(name, "cost") == 0)
        push_of_plan(L, facts, facts->cost);
    else if (strcmp(name, "units") == 0)
        lua_pushinteger(L, (lua_Integer)facts->units);
    else if (strcmp(name, "bytes") == 0)
        lua_pushnumber(L, (lua_Number)facts->bytes);
}

static const astarL_Function resolving_methods[] = {
    {"close", 1, astarL_job_close},
    {"follow", 1, resolving_follow},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_resolvingclass = {
    .type = ASTARL_RESOLVING,
    .methods = resolving_methods,
    .close = astarL_closejob,
    .field = push_resolving_field,
    .fields = "status\0beats\0left\0cost\0units\0expanded\0bytes\0"};
