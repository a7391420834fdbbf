// lua_finder.c -- finders: their options, and the queries that they answer.

#include "binding/lua_finder.h"

#include "binding/lua_blocks.h"
#include "binding/lua_field.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_job.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"
#include "binding/lua_suppose.h"
#include "binding/lua_util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The functions below read those options of a finder whose values have names, and the options that
// a single query may override.

// A macro for each kind of option. Only the macro for the kind NAME defines a function. The
// function returns the name of a value of the option, or NULL after the last value. Values are
// numbered from 0, beginning with the first value that scripts may use.
#define NAME_OF_NUMBER(...)
#define NAME_OF_COUNT(...)
#define NAME_OF_WHOLE(...)
#define NAME_OF_FLAG(...)
#define NAME_OF_NAME(name, type, least)                                                            \
    static const char *name_of_##name(int value)                                                   \
    {                                                                                              \
        return astar_##name##_name((type)(value + (least)));                                       \
    }
#define NAME_OF(name, kind, type, least, ...) NAME_OF_##kind(name, type, least)
#define QUERY_OPTION NAME_OF
#define FINDER_OPTION NAME_OF
#include "rules/options.def"

typedef const char *NameOf(int value);

#define LIST_NUMBER(...)
#define LIST_COUNT(...)
#define LIST_WHOLE(...)
#define LIST_FLAG(...)
#define LIST_NAME(name) {#name, name_of_##name},
#define LIST(name, kind, ...) LIST_##kind(name)

// The options whose values have names, and the functions that return the name of a value.
static const struct {
    const char *option;
    NameOf *name_of;
} named_options[] = {
#define QUERY_OPTION LIST
#define FINDER_OPTION LIST
#include "rules/options.def"
    {NULL, NULL}};

#define NAME_IN_LIST(name, ...) #name "\0"
#define QUERY_OPTION NAME_IN_LIST
const char astarL_query_options[] =
#include "rules/options.def"
    "suppose_blocked\0";
#define QUERY_OPTION NAME_IN_LIST
const char astarL_find_path_options[] =
#include "rules/options.def"
    "suppose_blocked\0schedule\0";

// Pushes a list of the names of all values of an option.
static void push_values(lua_State *L, NameOf *name_of)
{
    const char *name;
    lua_newtable(L);
    for (int i = 0; (name = name_of(i)) != NULL; i++)
        astarL_addname(L, name);
}

// core.names_of(option) --> list
int astarL_names_of(lua_State *L)
{
    for (int i = 0; named_options[i].option != NULL; i++) {
        if (!astarL_isname(L, 1, named_options[i].option))
            continue;
        push_values(L, named_options[i].name_of);
        return 1;
    }
    return luaL_error(L, "no option %s has values with names", astarL_describe(L, 1));
}

