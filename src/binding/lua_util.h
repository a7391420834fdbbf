// lua_util.h -- the base of all files of the binding: objects, arguments, errors.
//
// Every function checks its arguments before it changes anything, calls the core once and pushes
// the result. Before any code runs that can raise an error, a userdata owns the memory in use. No
// lua_State is ever stored.

#ifndef ASTAR_LUA_UTIL_H
#define ASTAR_LUA_UTIL_H

#include "astar.h"

#include <lauxlib.h>
#include <lua.h>

// The functions below call the files of lua/astar from C.

// core.set_helper(function(file, ...)): sets the function that calls a file of lua/astar
int astarL_set_helper(lua_State *L);
// Pushes the helper function and the name of the file. The file's arguments must be pushed next.
// Pushes nil in place of the function if no file of lua/astar is loaded. The name is that of
// `require`: "world.chunk" is lua/astar/world/chunk.lua.
void astarL_pushhelper(lua_State *L, const char *file);
// Calls the function 'name' of a file with all values on the stack as arguments, and returns the
// number of results that it pushed. Raises an error if the function returned false and a message.
int astarL_askhelper(lua_State *L, const char *file, const char *name);
// Calls the function 'name' of a file with the top 'given' values of the stack, as astarL_askhelper
// does, and returns the number of results that it pushed.
int astarL_askabout(lua_State *L, const char *file, const char *name, int given);

// Calls the function of a file that has the same name as the running method, after checking that
// the method's object is open.
int astarL_answerby(lua_State *L, const char *file);
// Calls the function of the file places.lua that has the same name as the running method, as
// astarL_answerby does.
int astarL_byplaces(lua_State *L);
// Returns true if the running method is called 'name'. C functions that implement several methods
// call it.
bool astarL_iscalled(lua_State *L, const char *name);

// Raises the error that the function 'check' of checks.lua finds in the top 'given' values of the
// stack.
_Noreturn int astarL_complain(lua_State *L, const char *check, int given);

// Appends a name to the list on the top of the stack.
void astarL_addname(lua_State *L, const char *name);
// Pushes a list of names. The names are given as one string in which each name ends with a zero
// byte, and "" comes last: an array of pointers would need relocations when the library is loaded.
void astarL_pushnames(lua_State *L, const char *names);
// Returns true if the value at 'arg' is the string 'name'. The strings are compared over their
// whole length, because a string of Lua may contain zeros.
bool astarL_isname(lua_State *L, int arg, const char *name);
// Returns the position in 'names' of the name at 'arg'. Returns -1 if the value is none of the
// names or 'names' is NULL.
int astarL_nameamong(lua_State *L, int arg, const char *names);

// The declarations below are about errors, types, arguments and objects.

// These functions of Lua never return, but Lua's headers do not declare them as _Noreturn. With the
// declaration the compiler emits only the call for an error and no code behind it.
_Noreturn LUALIB_API int luaL_error(lua_State *L, const char *format, ...);
_Noreturn LUA_API int lua_error(lua_State *L);

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
#define lua_setuservalue lua_setfenv
#define lua_getuservalue lua_getfenv
#define lua_rawgetp(L, table, key) (lua_pushlightuserdata(L, (void *)(key)), lua_rawget(L, table))
#endif

// objects

typedef enum astarL_Type {
    ASTARL_JOB, // the jobs come first: job_type in lua_job.c relies on it
    ASTARL_SEARCH,
    ASTARL_GRAPH_SEARCH,
    ASTARL_ROUTE_SEARCH,
    ASTARL_RESOLVING,
    ASTARL_GRID,
    ASTARL_FINDER,
    ASTARL_PATH,
    ASTARL_FIELD,
    ASTARL_QUERY, // owner of a running search; never seen by scripts
    ASTARL_FLOW,
    ASTARL_BAKED,
    ASTARL_WORKSPACE, // workspace of the Lua state; never seen by scripts
    ASTARL_GRAPH,
    ASTARL_GRAPH_FINDER,
    ASTARL_GRAPH_PATH,
    ASTARL_GRAPH_REACH,
    ASTARL_CROWD,
    ASTARL_UNIT,
    ASTARL_WORLD,
    ASTARL_WORLD_FINDER,
    ASTARL_ROUTE,
    ASTARL_WORKERS,
    ASTARL_BATCH,          // batch of queries for workers; never seen by scripts
    ASTARL_DEFERRED_FREES, // deferred free of the Lua state; never seen by scripts
    ASTARL_TYPES
} astarL_Type;

