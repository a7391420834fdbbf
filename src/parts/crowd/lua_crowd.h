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

// The crowd at 1, which is not closed, and the last of its grid.
astarL_Crowd *astarL_checkcrowd(lua_State *L);
// How many entries the list of units at 2 has.
size_t astarL_checkunits(lua_State *L);
// A unit in the list at 2, of that crowd.
const astarL_Unit *astarL_checklistedunit(lua_State *L, const astarL_Crowd *crowd, int index);
// The options {partial =, range =} at 'arg', of many units with those of their formation.
AstarGoOptions astarL_readgo(lua_State *L, int arg, bool are_many);
// Pushes the object of a unit, the parts of whose crowd are on the top.
void astarL_pushunit(lua_State *L, AstarUnit unit);
// crowd:go whose options tell a shape, or that units go together; all is checked but those.
int astarL_go_in_formation(lua_State *L, int count);
int astarL_crowd_resolving(lua_State *L);
int astarL_crowd_dump(lua_State *L);
int astarL_load_crowd(lua_State *L);
void astarL_chargecrowd(lua_State *L, astarL_Crowd *crowd, bool is_owed);
void astarL_checkcrowdfinder(lua_State *L, const astarL_Finder *finder);
// The grid of a crowd's finders.
const AstarGrid *astarL_gridofcrowd(const AstarCrowd *core);

#endif