// Pushes the value of an option, read by raw access. Returns false and pushes nothing if the option
// is not given.
static bool given(lua_State *L, int options, const char *name)
{
    if (astarL_rawfield(L, options, name) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

// Reads the name of an option's value. Returns the value, or 'otherwise' if the option is not
// given.
static int read_name(lua_State *L, int options, const char *option_name, NameOf *name_of,
                     int otherwise)
{
    const char *name;
    if (!given(L, options, option_name))
        return otherwise;
    int arg = lua_gettop(L), value = 0;
    while ((name = name_of(value)) != NULL && !astarL_isname(L, arg, name))
        value++;
    if (name == NULL) {
        lua_pushstring(L, option_name);
        push_values(L, name_of);
        astarL_complain(L, "one_of", 3);
    }
    lua_pop(L, 1);
    return value;
}

// Raises an error that the requested algorithm cannot be combined with another option. 'what' names
// that option. Does nothing if 'what' is NULL.
static void check_algorithm(lua_State *L, AstarAlgorithm algorithm, const char *what)
{
    if (what != NULL)
        luaL_error(L, "algorithm \"%s\" cannot honour %s", astar_algorithm_name(algorithm), what);
}

// A macro for each kind of option: reads the option 'name' of a query, or returns 'value'.
#define READ_NUMBER(name, least, most, value) astarL_readreal(L, options, #name, least, most, value)
#define READ_COUNT(name, least, most, value) read_count(L, options, #name, least, value)
#define READ_WHOLE(name, least, most, value) astarL_readwhole(L, options, #name, least, most, value)
#define READ_FLAG(name, least, most, value) astarL_readflag(L, options, #name, value)
#define READ_NAME(name, least, most, value)                                                        \
    (read_name(L, options, #name, name_of_##name, (int)(value) - (least)) + (least))

static uint64_t read_count(lua_State *L, int options, const char *name, lua_Number least,
                           uint64_t otherwise)
{
    lua_Number count = astarL_readwhole(L, options, name, least, ASTARL_MOST_WHOLE, -1);
    return count >= 0 ? (uint64_t)count : otherwise;
}

// Reads those options in the table at 'options' that a single query may override.
static void read_query(lua_State *L, int options, AstarQueryOptions *query_options)
{
#define QUERY_OPTION(name, kind, type, least, most, ...)                                           \
    query_options->name = (type)READ_##kind(name, least, most, query_options->name);
#include "rules/options.def"
}

// Raises an error in three cases: bends cannot be counted, a heading would have no effect, or cells
// of the grid have no such heading.
static void check_bends(lua_State *L, const AstarGrid *grid, const AstarOptions *o,
                        const AstarQueryOptions *query_options)
{
    AstarOffset offset = astar_grid_offset(grid);
    bool is_fewest = query_options->bends == ASTAR_BENDS_FEWEST;
    if (o->any_angle && (query_options->bends != ASTAR_BENDS_ANY || o->bend_cost > 0))
        luaL_error(L, "any_angle cannot honour %s", o->bend_cost > 0 ? "bend_cost" : "bends");
    if (query_options->heading != ASTAR_NO_HEADING && !is_fewest && o->bend_cost == 0)
        luaL_error(L, "heading needs bends \"fewest\" or a bend_cost");
    if (query_options->heading != ASTAR_NO_HEADING && offset != ASTAR_NO_OFFSET &&
        astar_offset_wrap(offset) == NULL &&
        (astar_grid_sides(grid) >> (query_options->heading - 1) & 1) == 0)
        luaL_error(L, "%s with offset \"%s\" have no heading \"%s\"", astar_offset_cells(offset),
                   astar_offset_name(offset), astar_heading_name(query_options->heading));
}

// Raises an error if options do not work with the shape of the grid's cells.
static void check_shape(lua_State *L, const AstarGrid *grid, int options, const AstarOptions *o)
{
    AstarOffset offset = astar_grid_offset(grid);
    const char *cells = astar_offset_cells(offset), *what = astar_grid_refusal(grid, o);
    bool is_square = astar_offset_wrap(offset) != NULL || offset == ASTAR_NO_OFFSET;
    bool has_rule = !is_square && given(L, options, "diagonals");
    if (has_rule || (!is_square && given(L, options, "diagonal_cost")))
        luaL_error(L, "%s cannot honour %s", cells, has_rule ? "diagonals" : "diagonal_cost");
    if (what == NULL)
        return;
    if (strcmp(what, "this heuristic") == 0)
        luaL_error(L, "%s cannot honour heuristic \"%s\"", cells,
                   astar_heuristic_name(o->heuristic));
    if (strcmp(what, "this algorithm") == 0 && is_square && astar_offset_wrap(offset) == NULL)
        luaL_error(
            L, "algorithm \"%s\" cannot honour a map of %d x %d cells, which is too long for it",
            astar_algorithm_name(o->algorithm), astar_grid_width(grid), astar_grid_height(grid));
    if (strcmp(what, "this algorithm") == 0)
        luaL_error(L, "%s cannot honour algorithm \"%s\"", cells,
                   astar_algorithm_name(o->algorithm));
    luaL_error(L, "%s cannot honour %s%s", cells, what,
               strcmp(what, "size") == 0 ? " above 1" : "");
}

const AstarQueryOptions *astarL_checkqueryoptions(lua_State *L, int arg,
                                                  const astarL_Finder *finder,
                                                  AstarQueryOptions *query_options)
{
    if (lua_isnoneornil(L, arg))
        return NULL;
    astarL_checkoptions(L, arg, astarL_query_options);
    astarL_checkheld(L, finder->core);
    *query_options = astar_query_default(finder->core);
    if (given(L, arg, "suppose_blocked"))
        luaL_error(L,
                   "suppose_blocked is for find_path, find_nearest, reachable, raycast and sweep");
    read_query(L, arg, query_options);
    astarL_checkheld(L, finder->core);
    const AstarOptions *options = astar_finder_options(finder->core);
    check_algorithm(L, options->algorithm, astar_query_refusal(finder->core, query_options));
    check_bends(L, astar_finder_grid(finder->core), options, query_options);
    AstarOptions asked = *options;
    asked.bends = query_options->bends;
    check_shape(L, astar_finder_grid(finder->core), arg, &asked);
    astarL_checkheld(L, finder->core);
    return query_options;
}

void astarL_checkrange(lua_State *L, const astarL_Finder *finder,
                       const AstarQueryOptions *query_options, const char *what)
{
    astarL_checkheld(L, finder->core);
    AstarQueryOptions asked = query_options != NULL ? *query_options
                                                    : astar_query_default(finder->core);
    const char *wrap = astar_offset_wrap(astar_grid_offset(astar_finder_grid(finder->core)));
    if (wrap != NULL && (asked.range > 0 || asked.partial))
        luaL_error(L, "maps that wrap around cannot honour range or partial of %s", what);
}

// The functions below read the options of a finder.

// Stack positions of the values that arguments.lua makes from a finder's options, relative to the
// options: first three functions, then a list of numbers, then tables or nil.
enum {
    READ_FUNCTIONS = 1,
    READ_NUMBERS = READ_FUNCTIONS + 3,
    READ_COSTS,
    READ_BEND_COSTS,
    READ_AVOID,
    READ_BREACH,
    READ_ROWS,
    READ_COUNT
};

// Reads 'count' numbers from the list at 'arg' into 'numbers'. Returns NULL if there is no list.
static const double *take_numbers(lua_State *L, int arg, double *numbers, int count)
{
    for (int i = 0; i < count && lua_istable(L, arg); i++) {
        lua_rawgeti(L, arg, i + 1);
        numbers[i] = (double)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return lua_istable(L, arg) ? numbers : NULL;
}

// The index of each option in the list of numbers of finder_options.lua, which has the order of
// options.def.
enum {
#define INDEX_OF(name, ...) AT_##name,
#define QUERY_OPTION INDEX_OF
#define FINDER_OPTION INDEX_OF
#include "rules/options.def"
    OPTION_COUNT
};

// Reads the list of numbers at 'arg'. Raises an error if the list is not that of options.def.
static void take_values(lua_State *L, int arg, double values[OPTION_COUNT])
{
    static const char *const names[] = {
#define NAME_AS_TEXT(name, ...) #name,
#define QUERY_OPTION NAME_AS_TEXT
#define FINDER_OPTION NAME_AS_TEXT
#include "rules/options.def"
    };
    for (int i = 0; i < OPTION_COUNT; i++) {
        lua_rawgeti(L, arg, i + 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "the option %s was not read: lua/astar and the C module differ",
                       names[i]);
        values[i] = (double)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (lua_rawlen(L, arg) != OPTION_COUNT)
        luaL_error(L, "an option is unknown to the C module: lua/astar and the C module differ");
}

// A macro for each kind of option: the value in C for a number that Lua has read.
#define FROM_NUMBER(value) (value)
#define FROM_COUNT(value) ((value) < ASTARL_MOST_WHOLE ? (uint64_t)(value) : UINT64_MAX)
#define FROM_WHOLE(value) (value)
#define FROM_FLAG(value) ((value) != 0)
#define FROM_NAME(value) (value)

// Returns the options that arguments.lua has read and left on the stack from 'first' on: functions,
// and a list of numbers.
static AstarOptions take_options(lua_State *L, int first)
{
    double v[OPTION_COUNT];
    take_values(L, first + READ_NUMBERS, v);
    return (AstarOptions){
        .cost = lua_isfunction(L, first + READ_FUNCTIONS) ? astarL_call_cost : NULL,
        .step_cost = lua_isfunction(L, first + READ_FUNCTIONS + 1) ? astarL_call_step_cost : NULL,
        .estimate = lua_isfunction(L, first + READ_FUNCTIONS + 2) ? astarL_call_estimate : NULL,
        .height = (int)lua_tonumber(L, first + READ_ROWS),
#define TAKE(name, kind, type, ...) .name = (type)FROM_##kind(v[AT_##name]),
#define QUERY_OPTION TAKE
#define FINDER_OPTION TAKE
#include "rules/options.def"
    };
}

// Reads the unit's own costs from the table at 'arg', which is indexed by number of terrain.
// Returns NULL if there is no table.
static const double *take_unit_costs(lua_State *L, int arg, double costs[ASTAR_MAX_TERRAINS])
{
    if (!lua_istable(L, arg))
        return NULL;
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        costs[i] = NAN;
    for (lua_pushnil(L); lua_next(L, arg) != 0; lua_pop(L, 1)) {
        lua_Number terrain = lua_tonumber(L, -2);
        if (terrain >= 0 && terrain < ASTAR_MAX_TERRAINS)
            costs[(int)terrain] = (double)lua_tonumber(L, -1);
    }
    return costs;
}

void astarL_takeavoided(lua_State *L, int arg, const astarL_Grid *grid, AstarOptions *o,
                        AstarAvoid avoids[ASTAR_MAX_AVOIDS])
{
    const AstarCell first = {grid->x0, grid->y0};
    bool is_list = lua_istable(L, arg);
    char name[24] = "avoid";
    if (!is_list && !lua_isnil(L, arg))
        o->avoid = astarL_checkfieldof(L, arg, grid->core, first, name)->core;
    int count = is_list ? (int)lua_rawlen(L, arg) / 2 : 0;
    for (int i = 0; i < count && i < ASTAR_MAX_AVOIDS; i++) {
        snprintf(name, sizeof name, "avoid[%d][1]", i + 1);
        lua_rawgeti(L, arg, 2 * i + 1);
        lua_rawgeti(L, arg, 2 * i + 2);
        avoids[i].field = astarL_checkfieldof(L, lua_gettop(L) - 1, grid->core, first, name)->core;
        avoids[i].weight = (double)lua_tonumber(L, -1);
        lua_pop(L, 2);
        o->avoid_count = i + 1;
    }
    o->avoids = avoids;
}

void astarL_readfinder(lua_State *L, const astarL_Grid *grid, int options, int callbacks,
                       AstarOptions *o, astarL_OptionLists *lists)
{
    int first = lua_gettop(L) + 4;
    lua_pushvalue(L, options);
    astarL_pushkeys(L, 1, ASTARL_TERRAINS);
    astarL_checkheld(L, grid->core); // a finalizer may close it while the options are read
    lua_pushboolean(L, astar_grid_offset(grid->core) == ASTAR_NO_OFFSET);
    astarL_askabout(L, "arguments", "finder", 3);
    lua_settop(L, first + READ_COUNT - 1);
    astarL_checkstack(L, 20);
    lua_pushvalue(L, first);
    lua_rawseti(L, callbacks, ASTARL_GIVEN);
    for (int part = ASTARL_COST; part <= ASTARL_ESTIMATE; part++) {
        lua_pushvalue(L, first + READ_FUNCTIONS + part - ASTARL_COST);
        lua_rawseti(L, callbacks, part);
    }
    *o = take_options(L, first);
    o->costs = take_unit_costs(L, first + READ_COSTS, lists->costs);
    o->bend_costs = take_numbers(L, first + READ_BEND_COSTS, lists->bend_costs, 4);
    astarL_checkheld(L, grid->core);
    astarL_takeavoided(L, first + READ_AVOID, grid, o, lists->avoids);
    o->breach = astarL_takebreach(L, first + READ_BREACH, grid, lists->breach);
    const AstarQueryOptions query_options = {.bends = o->bends, .heading = o->heading};
    check_algorithm(L, o->algorithm, astar_options_refusal(o));
    astarL_checkheld(L, grid->core);
    check_bends(L, grid->core, o, &query_options);
    check_shape(L, grid->core, first, o);
    if (given(L, first, "ignore"))
        o->ignore = astarL_takeignored(L, grid);
    lua_pushvalue(L, first + READ_AVOID);
}

// The functions below implement finders and their queries.

// Pushes a finder on the grid at index 1. Its options are at the stack index 'options'; 0 means no
// options.
static astarL_Finder *push_finder(lua_State *L, const astarL_Grid *grid, int options)
{
    // A view is entered and left once by this function, so that the view gets the new names of
    // terrains.
    astar_view_leave(grid->core, astarL_enter(L, grid->core, 1));
    astarL_Finder *finder = astarL_newobject(L, ASTARL_FINDER, sizeof *finder);
    int self = lua_gettop(L);
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, ASTARL_OF_GRID);
    astarL_pushkeys(L, 1, ASTARL_KEYS);
    lua_rawseti(L, -2, ASTARL_OF_KEYS);
    astarL_pushkeys(L, 1, ASTARL_LABELS);
    lua_rawseti(L, -2, ASTARL_OF_LABELS);
    AstarOptions o = astar_options_default();
    astarL_OptionLists lists;
    if (options != 0)
        astarL_readfinder(L, grid, options, self + 1, &o, &lists);
    else
        lua_pushnil(L);
    lua_replace(L, self + 2);
    lua_settop(L, self + 2);
    lua_pushvalue(L, self + 1);
    lua_setuservalue(L, self);
    astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    astarL_takeavoided(L, self + 2, grid, &o, lists.avoids);
    finder->workspace = astarL_workspace(L);
    if (finder->workspace != NULL)
        astar_workspace_retain(finder->workspace);
    finder->x0 = grid->x0;
    finder->y0 = grid->y0;
    finder->has_callbacks = o.cost != NULL || o.step_cost != NULL || o.estimate != NULL;
    AstarStatus status = astar_finder_new(grid->core, &o, &finder->core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    const AstarField *avoid = astar_finder_options(finder->core)->avoid;
    if (avoid != o.avoid) // a field that the finder itself created
        astarL_account(L, astar_field_bytes(avoid));
    lua_settop(L, self);
    return finder;
}

// grid:finder{...} --> finder
int astarL_grid_finder(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    astarL_checklast(L, 2, "finder");
    push_finder(L, grid, lua_isnil(L, 2) ? 0 : 2);
    return 1;
}

// finder:options() --> table of the options with which the finder was made
static int finder_options(lua_State *L)
{
    astarL_checkfinder(L, 1);
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 2, ASTARL_GIVEN);
    if (lua_istable(L, 3))
        astarL_askabout(L, "arguments", "options_of", 1);
    else
        lua_newtable(L);
    return 1;
}

// finder:with_grid(grid) --> a finder with the same options on another grid with the same cells
static int finder_with_grid(lua_State *L)
{
    astarL_checkfinder(L, 1);
    astarL_checkgrid(L, 2);
    astarL_pushpart(L, 1, ASTARL_OF_GRID, LUA_TUSERDATA);
    return astarL_askhelper(L, "arguments", "with_grid");
}

// queries

// Searches for a path with 'finder', whose uservalue is that of the object at 'self'. 'path'
// belongs to 'finder' or, if 'finder' was made for suppose_blocked, to the original finder.
static AstarStatus search_for_path(lua_State *L, astarL_Path *path, const astarL_Finder *finder,
                                   int self, astarL_Ends ends,
                                   const AstarQueryOptions *query_options)
{
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->has_callbacks, self, finder->x0, finder->y0);
    AstarStatus status = astar_search_begin(query.search, ends.x0, ends.y0, ends.x1, ends.y1,
                                            query_options);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(query.search, UINT64_MAX, &query);
    if (status == ASTAR_OK)
        status = astar_search_path(query.search, &path->core);
    astarL_notevalid(path, 1, &query);
    astarL_close(&query);
    return status;
}

// Answers find_path for the finder at 'self' and the cells at the indices 2 to 5. 'query_options'
// may be NULL.
static int find_path(lua_State *L, astarL_Finder *finder, int self,
                     const AstarQueryOptions *query_options)
{
    astarL_Ends ends = astarL_checkquery(L, 2, finder);
    astarL_Path *path = astarL_pushpath(L, finder->has_callbacks, self, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    int result = lua_gettop(L);
    astarL_Query query = {.finder = finder->core};
    if (!finder->has_callbacks && !astar_grid_is_view(astar_finder_grid(finder->core)) &&
        finder->workspace != NULL) {
        AstarStatus status = astar_find_path(finder->workspace, finder->core, ends.x0, ends.y0,
                                             ends.x1, ends.y1, query_options, NULL, &path->core);
        astarL_notevalid(path, 1, &query);
        return status == ASTAR_OK ? 1 : astarL_fail(L, status);
    }
    AstarStatus status = search_for_path(L, path, finder, self, ends, query_options);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    return 1;
}

// Answers find_path on a map with additional blocked cells. First looks for a path on the map
// without these blocks; if that path avoids all of them, it is the result. Paths at any angle,
// which pass between cells, are searched for only with the blocks. Paths of finders with callbacks
// are searched for only with the blocks, too, because the callbacks would be called twice
// otherwise.
static int find_path_supposing(lua_State *L, astarL_Finder *finder, astarL_Supposed *supposed,
                               const AstarQueryOptions *query_options)
{
    astarL_Ends ends = astarL_checkquery(L, 2, finder);
    astarL_Finder *made = astarL_suppose(L, finder, 1, supposed);
    if (!finder->has_callbacks && !astar_finder_options(finder->core)->any_angle &&
        find_path(L, finder, 1, query_options) == 1 &&
        astar_suppose_spares(made->core, &astarL_checkpath(L, lua_gettop(L))->core)) {
        astarL_unsuppose(made);
        return 1;
    }
    lua_settop(L, supposed->finder);
    astarL_Path *path = astarL_pushpath(L, finder->has_callbacks, 1, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    AstarStatus status = search_for_path(L, path, made, supposed->finder, ends, query_options);
    path->core.best_at = 0; // not known to be the best path on the real map
    astarL_unsuppose(made);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, supposed->finder + 1);
    return 1;
}

// Returns true if the query at index 6 has a schedule. The Lua code answers such a query.
static bool is_scheduled(lua_State *L)
{
    if (!lua_istable(L, 6))
        return false;
    astarL_plainoptions(L, 6, astarL_find_path_options);
    bool is_given = astarL_rawfield(L, 6, "schedule") != LUA_TNIL;
    lua_pop(L, 1);
    return is_given;
}

// finder:find_path(sx, sy, gx, gy [, options]) --> path | timed path | nil, reason
static int finder_find_path(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    if (lua_isnoneornil(L, 6))
        return find_path(L, finder, 1, NULL);
    if (is_scheduled(L))
        return astarL_askhelper(L, "time.question", "find_path");
    AstarQueryOptions own;
    astarL_Supposed supposed = astarL_checksupposed(L, 6, finder);
    const AstarQueryOptions *query_options = astarL_checkqueryoptions(L, 6, finder, &own);
    return supposed.blocked != NULL ? find_path_supposing(L, finder, &supposed, query_options)
                                    : find_path(L, finder, 1, query_options);
}

// Pushes the finder that grid:find_path uses if no options are given.
static astarL_Finder *push_own_finder(lua_State *L, const astarL_Grid *grid)
{
    astarL_pushparts(L, 1);
    lua_rawgeti(L, -1, ASTARL_OWN_FINDER);
    astarL_Finder *finder = astarL_testobject(L, lua_gettop(L), ASTARL_FINDER);
    if (finder != NULL && finder->core != NULL)
        return finder;
    lua_pop(L, 1);
    finder = push_finder(L, grid, 0);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, ASTARL_OWN_FINDER);
    return finder;
}

// grid:find_path(sx, sy, gx, gy [, options]) --> path | nil, reason
int astarL_grid_find_path(lua_State *L)
{
    astarL_Grid *grid = astarL_checkgrid(L, 1);
    lua_settop(L, 6);
    astarL_Supposed supposed = {NULL, 0, 0};
    if (lua_istable(L, 6) && astarL_rawfield(L, 6, "suppose_blocked") != LUA_TNIL) {
        supposed = astarL_checksupposed(L, 6, push_own_finder(L, grid));
        grid = astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    }
    astarL_Finder *finder = lua_isnil(L, 6) ? push_own_finder(L, grid) : push_finder(L, grid, 6);
    if (supposed.blocked == NULL)
        return find_path(L, finder, lua_gettop(L), NULL);
    lua_replace(L, 1);
    return find_path_supposing(L, finder, &supposed, NULL);
}

// Reads the options at index 6, which may contain only suppose_blocked. Returns a finder that
// supposes those cells to be blocked or, without the option, the finder at index 1.
static astarL_Finder *check_supposing(lua_State *L, astarL_Supposed *supposed)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    astarL_checkoptions(L, 6, "suppose_blocked\0");
    *supposed = astarL_checksupposed(L, 6, finder);
    supposed->finder = 1;
    astarL_checkheld(L, finder->core);
    return supposed->blocked != NULL ? astarL_suppose(L, finder, 1, supposed) : finder;
}

// finder:reachable(sx, sy, gx, gy [, options]) --> boolean
static int finder_reachable(lua_State *L)
{
    astarL_Supposed supposed;
    astarL_Finder *finder = check_supposing(L, &supposed);
    astarL_Ends ends = astarL_checkquery(L, 2, finder);
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->has_callbacks, supposed.finder, finder->x0,
                finder->y0);
    bool exists = false;
    AstarStatus status = astar_search_reachable(query.search, ends.x0, ends.y0, ends.x1, ends.y1,
                                                &query, &exists);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, exists);
    return 1;
}

// A function of the core that follows a line from one cell to another.
typedef AstarStatus (*Follow)(AstarSearch *search, int x0, int y0, int x1, int y1, void *context,
                              bool *stopped, int *x, int *y);

static int follow_line(lua_State *L, Follow follow)
{
    astarL_Supposed supposed;
    astarL_Finder *finder = check_supposing(L, &supposed);
    astarL_Ends ends = astarL_checkfinderends(L, 2, finder, false);
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->has_callbacks, supposed.finder, finder->x0,
                finder->y0);
    bool stopped;
    int x, y;
    AstarStatus status = follow(query.search, ends.x0, ends.y0, ends.x1, ends.y1, &query, &stopped,
                                &x, &y);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, !stopped);
    if (!stopped)
        return 1;
    astarL_pushcell(L, x, y, finder->x0, finder->y0);
    return 3;
}

