// lua_util.h -- what all of the binding shares: objects, arguments, errors.
//
// Every function checks its arguments before it changes anything, asks the core once and pushes
// the result. Memory is owned by a userdata before anything that can raise runs. No lua_State is
// ever stored.

#ifndef ASTAR_LUA_UTIL_H
#define ASTAR_LUA_UTIL_H

#include "astar.h"

#include <lauxlib.h>
#include <lua.h>

// ------------------------------------------------------------------------------------------------
// What the module leaves to files of Lua.
// ------------------------------------------------------------------------------------------------

// core.set_helper(function (file, ...) --> what the file's function returns)
int astarL_set_helper(lua_State *L);
// Pushes what calls a file of lua/astar and the file's name, to be followed by its arguments; nil
// and the name where none of these files is loaded. The name is as `require` has it: "world.chunk"
// is lua/astar/world/chunk.lua.
void astarL_pushhelper(lua_State *L, const char *file);
// Answers a method by a file's function of that name, which gets the arguments: what it returns, or
// false and what is wrong with an argument.
int astarL_askhelper(lua_State *L, const char *file, const char *name);
// The same about the values on the top, of which it pushes what is returned; how many that are.
int astarL_askabout(lua_State *L, const char *file, const char *name, int given);

// Has the method that is being called answered by a file's function of its name; its object is
// open.
int astarL_answerby(lua_State *L, const char *file);
// The same by places.lua.
int astarL_byplaces(lua_State *L);
// Whether the method that is being called has that name, of several that one function answers.
bool astarL_iscalled(lua_State *L, const char *name);

// Raises what checks.lua says is wrong, by its check of that name, of the values on the top.
_Noreturn int astarL_complain(lua_State *L, const char *check, int given);

// Adds a name to the list on the top.
void astarL_addname(lua_State *L, const char *name);
// Names are one string, each with its 0 and "" last: pointers a loader would have to put right.
// Pushes a list of them.
void astarL_pushnames(lua_State *L, const char *names);
// Whether the value at 'arg' is this name, to its last byte: it may hold zeros.
bool astarL_isname(lua_State *L, int arg, const char *name);
// Which of 'names' the value at 'arg' is; -1: none of them, or there are none, NULL.
int astarL_nameamong(lua_State *L, int arg, const char *names);

// ------------------------------------------------------------------------------------------------
// Errors, types, arguments and objects.
// ------------------------------------------------------------------------------------------------

// Lua's headers do not say that these never return. Known to the compiler, an error is a call and
// nothing behind it.
_Noreturn LUALIB_API int luaL_error(lua_State *L, const char *format, ...);
_Noreturn LUA_API int lua_error(lua_State *L);

#if LUA_VERSION_NUM < 502
#define lua_rawlen lua_objlen
#define lua_setuservalue lua_setfenv
#define lua_getuservalue lua_getfenv
#define lua_rawgetp(L, table, key) (lua_pushlightuserdata(L, (void *)(key)), lua_rawget(L, table))
#endif

// ---- objects ----

typedef enum astarL_Type {
    ASTARL_JOB, // jobs first: see lua_job.h
    ASTARL_SEARCH,
    ASTARL_GRAPH_SEARCH,
    ASTARL_ROUTE_SEARCH,
    ASTARL_RESOLVING,
    ASTARL_GRID,
    ASTARL_FINDER,
    ASTARL_PATH,
    ASTARL_FIELD,
    ASTARL_QUERY, // owns a running search; never seen by scripts
    ASTARL_FLOW,
    ASTARL_BAKED,
    ASTARL_WORKSPACE, // the state's; never seen by scripts, either
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
    ASTARL_BATCH,     // of questions for workers; never seen by scripts
    ASTARL_LEFTOVERS, // the state's; never seen, either
    ASTARL_TYPES
} astarL_Type;

// Every object begins with this, which tells it from other userdata, from those with a forged
// metatable and from those of another build of the module.
typedef struct astarL_Header {
    uintptr_t seal; // see lua_util.c
} astarL_Header;

