// lua_job.h -- jobs: what takes longer than a frame, made in slices by one protocol.
//
// Every job has step, status and close: searches of grids, graphs and worlds, plans for crowds, and
// an "astar job" of whatever else comes in slices. What is their own is a table, astarL_JobKind.

#ifndef ASTAR_LUA_JOB_H
#define ASTAR_LUA_JOB_H

#include "binding/lua_clock.h"
#include "binding/lua_util.h"

// Reads the budget at 'arg': a number of expansions, 1 where there is nothing, or {ms =,
// expansions =}. Of milliseconds a part goes into what steps before have left to do: to the
// collector, whose finalizers may close what was open, and to leftovers.
astarL_Budget astarL_checkbudget(lua_State *L, int arg);

// ---- leftovers ----

// Frees a baking, or has it wait to be freed by steps to come.
void astarL_freebaked(lua_State *L, AstarBaked *baked);
// Goes on with that.
void astarL_clearleftovers(lua_State *L, astarL_Budget budget);
// Frees at once what waits.
void astarL_freeleftovers(lua_State *L);
void astarL_openleftovers(lua_State *L);

// ---- jobs ----

typedef struct astarL_JobKind {
    astarL_Type type;
    // What its core is; NULL: none, it works on what its owner holds.
    const AstarJobKind *core;
    // Steps the job at 1, with nothing else on the stack. A lack of memory is raised by who calls
    // it, and of what an owner holds every other fault.
    AstarStatus (*step)(lua_State *L, astarL_Job *job, astarL_Budget budget);
    const char *done;    // what a success is called
    const char *changed; // and where what it is of was edited; NULL: as astar_status_text has it
    // Closes its core, where more is to be done for that; NULL: as AstarJobKind does.
    void (*close)(lua_State *L, astarL_Job *job, void *core);
} astarL_JobKind;

// Where a job's owner stands in its uservalue.
enum { ASTARL_JOB_OWNER = 1 };
// Pushes a job without a core yet that belongs to the object at 'owner'; 0: its uservalue is to
// come.
void *astarL_newjob(lua_State *L, const astarL_JobKind *kind, size_t size, int owner);
// Pushes an "astar job" on what the object at 'owner' holds.
void astarL_pushjob(lua_State *L, int owner, const astarL_JobKind *kind);
// Pushes the owner of the "astar job" at 'arg'; false, and nothing, where that is no job of a kind,
// or closed.
bool astarL_pushjobowner(lua_State *L, int arg, const astarL_JobKind *kind);
bool astarL_isclosedjob(lua_State *L, int arg);
// What a status is called.
const char *astarL_jobstatus(const astarL_Job *job, AstarStatus status);
// Tells the collector how far its memory has grown.
void astarL_chargejob(lua_State *L, astarL_Job *job, bool is_owed);
// job:step([n | {ms =, expansions =}]) --> "running" | what a success is called | reason
int astarL_job_step(lua_State *L);
// job:close(): gives its memory back at once
int astarL_job_close(lua_State *L);
// For their classes: what closes them, and the fields status and expanded.
void astarL_closejob(lua_State *L, void *object);
void astarL_pushjobfield(lua_State *L, const void *object, const char *name);

// What the job at 'arg' is to bake, if workers could; else NULL.
AstarBaked *astarL_tobaking(lua_State *L, int arg);

#endif