// The first field of every object. Its seal distinguishes the object from other userdata, from
// userdata with a forged metatable and from objects of another build of the module.
typedef struct astarL_Header {
    uintptr_t seal; // value of seal_of in lua_util.c
} astarL_Header;

typedef struct astarL_Grid {
    astarL_Header header;
    AstarGrid *core;                       // NULL once it is collected
    int x0, y0;                            // coordinates of its first cell as scripts count
    uint32_t noted_terrains, noted_labels; // counts at the last publication, see lua_share.c
    size_t noted; // grid of another state: bytes of published names already read
} astarL_Grid;

typedef struct astarL_Finder {
    astarL_Header header;
    AstarFinder *core;
    AstarWorkspace
        *workspace; // the Lua state's, retained here because a lookup in the registry is slow
    int x0, y0;
    bool has_callbacks; // true if any callback is set
} astarL_Finder;

typedef struct astarL_Field {
    astarL_Header header;
    AstarField *core; // NULL once it is collected
    int x0, y0;
} astarL_Field;

typedef struct astarL_Path {
    astarL_Header header;
    AstarFinder *finder; // finder that found the path
    AstarPath core;
    int x0, y0;
    bool has_callbacks;
    bool of_world; // its cells are those of a world, unknown to 'finder'
    // First index, from 1, from which the rest of the path is known to be walkable; 0 if unknown.
    int valid_from;
    uint64_t valid_at;  // grid version for which 'valid_from' holds
    AstarPathArea area; // the part of the map that the path crosses, once an edit was compared
    int step; // index, from 1, of the last step found to be possible, at version 'step_at'
    uint64_t step_at;
    AstarPoint room[6]; // points of short paths
} astarL_Path;

// The first fields of the object of every job. A job is work done in several steps: either its core
// object does the work, or the job works on an object that its owner holds.
typedef struct astarL_Job {
    astarL_Header header;
    void *core; // NULL once closed
    const struct astarL_JobKind *kind;
    AstarStatus status; // result of the last step
    uint32_t turn;      // number of operations on the job, see lua_search.c
    size_t bytes;       // bytes charged to the garbage collector so far
} astarL_Job;

// A search in steps. Its uservalue holds three values: the finder, or the path to repair; the path
// found; the function that tests for goals.
enum { ASTARL_SEARCH_FINDER = 1, ASTARL_SEARCH_PATH, ASTARL_SEARCH_TEST };
typedef struct astarL_Search {
    astarL_Job job;
    int x0, y0;
    bool has_callbacks;
    bool tests;     // a function tests for goals
    bool has_index; // true if path() also returns the index of the goal reached
} astarL_Search;

// A flow field. Its uservalue is that of its finder.
typedef struct astarL_Flow {
    astarL_Header header;
    AstarFlow *core; // NULL once it is collected
    int x0, y0;
    bool has_callbacks;
    uint32_t turn; // changes when the flow is closed; the core itself handles nested calls
    size_t bytes;  // bytes charged to the garbage collector so far
} astarL_Flow;

// Indices into a grid's uservalue. The values are: keys by terrain + 1, terrains by key, the finder
// that grid:find_path uses, labels of links by number, numbers by label, and for a grid of another
// state a second reference to that grid.
enum {
    ASTARL_KEYS = 1,
    ASTARL_TERRAINS,
    ASTARL_OWN_FINDER,
    ASTARL_LABELS,
    ASTARL_LABEL_NUMBERS,
    ASTARL_HOLD
};
// Indices into the uservalue of a finder, and of a path, which shares that of its finder.
enum {
    ASTARL_OF_GRID = 1,
    ASTARL_COST,
    ASTARL_STEP_COST,
    ASTARL_ESTIMATE,
    ASTARL_OF_KEYS,
    ASTARL_OF_LABELS,
    ASTARL_GIVEN // options as the script passed them
};

// The description of a function that scripts call. If a call has too many arguments, those that are
// nil are dropped, and any other one raises an error before the function runs.
typedef struct astarL_Function {
    char name[22]; // no pointer, which would need a relocation; "" at the end of a list
    int16_t most;  // largest number of arguments, the object of a method included
    lua_CFunction call;
} astarL_Function;

// Value of 'most' for a function that checks its number of arguments itself.
enum { ASTARL_COUNTS = 1000 };

// Puts functions into the table on the top of the stack: methods of a type or, if 'type' is
// ASTARL_TYPES, plain functions.
void astarL_setfunctions(lua_State *L, const astarL_Function *functions, astarL_Type type);
// Raises an error for any non-nil argument after index 'most'. Used if a function is called in a
// form that takes fewer arguments than its other forms.
void astarL_nomore(lua_State *L, int most, const char *name, bool is_method);