typedef struct astarL_Grid {
    astarL_Header header;
    AstarGrid *core;                       // NULL once it is collected
    int x0, y0;                            // the coordinates of its first cell
    uint32_t noted_terrains, noted_labels; // that it was published with, see lua_share.c
    size_t noted; // of a map from another state: bytes of names that it has seen
} astarL_Grid;

typedef struct astarL_Finder {
    astarL_Header header;
    AstarFinder *core;
    AstarWorkspace *workspace; // the state's, retained: to look it up takes long
    int x0, y0;
    bool asks; // has callbacks of any kind
} astarL_Finder;

typedef struct astarL_Field {
    astarL_Header header;
    AstarField *core; // NULL once it is collected
    int x0, y0;
} astarL_Field;

typedef struct astarL_Path {
    astarL_Header header;
    AstarFinder *finder; // that found it
    AstarPath core;
    int x0, y0;
    bool asks;
    bool of_world;     // over cells that 'finder' does not know
    int valid_from;    // the index from which on it can be walked, 1-based; 0: not known
    uint64_t valid_at; // on the grid of this version
    int step;          // the one asked about last that may be made, 1-based, on that of 'step_at'
    uint64_t step_at;
    AstarPoint room[6]; // of short paths
} astarL_Path;

// Every job's object begins with this: what is made in slices, by the core or of what its owner
// holds.
typedef struct astarL_Job {
    astarL_Header header;
    void *core; // NULL once closed
    const struct astarL_JobKind *kind;
    AstarStatus status; // that its last step came to
    uint32_t turn;      // counts what was done to it, see lua_search.c
    size_t bytes;       // that the collector knows of
} astarL_Job;

// A search in steps. Its uservalue: {finder, or path to repair; path found; what tells goals}.
enum { ASTARL_SEARCH_FINDER = 1, ASTARL_SEARCH_PATH, ASTARL_SEARCH_TEST };
typedef struct astarL_Search {
    astarL_Job job;
    int x0, y0;
    bool asks;
    bool tests;     // a function tells goals
    bool has_index; // of the goal found
} astarL_Search;

// Its uservalue is its finder's, if that has callbacks.
typedef struct astarL_Flow {
    astarL_Header header;
    AstarFlow *core; // NULL once it is collected
    int x0, y0;
    bool asks;
    uint32_t turn; // changes when it is closed; the core minds calls within calls
    size_t bytes;  // that the collector knows of
} astarL_Flow;

// A grid's uservalue: {keys by terrain + 1, terrains by key, the finder of grid:find_path, labels
// of links by number, their numbers by label, of a map from another state a hold on it}.
enum {
    ASTARL_KEYS = 1,
    ASTARL_TERRAINS,
    ASTARL_OWN_FINDER,
    ASTARL_LABELS,
    ASTARL_LABEL_NUMBERS,
    ASTARL_HOLD
};
// A finder's uservalue, and that of a path found by one with callbacks or over links.
enum {
    ASTARL_OF_GRID = 1,
    ASTARL_COST,
    ASTARL_STEP_COST,
    ASTARL_ESTIMATE,
    ASTARL_OF_KEYS,
    ASTARL_OF_LABELS,
    ASTARL_GIVEN // the options as they were given
};

// A function that scripts call. Of arguments too many, nils are taken off, others refused before.
typedef struct astarL_Function {
    char name[22]; // no pointer, which a loader would have to put right; "" at the end of a list
    int16_t most;  // arguments, the object of a method included
    lua_CFunction call;
} astarL_Function;

// 'most' of a function that counts its arguments itself.
enum { ASTARL_COUNTS = 1000 };

// Puts functions into the table on the top: methods of a type, or of none for ASTARL_TYPES.
void astarL_setfunctions(lua_State *L, const astarL_Function *functions, astarL_Type type);
// Refuses arguments after the one at 'most', where a form of a function takes fewer than others.
void astarL_nomore(lua_State *L, int most, const char *name, bool is_method);

