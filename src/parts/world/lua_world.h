// lua_world.h -- the Lua objects of worlds, and calls in which the functions 'load' and 'save' of
// the script may run.

#ifndef ASTAR_LUA_WORLD_H
#define ASTAR_LUA_WORLD_H

#include "binding/lua_util.h"

typedef struct astarL_World {
    astarL_Header header;
    AstarWorld *core; // NULL after collection
    int spacing;      // option of its finders
    size_t bytes;     // memory reported to the garbage collector
} astarL_World;

typedef struct astarL_WorldFinder {
    astarL_Header header;
    AstarWorldFinder *core; // NULL after collection
} astarL_WorldFinder;

// A search for a route. 'busy' counts the calls of its functions that are running. If it is closed
// during such a call, it is freed afterwards.
typedef struct astarL_RouteSearch {
    astarL_Job job;
    int busy;
} astarL_RouteSearch;

// A route. 'busy' works as in astarL_RouteSearch.
typedef struct astarL_Route {
    astarL_Header header;
    AstarRoute *core; // NULL after collection
    int busy;
    bool is_rough;   // a better route is being searched for while the unit follows this one
    bool is_nearest; // the goal cannot be reached, and the route ends as near to it as possible
} astarL_Route;

// Parts of a world's uservalue. ASTARL_TO_LINK holds the links of saved chunks that were loaded in
// the current call. They are added at its end.
enum { ASTARL_PALETTE = 1, ASTARL_LOAD, ASTARL_SAVE, ASTARL_TO_LINK };
// Parts of the uservalue of a world finder.
enum { ASTARL_FINDERS_WORLD = 1, ASTARL_PALETTE_FINDER };
enum { ASTARL_OF_WORLD_FINDER = 1 }; // part of the uservalue of a search and of a route

// A call in which chunks may be loaded and saved. It is the context of those functions.
typedef struct astarL_WorldCall {
    lua_State *L;
    AstarWorld *core;
    int parts;   // stack index of the world's uservalue; the values after it belong to the call
    bool failed; // a function of the script raised the error at parts + 1
} astarL_WorldCall;

#define astarL_checkworld(L, arg) ((astarL_World *)astarL_checkopen(L, arg, ASTARL_WORLD))
#define astarL_checkworldfinder(L, arg)                                                            \
    ((astarL_WorldFinder *)astarL_checkopen(L, arg, ASTARL_WORLD_FINDER))
// Begins a call on the world at 'arg'. The values that it needs stay on the stack.
void astarL_beginworldcall(lua_State *L, astarL_WorldCall *call, int arg);
// Implement loading and saving for the core. 'context' is an astarL_WorldCall.
AstarStatus astarL_ask_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state);
AstarStatus astarL_ask_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains);
// Raises an error that a function of the script raised in the call, or an error for a fault. For
// other statuses pushes nil and the reason.
int astarL_failworld(astarL_WorldCall *call, AstarStatus status);
// Does nothing for ASTAR_OK, and otherwise calls astarL_failworld.
void astarL_checkworldstatus(astarL_WorldCall *call, AstarStatus status);
// Ends a call on the world at index 'world': adds the links of loaded chunks, and reports the
// growth of the world's memory to the garbage collector.
void astarL_endworldcall(astarL_WorldCall *call, int world, bool is_owed);
// Returns the cell of a world at 'arg' and 'arg + 1'.
AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name);

// Reads the cells of a chunk from the value at 'arg', with the terrain keys of the grid at
// 'palette'. Error messages begin with 'what'. Returns false if the value is false, for a solid
// chunk.
bool astarL_readchunk(lua_State *L, int arg, int palette, const char *what,
                      uint8_t cells[ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE]);
// Returns true if the value at 'arg' is a chunk that world:save returned.
bool astarL_issaved(lua_State *L, int arg);
// Pushes the keys of cells as a list.
void astarL_pushchunk(lua_State *L, int palette, const uint8_t *cells);

// Begins a call on the world of the finder at 'arg', which is retained. Returns the stack index of
// the world.
int astarL_beginfindercall(lua_State *L, astarL_WorldCall *call, int arg);
#endif