// The description of a type of objects.
typedef struct astarL_Class {
    astarL_Type type;
    const astarL_Function *methods; // NULL if there are none
    // Releases the resource that an object owns. The pointer to the resource is the first field
    // after the header, and is NULL only in a closed object. The function is NULL if there is
    // nothing to release.
    void (*release)(void *owned);
    // Closes an object. NULL if calling 'release' suffices.
    void (*close)(lua_State *L, void *object);
    // Pushes the text that tostring returns for an open object. NULL if tell.lua makes the text.
    void (*tell)(lua_State *L, const void *object);
    // Pushes the value of a field of an open object, or nothing if there is no such field. NULL if
    // the type has only methods.
    void (*field)(lua_State *L, const void *object, const char *name);
    const char
        *fields; // names that 'field' knows, each ended by its 0, "" last; NULL if there are none
    // Return the number of items of an object, and push one of the items, counted from 1. Both
    // functions are NULL if the type has neither length nor items.
    int (*count)(const void *object);
    void (*item)(lua_State *L, const void *object, int index);
} astarL_Class;

// Defines a function that releases the resource of an object by calling 'of_core', a function of
// the core.
#define ASTARL_RELEASE(name, of_core)                                                              \
    static void name(void *owned)                                                                  \
    {                                                                                              \
        of_core(owned);                                                                            \
    }
// Defines a method that returns an integer of the core object, such as its size in bytes.
#define ASTARL_TELLS(name, check, of_core)                                                         \
    static int name(lua_State *L)                                                                  \
    {                                                                                              \
        lua_pushinteger(L, (lua_Integer)of_core(check(L, 1)->core));                               \
        return 1;                                                                                  \
    }
// Creates the metatables of the listed types and puts them into the registry, unless the state has
// them already. NULL ends the list.
void astarL_newtypes(lua_State *L, const astarL_Class *const *classes);
// Pushes a new object of a type. All bytes after its header are zero.
void *astarL_newobject(lua_State *L, astarL_Type type, size_t size);
// Makes a table the uservalue of the object at 'self'. The table holds the values at the 'count'
// stack indices in 'places'.
void astarL_setparts(lua_State *L, int self, const int *places, int count);
// Push the table that is an object's uservalue, or one of the values in that table, which must be
// of the Lua type 'type'. Both functions raise an error if debug.setuservalue (before Lua 5.2
// debug.setfenv) has replaced the table or the value.
void astarL_pushparts(lua_State *L, int arg);
void astarL_pushpart(lua_State *L, int arg, int part, int type);
// Return the object at 'arg'. If the value is of another type, astarL_testobject returns NULL and
// astarL_checkobject raises an error.
void *astarL_testobject(lua_State *L, int arg, astarL_Type type);
void *astarL_checkobject(lua_State *L, int arg, astarL_Type type);
// Returns the object at 'arg'. Raises an error if the value is of another type or the object is
// closed.
void *astarL_checkopen(lua_State *L, int arg, astarL_Type type);
#define astarL_checkgrid(L, arg) ((astarL_Grid *)astarL_checkopen(L, arg, ASTARL_GRID))
#define astarL_checkfinder(L, arg) ((astarL_Finder *)astarL_checkopen(L, arg, ASTARL_FINDER))
#define astarL_checkpath(L, arg) ((astarL_Path *)astarL_checkopen(L, arg, ASTARL_PATH))
#define astarL_checksearch(L, arg) ((astarL_Search *)astarL_checkopen(L, arg, ASTARL_SEARCH))
#define astarL_checkfield(L, arg) ((astarL_Field *)astarL_checkopen(L, arg, ASTARL_FIELD))
#define astarL_checkflow(L, arg) ((astarL_Flow *)astarL_checkopen(L, arg, ASTARL_FLOW))

// Return and set the position of an iterator, a number that is its second upvalue. The position is
// 0 at the beginning. If debug.setupvalue has replaced it, 0 is returned.
uint64_t astarL_cursor(lua_State *L);
void astarL_setcursor(lua_State *L, uint64_t cursor);

// Pushes an iterator function over the stack values 1 to 'kept'. The first value becomes the
// iterator's first upvalue, the position becomes the second, and the other values follow.
int astarL_iterate(lua_State *L, lua_CFunction next, int kept);

// The cells of a map in the coordinates of scripts: the first cell, and the width and height.
typedef struct astarL_Area {
    int x0, y0, width, height;
} astarL_Area;

astarL_Area astarL_areaof(const astarL_Finder *finder);