// finder:raycast(x0, y0, x1, y1 [, options]) --> true | false, x, y: the first cell that stops the
// line
static int finder_raycast(lua_State *L)
{
    return follow_line(L, astar_search_raycast);
}

// finder:sweep(x0, y0, x1, y1 [, options]) --> true | false, x, y: a cell that stops the unit
static int finder_sweep(lua_State *L)
{
    return follow_line(L, astar_search_sweep);
}

const astarL_Finder *astarL_lookby(lua_State *L, const astarL_Finder *finder, int options,
                                   bool *through_walls)
{
    int top = lua_gettop(L);
    *through_walls = false;
    if (astarL_rawfield(L, options, "opaque") == LUA_TNIL) {
        lua_settop(L, top);
        return finder;
    }
    lua_pushvalue(L, 1);
    astarL_pushparts(L, 1);
    astarL_askabout(L, "opaque", "eyes", 3);
    *through_walls = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_replace(L, 1);
    lua_settop(L, top);
    return astarL_checkfinder(L, 1);
}

const astarL_Finder *astarL_groundof(lua_State *L, const astarL_Finder *finder)
{
    int top = lua_gettop(L);
    astarL_checkheld(L, finder->core);
    if (astar_finder_options(finder->core)->avoid == NULL)
        return finder;
    lua_pushvalue(L, 1);
    astarL_pushparts(L, 1);
    astarL_askabout(L, "ground", "ground", 2);
    lua_replace(L, 1);
    lua_settop(L, top);
    return astarL_checkfinder(L, 1);
}

