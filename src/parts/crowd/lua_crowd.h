// lua_crowd.h -- the Lua objects of crowds and their units.
//
// The object of a unit retains the crowd, so that the object stays valid as long as it exists. A
// crowd and its units share one table as their uservalue. The table holds the objects of all units,
// indexed by unit number + 1. The table also contains the sides: their numbers, indexed by name,
// and their names, indexed by the negated number.

#ifndef ASTAR_LUA_CROWD_H
#define ASTAR_LUA_CROWD_H

#include "binding/lua_util.h"

typedef struct astarL_Crowd {
    astarL_Header header;
    AstarCrowd *core; // NULL after garbage collection
    int x0, y0;
    double speed; // number of ticks per second
    size_t bytes; // number of bytes reported to Lua's garbage collector
} astarL_Crowd;

typedef struct astarL_Unit {
    astarL_Header header;
    AstarCrowd *core; // the crowd of the unit, retained; NULL after garbage collection
    AstarUnit unit;
    int x0, y0;
    double speed; // speed of the unit in cells per second
} astarL_Unit;

// Implements crowd:go if the options contain 'shape', 'facing', 'gap' or 'together'. All other
// arguments must have been checked.
int astarL_go_in_formation(lua_State *L, int count);
int astarL_crowd_resolving(lua_State *L);
int astarL_crowd_dump(lua_State *L);
int astarL_load_crowd(lua_State *L);
void astarL_accountcrowd(lua_State *L, astarL_Crowd *crowd, bool is_owed);
void astarL_checkcrowdfinder(lua_State *L, const astarL_Finder *finder);
#endif