// Raises an error if 'held' has become NULL.
//
// Any allocation in Lua may run a finalizer, and a finalizer may close or edit any object.
// Allocations are made by lua_newuserdata, lua_createtable, lua_pushstring and thus every option
// that is read by its name, a call of a file of Lua, and a charge to the collector. A core object
// that was checked before an allocation must therefore be checked again after it, and once more as
// the last thing before the core is called. Memory that the core owns is copied, or retained,
// before it is pushed. spec/support/closing.lua tests each such place.
void astarL_checkheld(lua_State *L, const void *held);

// arguments

// The largest number up to which every version of Lua represents each integer exactly.
#define ASTARL_MOST_WHOLE ((lua_Number)9007199254740992.0)

// Pushes and returns the description of an argument for an error message: 1.5, nan, "text", nil, a
// table, astar grid, ...
const char *astarL_describe(lua_State *L, int arg);
// Raises an error. Its message is the text 'what', followed by a description of the value at 'arg'.
_Noreturn int astarL_badvalue(lua_State *L, int arg, const char *what);
// Pushes a number as error messages show it, and returns the pushed text.
const char *astarL_pushnumber(lua_State *L, lua_Number number);
// Return the number at 'arg'. Raise an error unless the number lies between 'least' and 'most'.
// astarL_checkint and astarL_checkwhole also raise an error if it is not a whole number.
int astarL_checkint(lua_State *L, int arg, int least, int most, const char *name);
lua_Number astarL_checkwhole(lua_State *L, int arg, lua_Number least, lua_Number most,
                             const char *name);
lua_Number astarL_checkreal(lua_State *L, int arg, lua_Number least, lua_Number most,
                            const char *name);
// Reads a cell's coordinates at 'arg' and 'arg' + 1 and converts them to coordinates of the core.
// Raises an error if the cell lies outside the grid.
void astarL_checkcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                      const char *x_name, const char *y_name, int *x, int *y);
// Reads a cell's coordinates at 'arg' and 'arg' + 1, two whole numbers. Returns false if the cell
// lies outside the grid.
bool astarL_findcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0, int *x, int *y);
// Two cells, as astarL_checkends reads them from the indices 'arg' to 'arg' + 3. Error messages
// call the coordinates sx, sy, gx, gy if 'of_route' is true, and x0, y0, x1, y1 otherwise.
typedef struct astarL_Ends {
    int x0, y0, x1, y1;
} astarL_Ends;

astarL_Ends astarL_checkends(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                             bool of_route);
// Reads two cells of a finder's grid as astarL_checkends does. Raises an error if a finalizer has
// closed the finder meanwhile.
astarL_Ends astarL_checkfinderends(lua_State *L, int arg, const astarL_Finder *finder,
                                   bool of_route);
#define astarL_checkquery(L, arg, finder) astarL_checkfinderends(L, arg, finder, true)
// Reads a terrain's cost at 'arg': a number in the allowed range. Returns INFINITY for math.huge or
// false.
double astarL_checkcost(lua_State *L, int arg, const char *name);
// The name of a goal, or of a similar value, for error messages: a word, and its position in its
// list, counted from 1. The position is 0 for a single goal.
typedef struct astarL_Nth {
    const char *word; // name of a single one in error messages
    size_t number;
} astarL_Nth;

// Reads the coordinates of a map's first cell at 'arg' and 'arg' + 1.
AstarCell astarL_checkorigin(lua_State *L, int arg);
// Sets the field 'name' of the table on the top of the stack to an integer.
void astarL_setinteger(lua_State *L, const char *name, lua_Integer value);
// Pushes a copy of the table at 'table', read by raw access. The index 'table' must not be
// relative.
void astarL_pushcopy(lua_State *L, int table);
// Pushes the coordinates of a cell, converted to the coordinates of scripts. Returns 2, the number
// of values pushed.
static inline int astarL_pushcell(lua_State *L, int x, int y, int x0, int y0)
{
    lua_pushinteger(L, x + x0);
    lua_pushinteger(L, y + y0);
    return 2;
}
// Pushes a table {x =, y =} with the coordinates of a cell, converted to the coordinates of
// scripts.
void astarL_pushpoint(lua_State *L, int x, int y, int x0, int y0);
// Stores the option 'name' of the table at 'options' in the table at 'parts', at the index 'part'.
// The option must be a function. Returns true if it is given.
bool astarL_keepfunction(lua_State *L, int options, const char *name, int parts, int part);
// Pushes the value of the field 'name' of the table at 'table', read by raw access. Pushes nil if
// there is no table. Returns the type of the value.
int astarL_rawfield(lua_State *L, int table, const char *name);

// outcomes