// finder:sees(x0, y0, x1, y1 [, {opaque =}]) --> boolean
static int finder_sees(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    astarL_Ends ends = astarL_checkfinderends(L, 2, finder, false);
    lua_settop(L, 6);
    astarL_checkoptions(L, 6, "opaque\0");
    bool through_walls, sees;
    finder = astarL_lookby(L, finder, 6, &through_walls);
    astarL_checkheld(L, finder->core);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarGrid *grid = astar_finder_grid(finder->core);
    AstarStatus status = astar_line_of_sight(finder->core, ends.x0, ends.y0, ends.x1, ends.y1,
                                             through_walls, &sees);
    astar_view_leave(grid, entered);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, sees);
    return 1;
}

// finder:clearance(x, y) --> the size of the largest unit that fits on the cell; 0 if no unit fits
static int finder_clearance(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    int x, y, size;
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y", &x,
                     &y);
    AstarGrid *grid = astar_finder_grid(finder->core);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarStatus status = astar_clearance(finder->core, x, y, &size);
    astar_view_leave(grid, entered);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "%s cannot honour clearance",
                          astar_offset_cells(astar_grid_offset(grid)));
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushinteger(L, size);
    return 1;
}

static void close_finder(lua_State *L, void *object)
{
    (void)L;
    astarL_Finder *finder = object;
    astar_finder_release(finder->core);
    astar_workspace_free(finder->workspace);
    finder->core = NULL;
    finder->workspace = NULL;
}

