// lua_world.h -- the Lua objects of worlds, and the calls in which the script's functions 'load'
// and 'save' may run.

#ifndef ASTAR_LUA_WORLD_H
#define ASTAR_LUA_WORLD_H

#include "binding/lua_util.h"

typedef struct astarL_World {
    astarL_Header header;
    AstarWorld *core; // NULL after garbage collection
    int spacing;      // value of the option 'spacing' for finders of this world
    size_t bytes;     // number of bytes reported to Lua's garbage collector
} astarL_World;

typedef struct astarL_WorldFinder {
    astarL_Header header;
    AstarWorldFinder *core; // NULL after garbage collection
} astarL_WorldFinder;

// A search for a route over a world. 'busy' is the number of its methods that are running. If the
// search is closed while a method runs, it is freed when the method ends.
typedef struct astarL_RouteSearch {
    astarL_Job job;
    int busy;
} astarL_RouteSearch;

// A route over a world. 'busy' is the number of its methods that are running. If the route is
// closed while a method runs, it is freed when the method ends.
typedef struct astarL_Route {
    astarL_Header header;
    AstarRoute *core; // NULL after garbage collection
    int busy;
    bool is_rough; // true if a better route is being searched for while the unit follows this one
    // True if the goal cannot be reached and the route ends as near to the goal as possible.
    bool is_nearest;
} astarL_Route;

// Indices in the uservalue table of a world. The entry ASTARL_TO_LINK is a list of the links that
// came with saved chunks in the current call. These links are added at the end of the call.
enum { ASTARL_PALETTE = 1, ASTARL_LOAD, ASTARL_SAVE, ASTARL_TO_LINK };
// Indices in the uservalue table of a world finder.
enum { ASTARL_FINDERS_WORLD = 1, ASTARL_PALETTE_FINDER };
// Index in the uservalue table of a search or route.
enum { ASTARL_OF_WORLD_FINDER = 1 };

// The state of a method call in which chunks may be loaded and saved. This state is passed as
// 'context' to the functions that load and save chunks.
typedef struct astarL_WorldCall {
    lua_State *L;
    AstarWorld *core;
    int parts; // stack index of the world's uservalue; the stack values after it belong to the call
    // True if a function of the script has raised an error, which is at stack index parts + 1.
    bool failed;
} astarL_WorldCall;

#define astarL_checkworld(L, arg) ((astarL_World *)astarL_checkopen(L, arg, ASTARL_WORLD))
#define astarL_checkworldfinder(L, arg)                                                            \
    ((astarL_WorldFinder *)astarL_checkopen(L, arg, ASTARL_WORLD_FINDER))
// Begins a method call on the world at 'arg'. The stack values that the call needs stay on the
// stack.
void astarL_beginworldcall(lua_State *L, astarL_WorldCall *call, int arg);
// Calls the script's function 'load' for a chunk. astarL_call_save calls its function 'save'.
// 'context' is an astarL_WorldCall.
AstarStatus astarL_call_load(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                             AstarChunkState *state);
AstarStatus astarL_call_save(void *context, int32_t cx, int32_t cy, const uint8_t *terrains);
// Ends a call that has failed with the given status. If a function of the script has raised an
// error, raises it again. Raises an error as well for statuses such as ASTAR_BAD_DATA. For all
// other statuses pushes nil and the reason.
int astarL_failworld(astarL_WorldCall *call, AstarStatus status);
// Calls astarL_failworld if 'status' is not ASTAR_OK.
void astarL_checkworldstatus(astarL_WorldCall *call, AstarStatus status);
// Ends a method call on the world at index 'world'. Adds the links that came with loaded chunks.
// Reports the growth of the world's memory to Lua's garbage collector.
void astarL_endworldcall(astarL_WorldCall *call, int world, bool is_owed);
// Returns the cell of a world whose coordinates are at 'arg' and 'arg + 1'.
AstarCell astarL_checkworldcell(lua_State *L, int arg, const char *x_name, const char *y_name);

// Reads the cells of a chunk from the value at 'arg' into 'cells'. The grid at 'palette' has the
// keys of the terrains. Error messages begin with 'what'. Returns false if the value is false,
// which means that the whole chunk is solid.
bool astarL_readchunk(lua_State *L, int arg, int palette, const char *what,
                      uint8_t cells[ASTAR_CHUNK_SIDE * ASTAR_CHUNK_SIDE]);
// Returns true if the value at 'arg' is a string that world:save has returned for a chunk.
bool astarL_issaved(lua_State *L, int arg);
// Pushes the keys of the cells of a chunk as a list.
void astarL_pushchunk(lua_State *L, int palette, const uint8_t *cells);

// Begins a method call on the world of the finder at 'arg'. The world is retained during the call.
// Returns the stack index of the world.
int astarL_beginfindercall(lua_State *L, astarL_WorldCall *call, int arg);
#endif