// What there is to the objects of a type.
typedef struct astarL_Class {
    astarL_Type type;
    const astarL_Function *methods; // NULL: none
    // Lets go of what an object owns, which stands first behind its header and is NULL from then
    // on, and only then: it is closed. NULL: nothing is to be let go of.
    void (*release)(void *owned);
    // Does that, and what else closing takes, where it is not closed yet. NULL: nothing.
    void (*close)(lua_State *L, void *object);
    // Pushes what tostring shows of an open object. NULL: that tell.lua knows.
    void (*tell)(lua_State *L, const void *object);
    // Pushes a field's value of an open object; nothing where there is none. NULL: only methods.
    void (*field)(lua_State *L, const void *object, const char *name);
    const char *fields; // the names that 'field' knows, each with its 0, and "" last; NULL: none
    // How many items there are, and one of them pushed, counted from 1. NULL: no length, no items.
    int (*count)(const void *object);
    void (*item)(lua_State *L, const void *object, int index);
} astarL_Class;

// Makes a function that lets go of what an object owns, by the core's of that type.
#define ASTARL_RELEASE(name, of_core)                                                              \
    static void name(void *owned)                                                                  \
    {                                                                                              \
        of_core(owned);                                                                            \
    }
// Makes a method that gives a number of the core's object: how many bytes it takes, and the like.
#define ASTARL_TELLS(name, check, of_core)                                                         \
    static int name(lua_State *L)                                                                  \
    {                                                                                              \
        lua_pushinteger(L, (lua_Integer)of_core(check(L, 1)->core));                               \
        return 1;                                                                                  \
    }
// Fills in and publishes the metatables of types, unless the state has them; NULL ends the list.
void astarL_newtypes(lua_State *L, const astarL_Class *const *classes);
// Pushes a zeroed object of a type.
void *astarL_newobject(lua_State *L, astarL_Type type, size_t size);
// Gives the object at 'self' a uservalue of the values at so many places of the stack.
void astarL_setparts(lua_State *L, int self, const int *places, int count);
// Pushes the table that is an object's uservalue, or a part of that of a Lua type: an error where
// debug.setuservalue (before Lua 5.2 debug.setfenv) has put something else there.
void astarL_pushparts(lua_State *L, int arg);
void astarL_pushpart(lua_State *L, int arg, int part, int type);
// The object at 'arg', or NULL / an error when it is of another type.
void *astarL_testobject(lua_State *L, int arg, astarL_Type type);
void *astarL_checkobject(lua_State *L, int arg, astarL_Type type);
// The same; it is an error, too, where it is closed.
void *astarL_checkopen(lua_State *L, int arg, astarL_Type type);
#define astarL_checkgrid(L, arg) ((astarL_Grid *)astarL_checkopen(L, arg, ASTARL_GRID))
#define astarL_checkfinder(L, arg) ((astarL_Finder *)astarL_checkopen(L, arg, ASTARL_FINDER))
#define astarL_checkpath(L, arg) ((astarL_Path *)astarL_checkopen(L, arg, ASTARL_PATH))
#define astarL_checksearch(L, arg) ((astarL_Search *)astarL_checkopen(L, arg, ASTARL_SEARCH))
#define astarL_checkfield(L, arg) ((astarL_Field *)astarL_checkopen(L, arg, ASTARL_FIELD))
#define astarL_checkflow(L, arg) ((astarL_Flow *)astarL_checkopen(L, arg, ASTARL_FLOW))

// Where an iterator stands, a number that is its second upvalue: 0 where it begins, and where
// debug.setupvalue has put something else.
uint64_t astarL_cursor(lua_State *L);
void astarL_setcursor(lua_State *L, uint64_t cursor);

// Pushes an iterator of the values from 1 to 'kept', the first of its upvalues and those after the
// cursor.
int astarL_iterate(lua_State *L, lua_CFunction next, int kept);

// The cells of a map as a script counts them.
typedef struct astarL_Area {
    int x0, y0, width, height;
} astarL_Area;

