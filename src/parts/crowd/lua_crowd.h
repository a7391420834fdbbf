// lua_crowd.h -- crowds and their units.
//
// A unit's object holds the crowd by itself, so that it works as long as it is there. The uservalue
// of a crowd and of its units holds the objects of all its units by number + 1, and
// numbers and names of sides: those numbers below 0.

#ifndef ASTAR_LUA_CROWD_H
#define ASTAR_LUA_CROWD_H

#include "binding/lua_util.h"

typedef struct astarL_Crowd {
    astarL_Header header;
    AstarCrowd *core; // NULL once it is collected
    int x0, y0;
    double speed; // beats a second
    size_t bytes; // that the collector knows of
} astarL_Crowd;

typedef struct astarL_Unit {
    astarL_Header header;
    AstarCrowd *core; // retained; NULL once it is collected
    AstarUnit unit;
    int x0, y0;
    double speed; // cells a second
} astarL_Unit;

// crowd:go whose options tell a shape, or that units go together; all is checked but those.
int astarL_go_in_formation(lua_State *L, int count);
int astarL_crowd_resolving(lua_State *L);
int astarL_crowd_dump(lua_State *L);
int astarL_load_crowd(lua_State *L);
void astarL_chargecrowd(lua_State *L, astarL_Crowd *crowd, bool is_owed);
void astarL_checkcrowdfinder(lua_State *L, const astarL_Finder *finder);
#endif