static const astarL_JobKind settling;

// Steps the job at index 1, whose owner is the finder.
static AstarStatus step_preparing(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    const AstarJobKind *kind = job->kind == &settling ? &astar_settling_job : &astar_preparing_job;
    astarL_pushpart(L, 1, ASTARL_JOB_OWNER, LUA_TUSERDATA);
    const astarL_Finder *finder = astarL_checkfinder(L, 2);
    AstarGrid *grid = astar_finder_grid(finder->core);
    unsigned entered = astarL_enterof(L, &finder->core, 2);
    AstarStatus status = astarL_runslices(budget, kind->step, finder->core, NULL);
    astar_view_leave(grid, entered);
    return status;
}

static const astarL_JobKind preparing = {ASTARL_JOB, NULL, step_preparing, "done", NULL, NULL};
static const astarL_JobKind settling = {ASTARL_JOB, NULL, step_preparing, "done", NULL, NULL};

// finder:preparing([{settled =}]) --> job
static int finder_preparing(lua_State *L)
{
    astarL_checkfinder(L, 1);
    astarL_checkoptions(L, 2, "settled\0");
    bool settled = astarL_readflag(L, 2, "settled", false);
    astarL_pushjob(L, 1, settled ? &settling : &preparing);
    return 1;
}

// The methods below replace the methods of parts that were left out of the build.
static int say_without_baking(lua_State *L)
{
    return luaL_error(L, "astar was built without baking: WITHOUT=baking");
}

