// lua_job.h -- jobs: what takes longer than a frame, made in slices by one protocol.
//
// Every job has step, status and close. A search is one of a type of its own, for there is more to
// be asked of it; whatever else comes in slices is an object with a function that makes one.

#ifndef ASTAR_LUA_JOB_H
#define ASTAR_LUA_JOB_H

#include "binding/lua_util.h"

// How much to do at once.
typedef struct astarL_Budget {
    uint64_t expansions;
    double seconds; // INFINITY: no matter how long
} astarL_Budget;

// Reads the budget at 'arg': a number of expansions, 1 where there is nothing, or {ms =,
// expansions =}. Of milliseconds a part goes into what steps before have left to do: to the
// collector, whose finalizers may close what was open, and to leftovers.
astarL_Budget astarL_checkbudget(lua_State *L, int arg);
// Whether the clock tells how far a step goes: what it takes is then owed to the collector.
bool astarL_isbyclock(astarL_Budget budget);

// Does a piece of the work: ASTAR_RUNNING while there is more.
typedef AstarStatus (*astarL_Slice)(void *work, uint64_t expansions, void *context);
// Does pieces until the budget is used up or nothing is left.
AstarStatus astarL_runslices(astarL_Budget budget, astarL_Slice slice, void *work, void *context);

// ---- leftovers ----

// Frees a baking, or has it wait to be freed by steps to come.
void astarL_freebaked(lua_State *L, AstarBaked *baked);
// Goes on with that.
void astarL_clearleftovers(lua_State *L, astarL_Budget budget);
// Frees at once what waits.
void astarL_freeleftovers(lua_State *L);
void astarL_openleftovers(lua_State *L);

// ---- jobs ----

// A kind of job: steps it, the object it works on at 'owner'; raises its faults.
typedef AstarStatus (*astarL_JobStep)(lua_State *L, int owner, astarL_Budget budget);
// Pushes what the job at 'arg' works on; false, and nothing, where that is no job of a kind, or
// closed.
bool astarL_pushjobowner(lua_State *L, int arg, astarL_JobStep step);
bool astarL_isclosedjob(lua_State *L, int arg);
// The flow that the job at 'arg' is to complete, if workers could; else NULL.
AstarFlow *astarL_tocompleting(lua_State *L, int arg);
// What the job at 'arg' is to bake, if workers could; else NULL.
AstarBaked *astarL_tobaking(lua_State *L, int arg);
// Pushes a job that works on the object at 'owner', and is "done" in the end.
void astarL_pushjob(lua_State *L, int owner, astarL_JobStep step);

#endif
