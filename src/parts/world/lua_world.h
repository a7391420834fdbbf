// lua_world.h -- the Lua objects of worlds, and calls in which the functions 'load' and 'save' of
// the script may run.

#ifndef ASTAR_LUA_WORLD_H
#define ASTAR_LUA_WORLD_H

#include "binding/lua_util.h"

typedef struct astarL_World {
    astarL_Header header;
    AstarWorld *core; // NULL after collection
    int spacing;      // option 'spacing' for finders of this world
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

// A route. 'busy' counts the calls of its functions that are running. If it is closed during such a
// call, it is freed afterwards.
typedef struct astarL_Route {
    astarL_Header header;
    AstarRoute *core; // NULL after collection
    int busy;
    bool is_rough;   // a better route is being searched for while the unit follows this one
    bool is_nearest; // the goal cannot be reached, and the route ends as near to it as possible
} astarL_Route;

// Indices in the uservalue of a world. ASTARL_TO_LINK is a list of links that came with saved
// chunks in the current call. They are added at the end of the call.
enum { ASTARL_PALETTE = 1, ASTARL_LOAD, ASTARL_SAVE, ASTARL_TO_LINK };
// Indices in the uservalue of a world finder.
enum { ASTARL_FINDERS_WORLD = 1, ASTARL_PALETTE_FINDER };
// Index in the uservalue of a search and of a route.
enum { ASTARL_OF_WORLD_FINDER = 1 };

// A call of a method in which chunks may be loaded and saved. It is passed as 'context' to the
// functions that do so.
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
// Calls the script's function 'load' or 'save' for a chunk. 'context' is an astarL_WorldCall.
AstarStatus astarL_ask_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state);
AstarStatus astarL_ask_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains);
// Ends a call whose status is not ASTAR_OK. Raises the error of a script's function, or an error
// for statuses such as ASTAR_BAD_DATA. For all other statuses pushes nil and the reason.
int astarL_failworld(astarL_WorldCall *call, AstarStatus status);
// Calls astarL_failworld if a status is not ASTAR_OK.
void astarL_checkworldstatus(astarL_WorldCall *call, AstarStatus status);
// Ends a call on the world at index 'world'. Adds the links that came with loaded chunks, and
// reports the growth of the world's memory to Lua's garbage collector.
void astarL_endworldcall(astarL_WorldCall *call, int world, bool is_owed);
// Returns the cell of a world at 'arg' and 'arg + 1'.
AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name);

// Reads the cells of a chunk from the value at 'arg'. The grid at 'palette' has the keys of the
// terrains. Error messages begin with 'what'. Returns false if the value is false, which stands for
// a solid chunk.
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