// Calls the function that lies below the top 'arguments' values and leaves its first result.
// Returns false, and leaves nil, if the function returned no value at all.
static inline bool astarL_callforone(lua_State *L, int arguments)
{
    int below = lua_gettop(L) - arguments - 1;
    lua_call(L, arguments, LUA_MULTRET);
    int top = lua_gettop(L);
    if (top != below + 1)
        lua_settop(L, below + 1);
    return top > below;
}
// Raises "not enough memory", as Lua itself does.
_Noreturn int astarL_nomemory(lua_State *L);
// Makes room for 'slots' values on the stack. Lua's own limits stop a script before its stack gets
// too long, so a failure here means that memory has run out.
void astarL_checkstack(lua_State *L, int slots);
// Pushes nil and a reason. Returns 2, the number of values pushed.
int astarL_refuse(lua_State *L, const char *reason);
// Pushes nil and the text of a status, or raises an error if the status is a fault. Returns the
// number of values pushed.
int astarL_fail(lua_State *L, AstarStatus status);
// A function that saves an object into at most 'room' bytes and returns the number of bytes that
// the object needs. Bytes that do not fit are dropped.
typedef size_t astarL_Save(lua_State *L, void *bytes, size_t room);
// Pushes a saved object as a string. Saves the object again if a finalizer has edited it while the
// buffer was allocated.
void astarL_pushsaved(lua_State *L, astarL_Save *save);

// The declarations below list the parts of the module and the functions of each part.

extern const astarL_Class astarL_gridclass, astarL_finderclass, astarL_pathclass, astarL_fieldclass,
    astarL_queryclass, astarL_searchclass, astarL_flowclass, astarL_jobclass, astarL_bakedclass,
    astarL_workspaceclass, astarL_graphclass, astarL_graphfinderclass, astarL_graphpathclass,
    astarL_graphsearchclass, astarL_graphreachclass, astarL_crowdclass, astarL_unitclass,
    astarL_resolvingclass, astarL_worldclass, astarL_worldfinderclass, astarL_routesearchclass,
    astarL_routeclass, astarL_workersclass, astarL_batchclass, astarL_leftoversclass;
// A function that opens a part of the module: it registers the part's types and adds the part's
// functions to the module on the top of the stack. The build may leave out most parts.
typedef void astarL_Opening(lua_State *L);
extern astarL_Opening astarL_openbaking, astarL_opengcaccount, astarL_opencrowd, astarL_opendepth,
    astarL_opentactics, astarL_opengraph, astarL_opendeferredfrees, astarL_openpathcells,
    astarL_openquery, astarL_openworkers, astarL_openworld;
// The functions that scripts or files of Lua call, listed by the file that defines them: functions
// of the module, and methods of grids, fields and finders.
typedef int astarL_Call(lua_State *L);
extern astarL_Call astarL_grid, astarL_load, astarL_field, astarL_load_field, astarL_shared;
extern astarL_Call astarL_grid_block, astarL_grid_block_layers, astarL_grid_cell_at,
    astarL_grid_center, astarL_grid_distance, astarL_grid_draw, astarL_grid_dump,
    astarL_grid_find_path, astarL_grid_finder, astarL_grid_get_cells, astarL_grid_has_wall,
    astarL_grid_is_blocked, astarL_grid_link, astarL_grid_links, astarL_grid_neighbour,
    astarL_grid_publish, astarL_grid_restrict, astarL_grid_restrictions, astarL_grid_set_cells,
    astarL_grid_shape, astarL_grid_share, astarL_grid_unblock, astarL_grid_unlink,
    astarL_grid_unshare, astarL_grid_wall, astarL_grid_walls;
extern astarL_Call astarL_field_add_field, astarL_field_cells, astarL_field_dump, astarL_field_max,
    astarL_field_scale;
extern astarL_Call astarL_finder_bake, astarL_finder_baking, astarL_finder_blockers,
    astarL_finder_chokepoints, astarL_finder_cost_of, astarL_finder_find_nearest,
    astarL_finder_finding_nearest, astarL_finder_flow, astarL_finder_fov, astarL_finder_load_baked,
    astarL_finder_min_cut, astarL_finder_reach, astarL_finder_search, astarL_finder_spread;
extern astarL_Call astarL_check_query, astarL_names_of, astarL_shapes, astarL_flow_differences,
    astarL_flow_distances, astarL_load_path, astarL_path_leads_to, astarL_path_may_step,
    astarL_path_read, astarL_path_place, astarL_path_save, astarL_path_step_cost,
    astarL_search_unbuilt;
// The names of all options that a single query may have, each followed by '\0'. The second list
// also has the option of find_path alone.
extern const char astarL_query_options[], astarL_find_path_options[];
#endif