static int say_without_tactics(lua_State *L)
{
    return luaL_error(L, "astar was built without tactics: WITHOUT=tactics");
}

// finder:desire_map(parts) --> map
static int finder_desire_map(lua_State *L)
{
    return astarL_answerby(L, "tactics.desire_map");
}

static const astarL_Function finder_methods[] = {
    {"bake", 2, ASTAR_HAS_BAKING ? astarL_finder_bake : say_without_baking},
    {"baking", 2, ASTAR_HAS_BAKING ? astarL_finder_baking : say_without_baking},
    {"blockers", 5, astarL_finder_blockers},
    {"chokepoints", 5, ASTAR_HAS_TACTICS ? astarL_finder_chokepoints : say_without_tactics},
    {"clearance", 3, finder_clearance},
    {"cost_of", 4, astarL_finder_cost_of},
    {"desire_map", 2, ASTAR_HAS_TACTICS ? finder_desire_map : say_without_tactics},
    {"find_nearest", 5, astarL_finder_find_nearest},
    {"find_path", 6, finder_find_path},
    {"finding_nearest", 5, astarL_finder_finding_nearest},
    {"flow", 4, astarL_finder_flow},
    {"fov", 5, ASTAR_HAS_TACTICS ? astarL_finder_fov : say_without_tactics},
    {"intercept", 5, astarL_byplaces},
    {"load_baked", 2, ASTAR_HAS_BAKING ? astarL_finder_load_baked : say_without_baking},
    {"matrix", 3, astarL_byplaces},
    {"measuring", 3, astarL_byplaces},
    {"min_cut", 6, ASTAR_HAS_TACTICS ? astarL_finder_min_cut : say_without_tactics},
    {"options", 1, finder_options},
    {"preparing", 2, finder_preparing},
    {"raycast", 6, finder_raycast},
    {"reach", 5, astarL_finder_reach},
    {"reachable", 6, finder_reachable},
    {"sees", 6, finder_sees},
    {"search", 6, astarL_finder_search},
    {"spread", 4, ASTAR_HAS_TACTICS ? astarL_finder_spread : say_without_tactics},
    {"sweep", 6, finder_sweep},
    {"tour", 3, astarL_byplaces},
    {"touring", 3, astarL_byplaces},
    {"with_grid", 2, finder_with_grid},
    {"", 0, NULL},
};

const astarL_Class astarL_finderclass = {
    .type = ASTARL_FINDER, .methods = finder_methods, .close = close_finder};
