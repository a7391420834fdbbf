// lua_world.h -- worlds in Lua, their finders and routes.

#ifndef ASTAR_LUA_WORLD_H
#define ASTAR_LUA_WORLD_H

#include "binding/lua_util.h"

typedef struct astarL_World {
    astarL_Header header;
    AstarWorld *core; // NULL once it is collected
    int spacing;      // of its finders
    size_t bytes;     // that the collector knows of
} astarL_World;

typedef struct astarL_WorldFinder {
    astarL_Header header;
    AstarWorldFinder *core; // NULL once it is collected
} astarL_WorldFinder;

// A search for a route, or a route. What is closed while its functions run is freed after: 'busy'
// counts the calls in the middle of which it is.
typedef struct astarL_RouteSearch {
    astarL_Job job;
    int busy;
} astarL_RouteSearch;

typedef struct astarL_Route {
    astarL_Header header;
    AstarRoute *core; // NULL once collected
    int busy;
    bool is_rough;   // a better one is looked for while it is walked
    bool is_nearest; // no way leads to its goal, as near to it as any
} astarL_Route;

// A world's uservalue.
// What is to be linked comes with saved chunks, while they are loaded.
enum { ASTARL_PALETTE = 1, ASTARL_LOAD, ASTARL_SAVE, ASTARL_TO_LINK };
// A world finder's: the world, and a finder of the palette; a search's and a route's: that finder.
enum { ASTARL_FINDERS_WORLD = 1, ASTARL_PALETTE_FINDER };
enum { ASTARL_OF_WORLD_FINDER = 1 };

// A call that may have chunks loaded and saved: the context of those functions.
typedef struct astarL_WorldCall {
    lua_State *L;
    AstarWorld *core;
    int parts;   // where the world's uservalue stands, and behind it what follows
    bool failed; // a function of the script's raised what stands at parts + 1
} astarL_WorldCall;

#define astarL_checkworld(L, arg) ((astarL_World *)astarL_checkopen(L, arg, ASTARL_WORLD))
#define astarL_checkworldfinder(L, arg)                                                            \
    ((astarL_WorldFinder *)astarL_checkopen(L, arg, ASTARL_WORLD_FINDER))
// Begins a call on the world at 'arg'; what it needs is left on the stack.
void astarL_beginworldcall(lua_State *L, astarL_WorldCall *call, int arg);
// The core's functions for chunks; their context is such a call.
AstarStatus astarL_ask_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state);
AstarStatus astarL_ask_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains);
// Raises what the script's functions raised in it, and faults; the others push nil and the reason.
int astarL_failworld(astarL_WorldCall *call, AstarStatus status);
// The same where only faults are no success.
void astarL_checkworldstatus(astarL_WorldCall *call, AstarStatus status);
// Ends it, on the world at 'world': makes the links that have come with chunks, and tells the
// collector how far the world's memory has grown.
void astarL_endworldcall(astarL_WorldCall *call, int world, bool is_owed);
// A cell of a world at 'arg' and 'arg + 1'.
AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name);

// Reads a chunk's cells from the value at 'arg', for the palette at 'palette'; 'what' says whose it
// is in errors. False: it is solid.
bool astarL_readchunk(lua_State *L, int arg, int palette, const char *what,
                      uint8_t cells[ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE]);
// Whether the value at 'arg' is a chunk that world:save made.
bool astarL_issaved(lua_State *L, int arg);
// Pushes the keys of cells as a list.
void astarL_pushchunk(lua_State *L, int palette, const uint8_t *cells);

// Begins a call on the world of the finder at 'arg', which stays; the world's place on the stack.
int astarL_beginfindercall(lua_State *L, astarL_WorldCall *call, int arg);
#endif