astarL_Area astarL_areaof(const astarL_Finder *finder);

// Raises where 'held' is NULL by now.
//
// Whatever allocates in Lua may run a finalizer, and that may close by hand any object, or edit it:
// lua_newuserdata, lua_createtable, lua_pushstring and so each option that is read by its name, a
// call of a file of Lua, what is charged to the collector. So the core of an object that was
// checked before is to be checked again after, and last before the core is asked. What the core
// owns is copied, or held, before it is pushed. spec/support/closing.lua tries each such place.
void astarL_checkheld(lua_State *L, const void *held);

// ---- arguments ----

// The largest whole number that every Lua can tell from the next.
#define ASTARL_MOST_WHOLE ((lua_Number)9007199254740992.0)

// Pushes what an argument is, for an error: 1.5, nan, "text", nil, a table, astar grid, ...
const char *astarL_describe(lua_State *L, int arg);
// Raises what the value at 'arg' must be, and that it is not.
_Noreturn int astarL_badvalue(lua_State *L, int arg, const char *what);
// A number as it is written in errors.
const char *astarL_pushnumber(lua_State *L, lua_Number number);
// An integer, or a number, from 'least' to 'most'.
int astarL_checkint(lua_State *L, int arg, int least, int most, const char *name);
lua_Number astarL_checkwhole(lua_State *L, int arg, lua_Number least, lua_Number most,
                             const char *name);
lua_Number astarL_checkreal(lua_State *L, int arg, lua_Number least, lua_Number most,
                            const char *name);
// A cell's coordinates at 'arg' and 'arg + 1', as the core counts them.
void astarL_checkcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                      const char *x_name, const char *y_name, int *x, int *y);
// Reads a cell at 'arg', whole numbers; false if it lies outside the grid.
bool astarL_findcell(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0, int *x, int *y);
// Two cells at 'arg' to 'arg + 3', named sx, sy, gx, gy, or x0, y0, x1, y1 where they are no
// route's.
typedef struct astarL_Ends {
    int x0, y0, x1, y1;
} astarL_Ends;

astarL_Ends astarL_checkends(lua_State *L, int arg, const AstarGrid *grid, int x0, int y0,
                             bool of_route);
// Two cells at 'arg' to 'arg + 3', of a route that is asked of a finder, which a finalizer may have
// closed meanwhile; 'of_route' as of astarL_checkends.
astarL_Ends astarL_checkfinderends(lua_State *L, int arg, const astarL_Finder *finder,
                                   bool of_route);
#define astarL_checkquery(L, arg, finder) astarL_checkfinderends(L, arg, finder, true)
// A terrain's cost: a number in range, or math.huge or false for INFINITY.
double astarL_checkcost(lua_State *L, int arg, const char *name);
// Which of a list's goals or the like, from 1; 0: a single one.
typedef struct astarL_Nth {
    const char *word; // of a single one
    size_t number;
} astarL_Nth;

// The coordinates of a map's first cell, at 'arg' and 'arg + 1'.
AstarCell astarL_checkorigin(lua_State *L, int arg);
// Gives the table on the top an integer.
void astarL_setinteger(lua_State *L, const char *name, lua_Integer value);
// Pushes a copy of the table at 'table', which must not be relative, read raw.
void astarL_pushcopy(lua_State *L, int table);
// Pushes a cell as a script counts it: two results.
static inline int astarL_pushcell(lua_State *L, int x, int y, int x0, int y0)
{
    lua_pushinteger(L, x + x0);
    lua_pushinteger(L, y + y0);
    return 2;
}
// The same as {x =, y =}.
void astarL_pushpoint(lua_State *L, int x, int y, int x0, int y0);
// Keeps the option 'name' of the table at 'options', a function, in the table at 'parts'; true if
// it is given.
bool astarL_keepfunction(lua_State *L, int options, const char *name, int parts, int part);
// Pushes the raw value of a table's field, nil where 'table' is none; its type.
int astarL_rawfield(lua_State *L, int table, const char *name);

