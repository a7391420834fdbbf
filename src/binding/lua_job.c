// lua_job.c -- jobs: what takes longer than a frame, made in slices by one protocol.

#include "binding/lua_job.h"

#include "binding/lua_clock.h"

#include <math.h>
#include <string.h>

static const lua_Number MOST_EXPANSIONS = 9007199254740992.0;

// ---- budgets ----

// Reads the options {ms =, expansions =} at 'arg'.
static astarL_Budget read_budget(lua_State *L, int arg)
{
    static const char *const names[] = {"ms", "expansions", NULL};
    astarL_Budget budget = {UINT64_MAX, (double)INFINITY};
    astarL_checkoptions(L, arg, names);
    if (astarL_rawfield(L, arg, "ms") != LUA_TNIL)
        budget.seconds = astarL_checkreal(L, lua_gettop(L), 0, 1e9, "ms") * 1e-3;
    else if (astarL_rawfield(L, arg, "expansions") == LUA_TNIL)
        luaL_error(L, "step needs ms or expansions");
    if (astarL_rawfield(L, arg, "expansions") != LUA_TNIL)
        budget.expansions = (uint64_t)astarL_checkwhole(L, lua_gettop(L), 1, MOST_EXPANSIONS,
                                                        "expansions");
    return budget;
}

bool astarL_isbyclock(astarL_Budget budget)
{
    return isfinite(budget.seconds);
}

// What steps before have left to do is done within half of a budget by the clock.
static astarL_Budget settle_budget(lua_State *L, astarL_Budget budget)
{
    if (!astarL_isbyclock(budget)) {
        if (ASTAR_HAS_BAKING)
            astarL_clearleftovers(L, budget);
        return budget;
    }
    double begin = astarL_seconds();
    astarL_pay(L, budget.seconds / 2);
    astarL_makeroom(L);
    double left = begin + budget.seconds / 2 - astarL_seconds();
    if (ASTAR_HAS_BAKING)
        astarL_clearleftovers(L, (astarL_Budget){UINT64_MAX, left > 0 ? left : 0});
    left = begin + budget.seconds - astarL_seconds();
    budget.seconds = left > 0 ? left : 0;
    return budget;
}

astarL_Budget astarL_checkbudget(lua_State *L, int arg)
{
    if (lua_istable(L, arg))
        return settle_budget(L, read_budget(L, arg));
    astarL_Budget budget = {1, (double)INFINITY};
    if (!lua_isnoneornil(L, arg))
        budget.expansions = (uint64_t)astarL_checkwhole(L, arg, 1, MOST_EXPANSIONS, "n");
    return settle_budget(L, budget);
}

// So many expansions are made at a time at most: where they cost next to nothing, the first ones
// that cost more are not to come by the thousand.
enum { MOST_BETWEEN_GLANCES = 64 };

// Steps until the time is over. The clock is read every few expansions: about every ten
// microseconds, however long one takes.
static AstarStatus run_for(astarL_Budget budget, astarL_Slice slice, void *work, void *context)
{
    const double glance = 10e-6;
    double now = astarL_seconds(), end = now + budget.seconds;
    for (uint64_t chunk = 4;;) {
        uint64_t expansions = chunk < budget.expansions ? chunk : budget.expansions;
        AstarStatus status = slice(work, expansions, context);
        budget.expansions -= expansions;
        double before = now;
        now = astarL_seconds();
        if (status != ASTAR_RUNNING || budget.expansions == 0 || now >= end)
            return status;
        if (now - before < glance / 2 && chunk < MOST_BETWEEN_GLANCES)
            chunk *= 2;
        else if (now - before > glance && chunk > 1)
            chunk /= 2;
    }
}

AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context)
{
    return astarL_isbyclock(budget) ? run_for(budget, slice, work, context)
                                    : slice(work, budget.expansions, context);
}

// ---- jobs ----

// Its uservalue: {the object it works on}.
typedef struct Job {
    astarL_Header header;
    astarL_JobStep step; // NULL once closed
    bool is_done;
} Job;

void astarL_pushjob(lua_State *L, int owner, astarL_JobStep step)
{
    Job *job = astarL_newobject(L, ASTARL_JOB, sizeof *job);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, owner);
    lua_rawseti(L, -2, 1);
    lua_setuservalue(L, -2);
    job->step = step;
}

bool astarL_pushjobowner(lua_State *L, int arg, astarL_JobStep step)
{
    const Job *job = astarL_testobject(L, arg, ASTARL_JOB);
    if (job == NULL || job->step != step)
        return false;
    astarL_pushpart(L, arg, 1, LUA_TUSERDATA);
    return true;
}

bool astarL_isclosedjob(lua_State *L, int arg)
{
    const Job *job = astarL_testobject(L, arg, ASTARL_JOB);
    return job != NULL && job->step == NULL;
}

static Job *check_job(lua_State *L)
{
    Job *job = astarL_checkobject(L, 1, ASTARL_JOB);
    if (job->step == NULL)
        luaL_error(L, "job is closed");
    return job;
}

static const char *status_of_job(const Job *job)
{
    return job->is_done ? "done" : "running";
}

// job:step([n | {ms =, expansions =}]) --> "running" | "done"
static int job_step(lua_State *L)
{
    check_job(L);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    Job *job = check_job(L);
    lua_settop(L, 1);
    astarL_pushpart(L, 1, 1, LUA_TUSERDATA);
    if (!job->is_done)
        job->is_done = job->step(L, 2, budget) != ASTAR_RUNNING;
    lua_pushstring(L, status_of_job(job));
    return 1;
}

static void close_job(lua_State *L, void *object)
{
    (void)L;
    ((Job *)object)->step = NULL;
}

// job:close(): lets go of what it works on, which stays as it is
static int job_close(lua_State *L)
{
    close_job(L, astarL_checkobject(L, 1, ASTARL_JOB));
    lua_newtable(L);
    lua_setuservalue(L, 1);
    return 0;
}

// Pushes what it works on, once that is done, else nil.
static void push_result(lua_State *L)
{
    if (check_job(L)->is_done)
        astarL_pushpart(L, 1, 1, LUA_TUSERDATA);
    else
        lua_pushnil(L);
}

static int job_index(lua_State *L)
{
    astarL_checkobject(L, 1, ASTARL_JOB);
    if (lua_type(L, 2) != LUA_TSTRING)
        return astarL_nofield(L);
    if (astarL_pushmethod(L))
        return 1;
    const char *name = lua_tostring(L, 2);
    if (strcmp(name, "status") == 0)
        lua_pushstring(L, status_of_job(check_job(L)));
    else if (strcmp(name, "result") == 0)
        push_result(L);
    else
        astarL_nofield(L);
    return 1;
}

static bool tell_job(lua_State *L, const void *object)
{
    const Job *job = object;
    if (job->step != NULL)
        lua_pushfstring(L, "astar job, %s", status_of_job(job));
    return job->step != NULL;
}

void astarL_openjob(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"close", job_close, 1},
        {"step", job_step, 2},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {ASTARL_JOB, methods, close_job,         tell_job,
                                       job_index,  NULL,    "status\0result\0"};
    astarL_newtype(L, &class);
}