// ---- outcomes ----

// Calls the function below so many arguments on the stack, and leaves its first value. Returns
// false if the function returned no value at all, and leaves nil.
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
// Makes room for so many values on the stack. Lua's own limits end a script before this one's does,
// so where there is no room, memory has run out.
void astarL_checkstack(lua_State *L, int slots);
// Pushes nil and a reason: two results.
int astarL_refuse(lua_State *L, const char *reason);
// The same of a status, or raises the fault.
int astarL_fail(lua_State *L, AstarStatus status);
// Saves an object as bytes. Returns how many there are; those that do not fit are left out.
typedef size_t astarL_Save(lua_State *L, void *bytes, size_t room);
// Pushes what is saved, as a string; saved again where a finalizer has edited it as room was made.
void astarL_pushsaved(lua_State *L, astarL_Save *save);

// ---- parts of the module ----

extern const astarL_Class astarL_gridclass, astarL_finderclass, astarL_pathclass, astarL_fieldclass,
    astarL_queryclass, astarL_searchclass, astarL_flowclass, astarL_jobclass, astarL_bakedclass,
    astarL_workspaceclass, astarL_graphclass, astarL_graphfinderclass, astarL_graphpathclass,
    astarL_graphsearchclass, astarL_graphreachclass, astarL_crowdclass, astarL_unitclass,
    astarL_resolvingclass, astarL_worldclass, astarL_worldfinderclass, astarL_routesearchclass,
    astarL_routeclass, astarL_workersclass, astarL_batchclass, astarL_leftoversclass;
// Each of these opens a part, most of which may be left out: its types, and its functions in the
// module on the top.
typedef void astarL_Opening(lua_State *L);
extern astarL_Opening astarL_openbaking, astarL_opencharge, astarL_opencrowd, astarL_opendepth,
    astarL_opentactics, astarL_opengraph, astarL_openleftovers, astarL_openpathcells,
    astarL_openquery, astarL_openworkers, astarL_openworld;
// What scripts call, by the names that its file has it under: of the module, of grids, of fields,
// of finders, and what the files of Lua ask the core.
typedef int astarL_Call(lua_State *L);
extern astarL_Call astarL_grid, astarL_load, astarL_field, astarL_shared;
extern astarL_Call astarL_grid_block, astarL_grid_block_layers, astarL_grid_cell_at,
    astarL_grid_center, astarL_grid_distance, astarL_grid_draw, astarL_grid_dump,
    astarL_grid_find_path, astarL_grid_finder, astarL_grid_get_cells, astarL_grid_has_wall,
    astarL_grid_is_blocked, astarL_grid_link, astarL_grid_links, astarL_grid_neighbour,
    astarL_grid_publish, astarL_grid_set_cells, astarL_grid_shape, astarL_grid_share,
    astarL_grid_unblock, astarL_grid_unlink, astarL_grid_unshare, astarL_grid_wall,
    astarL_grid_walls;
extern astarL_Call astarL_field_add_field, astarL_field_cells, astarL_field_max, astarL_field_scale;
extern astarL_Call astarL_finder_bake, astarL_finder_baking, astarL_finder_blockers,
    astarL_finder_chokepoints, astarL_finder_find_nearest, astarL_finder_finding_nearest,
    astarL_finder_flow, astarL_finder_fov, astarL_finder_load_baked, astarL_finder_min_cut,
    astarL_finder_reach, astarL_finder_search, astarL_finder_spread;
extern astarL_Call astarL_check_question, astarL_names_of, astarL_shapes, astarL_flow_differences,
    astarL_flow_distances, astarL_path_leads_to, astarL_path_load, astarL_path_may_step,
    astarL_path_place, astarL_path_save, astarL_search_unbuilt;
// The names of all options of a query.
#define ASTARL_QUESTION                                                                            \
    "weight\0max_cost\0max_expansions\0partial\0range\0bends\0heading\0suppose_blocked\0"
#endif
