// lua_finder.c -- finders: their options, and the questions they answer.

#include "binding/lua_job.h"
#include "binding/lua_keys.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- options ----

static const char *const finder_option_names[] = {
    "diagonals",    "diagonal_cost",
    "costs",        "cost",
    "step_cost",    "min_cost",
    "heuristic",    "weight",
    "max_cost",     "max_expansions",
    "partial",      "range",
    "algorithm",    "avoid",
    "avoid_weight", "size",
    "any_angle",    "bends",
    "bend_cost",    "heading",
    "ignore",       NULL,
};
static const char *const question_names[] = {
    "weight", "max_cost", "max_expansions", "partial", "range", "bends", "heading", NULL,
};

// What a value of an option is called, as the core has it; NULL beyond the last.
static const char *name_diagonals(int value)
{
    return astar_diagonals_name((AstarDiagonals)value);
}

static const char *name_heuristic(int value)
{
    return astar_heuristic_name((AstarHeuristicName)value);
}

static const char *name_algorithm(int value)
{
    return astar_algorithm_name((AstarAlgorithm)value);
}

static const char *name_bends(int value)
{
    return astar_bends_name((AstarBends)value);
}

static const char *name_heading(int value)
{
    return astar_heading_name((AstarHeading)(value + 1));
}

// Pushes the raw value of an option; true if it is given.
static bool given(lua_State *L, int options, const char *name)
{
    if (astarL_rawfield(L, options, name) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

// The value that the name on top of the stack stands for, of those from 'first' on.
static int check_named(lua_State *L, const char *option, const char *(*name_of)(int), int first)
{
    enum { MOST_NAMES = 16 };
    static_assert(
        (int)ASTAR_DIAGONALS_COUNT < MOST_NAMES && (int)ASTAR_HEURISTIC_COUNT < MOST_NAMES &&
            (int)ASTAR_ALGORITHM_COUNT < MOST_NAMES && (int)ASTAR_HEADING_COUNT < MOST_NAMES,
        "room for all names");
    const char *names[MOST_NAMES];
    int count = 0;
    while ((names[count] = name_of(first + count)) != NULL)
        count++;
    return first + astarL_checkname(L, lua_gettop(L), names, option);
}

static int read_name(lua_State *L, int options, const char *option, const char *(*name_of)(int),
                     int otherwise)
{
    if (!given(L, options, option))
        return otherwise;
    int value = check_named(L, option, name_of, 0);
    lua_pop(L, 1);
    return value;
}

// Keeps a function among the finder's callbacks, in the table at 'callbacks'; true if given.
static bool read_function(lua_State *L, int options, const char *name, int callbacks, int slot)
{
    if (!given(L, options, name))
        return false;
    if (!lua_isfunction(L, -1))
        luaL_error(L, "%s must be a function, got %s", name, astarL_describe(L, lua_gettop(L)));
    lua_rawseti(L, callbacks, slot);
    return true;
}

// The option 'costs': {[key] = cost or false}, into a cost for each terrain.
static void read_costs(lua_State *L, const astarL_Grid *grid, int options,
                       double costs[ASTAR_MAX_TERRAINS])
{
    for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
        costs[i] = NAN;
    if (!given(L, options, "costs"))
        return;
    int table = lua_gettop(L);
    if (!lua_istable(L, table))
        luaL_error(L, "costs must be a table, got %s", astarL_describe(L, table));
    astarL_pushkeys(L, 1, ASTARL_TERRAINS);
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        astarL_checkheld(L, grid->core);
        int key = table + 2, terrain = astarL_findterrain(L, grid->core, table + 1, key);
        if (terrain < 0)
            luaL_error(L, "costs: unknown terrain %s%s", astarL_describe(L, key),
                       astarL_cureofkey(L, key));
        const char *name = lua_pushfstring(L, "costs: terrain %s", astarL_describe(L, key));
        costs[terrain] = astarL_checkcost(L, key + 1, name);
        lua_settop(L, key + 1);
    }
    lua_settop(L, table - 1);
}

static void read_heuristic(lua_State *L, int options, int callbacks, AstarOptions *o)
{
    if (!given(L, options, "heuristic"))
        return;
    if (lua_isfunction(L, -1)) {
        lua_rawseti(L, callbacks, ASTARL_ESTIMATE);
        o->estimate = astarL_ask_estimate;
        return;
    }
    if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "heuristic must be a name or a function, got %s",
                   astarL_describe(L, lua_gettop(L)));
    o->heuristic = (AstarHeuristicName)check_named(L, "heuristic", name_heuristic, ASTAR_OCTILE);
    lua_pop(L, 1);
}

// Refuses an algorithm asked for by name that cannot do what the other options want; 'what' says
// which, NULL for none.
static void check_algorithm(lua_State *L, AstarAlgorithm algorithm, const char *what)
{
    if (what != NULL)
        luaL_error(L, "algorithm \"%s\" cannot honour %s", astar_algorithm_name(algorithm), what);
}

// The option 'avoid': a field of the same cells as the grid's.
static void read_avoid(lua_State *L, int options, const astarL_Grid *grid, AstarOptions *o)
{
    o->avoid_weight = astarL_readreal(L, options, "avoid_weight", 0, ASTAR_COST_MAX,
                                      o->avoid_weight);
    if (!given(L, options, "avoid")) {
        if (given(L, options, "avoid_weight"))
            luaL_error(L, "avoid_weight needs avoid, a field");
        return;
    }
    int arg = lua_gettop(L);
    if (astarL_testobject(L, arg, ASTARL_FIELD) == NULL)
        luaL_error(L, "avoid must be an astar field, got %s", astarL_describe(L, arg));
    const astarL_Field *field = astarL_checkfield(L, arg);
    astarL_checkheld(L, grid->core);
    int width = astar_field_width(field->core), height = astar_field_height(field->core);
    int grid_width = astar_grid_width(grid->core), grid_height = astar_grid_height(grid->core);
    if (width != grid_width || height != grid_height)
        luaL_error(L, "avoid must be a field of %d x %d cells, as the grid is, got one of %d x %d",
                   grid_width, grid_height, width, height);
    if (field->x0 != grid->x0 || field->y0 != grid->y0)
        luaL_error(L, "avoid must have the grid's origin {%d, %d}, got {%d, %d}", grid->x0,
                   grid->y0, field->x0, field->y0);
    if (astar_field_offset(field->core) != astar_grid_offset(grid->core))
        luaL_error(L, "avoid must have the grid's shape: astar.field(grid) has");
    o->avoid = field->core;
    lua_pop(L, 1);
}

// Reads those options at 'options' that a question may have its own way.
static void read_question(lua_State *L, int options, AstarQuestion *question)
{
    question->weight = astarL_readreal(L, options, "weight", 1, ASTAR_MAX_WEIGHT, question->weight);
    question->max_cost = astarL_readreal(L, options, "max_cost", 0, (lua_Number)INFINITY,
                                         question->max_cost);
    lua_Number most = astarL_readwhole(L, options, "max_expansions", 1, ASTARL_MOST_WHOLE, 0);
    if (most > 0)
        question->max_expansions = (uint64_t)most;
    question->partial = astarL_readflag(L, options, "partial", question->partial);
    question->range = (int)astarL_readwhole(L, options, "range", 0, ASTAR_MAX_SIDE,
                                            question->range);
    question->bends = (AstarBends)read_name(L, options, "bends", name_bends, (int)question->bends);
    question->heading = (AstarHeading)(read_name(L, options, "heading", name_heading,
                                                 (int)question->heading - 1) +
                                       1);
}

// Raises an error where bends are to count that cannot, or a heading that counts for nothing, or
// that cells do not have.
static void check_bends(lua_State *L, const AstarGrid *grid, const AstarOptions *o,
                        const AstarQuestion *question)
{
    AstarOffset offset = astar_grid_offset(grid);
    bool is_fewest = question->bends == ASTAR_BENDS_FEWEST;
    if (o->any_angle && (question->bends != ASTAR_BENDS_ANY || o->bend_cost > 0))
        luaL_error(L, "any_angle cannot honour %s", o->bend_cost > 0 ? "bend_cost" : "bends");
    if (question->heading != ASTAR_NO_HEADING && !is_fewest && o->bend_cost == 0)
        luaL_error(L, "heading needs bends \"fewest\" or a bend_cost");
    if (question->heading != ASTAR_NO_HEADING && offset != ASTAR_NO_OFFSET &&
        (astar_grid_sides(grid) >> (question->heading - 1) & 1) == 0)
        luaL_error(L, "hexagons laid \"%s\" have no heading \"%s\"", astar_offset_name(offset),
                   astar_heading_name(question->heading));
}

const AstarQuestion *astarL_checkquestion(lua_State *L, int arg, const astarL_Finder *finder,
                                          AstarQuestion *question)
{
    if (lua_isnoneornil(L, arg))
        return NULL;
    *question = astar_question_default(finder->core);
    astarL_checkoptions(L, arg, question_names);
    read_question(L, arg, question);
    astarL_checkheld(L, finder->core);
    const AstarOptions *options = astar_finder_options(finder->core);
    check_algorithm(L, options->algorithm, astar_question_refusal(finder->core, question));
    check_bends(L, astar_finder_grid(finder->core), options, question);
    return question;
}

// Refuses options that cells of the grid's shape cannot honour.
static void check_shape(lua_State *L, const AstarGrid *grid, int options, const AstarOptions *o)
{
    static const char *const names[] = {"diagonals", "diagonal_cost", NULL};
    bool is_hexagonal = astar_grid_offset(grid) != ASTAR_NO_OFFSET;
    for (int i = 0; is_hexagonal && names[i] != NULL; i++)
        if (given(L, options, names[i]))
            luaL_error(L, "hexagons cannot honour %s", names[i]);
    const char *what = astar_grid_refusal(grid, o);
    if (what == NULL)
        return;
    if (strcmp(what, "this heuristic") == 0)
        luaL_error(L, "hexagons cannot honour heuristic \"%s\"",
                   astar_heuristic_name(o->heuristic));
    if (strcmp(what, "this algorithm") == 0)
        luaL_error(L, "hexagons cannot honour algorithm \"%s\"",
                   astar_algorithm_name(o->algorithm));
    luaL_error(L, "hexagons cannot honour %s%s", what, o->size > 1 ? " above 1" : "");
}

// Reads the options at 'options', keeping functions in the table at 'callbacks'.
static void read_finder_options(lua_State *L, const astarL_Grid *grid, int options, int callbacks,
                                AstarOptions *o, double costs[ASTAR_MAX_TERRAINS])
{
    astarL_checkoptions(L, options, finder_option_names);
    o->diagonals = (AstarDiagonals)read_name(L, options, "diagonals", name_diagonals,
                                             (int)o->diagonals);
    o->diagonal_cost = astarL_readreal(L, options, "diagonal_cost", 1, 2, o->diagonal_cost);
    read_costs(L, grid, options, costs);
    o->costs = costs;
    if (read_function(L, options, "cost", callbacks, ASTARL_COST))
        o->cost = astarL_ask_cost;
    if (read_function(L, options, "step_cost", callbacks, ASTARL_STEP_COST))
        o->step_cost = astarL_ask_step_cost;
    o->min_cost = astarL_readreal(L, options, "min_cost", ASTAR_COST_MIN, ASTAR_COST_MAX,
                                  o->min_cost);
    if (o->cost == NULL && o->step_cost == NULL && given(L, options, "min_cost"))
        luaL_error(L, "min_cost needs a function, cost or step_cost");
    read_heuristic(L, options, callbacks, o);
    AstarQuestion question = {
        .weight = o->weight, .max_cost = o->max_cost, .max_expansions = o->max_expansions};
    read_question(L, options, &question);
    o->weight = question.weight;
    o->max_cost = question.max_cost;
    o->max_expansions = question.max_expansions;
    o->partial = question.partial;
    o->range = question.range;
    o->bends = question.bends;
    o->heading = question.heading;
    o->bend_cost = astarL_readreal(L, options, "bend_cost", 0, ASTAR_COST_MAX, o->bend_cost);
    o->any_angle = astarL_readflag(L, options, "any_angle", false);
    o->size = (int)astarL_readwhole(L, options, "size", 1, ASTAR_MAX_SIZE, 1);
    o->algorithm = (AstarAlgorithm)read_name(L, options, "algorithm", name_algorithm, 0);
    read_avoid(L, options, grid, o);
    if (o->size > 1 && o->avoid != NULL)
        luaL_error(L, "size above 1 cannot honour avoid");
    check_algorithm(L, o->algorithm, astar_options_refusal(o));
    check_bends(L, grid->core, o, &question);
    check_shape(L, grid->core, options, o);
    if (given(L, options, "ignore"))
        o->ignore = astarL_checkignore(L, lua_gettop(L), grid);
}

// Pushes a copy of the table at 'table', read raw.
static void push_copied_table(lua_State *L, int table)
{
    lua_newtable(L);
    int copy = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, copy);
    }
}

// Pushes a copy of a finder's options, which a script may change as it likes.
static void push_options(lua_State *L, int options)
{
    static const char *const tables[] = {"costs", "ignore"};
    push_copied_table(L, options);
    int copy = lua_gettop(L);
    for (int i = 0; i < 2; i++) {
        if (astarL_rawfield(L, copy, tables[i]) == LUA_TTABLE) {
            push_copied_table(L, copy + 1);
            lua_setfield(L, copy, tables[i]);
        }
        lua_settop(L, copy);
    }
}

// Pushes a finder on the grid at 1 with the options at 'options', 0 for none.
static astarL_Finder *push_finder(lua_State *L, const astarL_Grid *grid, int options)
{
    astarL_settle(L, grid->core, &grid);
    astarL_leave(grid->core, astarL_enter(L, grid->core, 1)); // for new names of terrains
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
    double costs[ASTAR_MAX_TERRAINS];
    if (options != 0) {
        if (!lua_istable(L, options))
            luaL_error(L, "options must be a table, got %s", astarL_describe(L, options));
        push_options(L, options);
        read_finder_options(L, grid, self + 2, self + 1, &o, costs);
        lua_settop(L, self + 2);
        lua_rawseti(L, self + 1, ASTARL_GIVEN);
    }
    lua_settop(L, self + 1);
    lua_setuservalue(L, self);
    astarL_checkgrid(L, 1); // again: a finalizer may have closed it
    finder->workspace = astarL_workspace(L);
    if (finder->workspace != NULL)
        astar_workspace_retain(finder->workspace);
    finder->x0 = grid->x0;
    finder->y0 = grid->y0;
    finder->asks = o.cost != NULL || o.step_cost != NULL || o.estimate != NULL;
    AstarStatus status = astar_finder_new(grid->core, &o, &finder->core);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
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

// finder:options() --> a table of the options it was made with
static int finder_options(lua_State *L)
{
    astarL_checkfinder(L, 1);
    astarL_pushparts(L, 1);
    lua_rawgeti(L, 2, ASTARL_GIVEN);
    if (lua_istable(L, 3))
        push_options(L, 3);
    else
        lua_newtable(L);
    return 1;
}

// ---- questions ----

// Two cells as the core counts them.
typedef struct StartAndGoal {
    int x0, y0, x1, y1;
} StartAndGoal;

// Reads the two cells at 2 to 5.
static StartAndGoal check_start_and_goal(lua_State *L, const astarL_Finder *finder,
                                         const char *const names[4])
{
    const AstarGrid *grid = astar_finder_grid(finder->core);
    StartAndGoal ends;
    astarL_checkcell(L, 2, grid, finder->x0, finder->y0, names[0], names[1], &ends.x0, &ends.y0);
    astarL_checkcell(L, 4, grid, finder->x0, finder->y0, names[2], names[3], &ends.x1, &ends.y1);
    return ends;
}

static const char *const start_and_goal[] = {"sx", "sy", "gx", "gy"};
static const char *const ends_of_ray[] = {"x0", "y0", "x1", "y1"};

// Answers find_path for the finder at 'self', the cells at 2 to 5; 'question' may be NULL.
static int find_path(lua_State *L, astarL_Finder *finder, int self, const AstarQuestion *question)
{
    StartAndGoal ends = check_start_and_goal(L, finder, start_and_goal);
    astarL_Path *path = astarL_pushpath(L, finder->asks, self, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    int result = lua_gettop(L);
    astarL_Query query = {.finder = finder->core};
    if (!finder->asks && !astar_grid_is_view(astar_finder_grid(finder->core)) &&
        astar_find_directly(finder->workspace, finder->core, ends.x0, ends.y0, ends.x1, ends.y1,
                            question, &path->core)) {
        astarL_notevalid(path, 1, &query);
        return 1;
    }
    astarL_open(L, &query, &finder->core, finder->asks, self, finder->x0, finder->y0);
    AstarStatus status = astar_search_begin(query.search, ends.x0, ends.y0, ends.x1, ends.y1,
                                            question);
    if (status == ASTAR_RUNNING)
        status = astar_search_step(query.search, UINT64_MAX, &query);
    if (status == ASTAR_OK)
        status = astar_search_path(query.search, &path->core);
    astarL_notevalid(path, 1, &query);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    return 1;
}

// finder:find_path(sx, sy, gx, gy [, question]) --> path | nil, reason
static int finder_find_path(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    AstarQuestion question;
    return find_path(L, finder, 1, astarL_checkquestion(L, 6, finder, &question));
}

// Pushes the finder that grid:find_path uses where no options are given.
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
    astarL_Finder *finder = lua_isnil(L, 6) ? push_own_finder(L, grid) : push_finder(L, grid, 6);
    return find_path(L, finder, lua_gettop(L), NULL);
}

// finder:reachable(sx, sy, gx, gy) --> boolean
static int finder_reachable(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    StartAndGoal ends = check_start_and_goal(L, finder, start_and_goal);
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->asks, 1, finder->x0, finder->y0);
    bool exists = false;
    AstarStatus status = astar_search_reachable(query.search, ends.x0, ends.y0, ends.x1, ends.y1,
                                                &query, &exists);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, exists);
    return 1;
}

// finder:raycast(x0, y0, x1, y1) --> true | false, x, y: the first cell that stops it
static int finder_raycast(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    StartAndGoal ends = check_start_and_goal(L, finder, ends_of_ray);
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->asks, 1, finder->x0, finder->y0);
    bool stopped;
    int x, y;
    AstarStatus status = astar_search_raycast(query.search, ends.x0, ends.y0, ends.x1, ends.y1,
                                              &query, &stopped, &x, &y);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, !stopped);
    if (!stopped)
        return 1;
    lua_pushinteger(L, x + finder->x0);
    lua_pushinteger(L, y + finder->y0);
    return 3;
}

// finder:clearance(x, y) --> the largest size that fits there, 0 where none does
static int finder_clearance(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    int x, y, size;
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y", &x,
                     &y);
    if (astar_grid_offset(astar_finder_grid(finder->core)) != ASTAR_NO_OFFSET)
        return luaL_error(L, "hexagons cannot honour clearance");
    AstarGrid *grid = astar_finder_grid(finder->core);
    astarL_settle(L, grid, &size);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarStatus status = astar_clearance(finder->core, x, y, &size);
    astarL_leave(grid, entered);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushinteger(L, size);
    return 1;
}

static bool tell_finder(lua_State *L, const void *object)
{
    const astarL_Finder *finder = object;
    if (finder->core != NULL)
        lua_pushliteral(L, "astar finder");
    return finder->core != NULL;
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

static AstarStatus prepare_slice(void *finder, uint64_t expansions, void *context)
{
    (void)context;
    return astar_finder_prepare(finder, expansions);
}

static AstarStatus step_preparing(lua_State *L, int owner, astarL_Budget budget)
{
    const astarL_Finder *finder = astarL_checkfinder(L, owner);
    AstarGrid *grid = astar_finder_grid(finder->core);
    astarL_settle(L, grid, &grid);
    unsigned entered = astarL_enterof(L, &finder->core, owner);
    AstarStatus status = astarL_runslices(budget, prepare_slice, finder->core, NULL);
    astarL_leave(grid, entered);
    if (status != ASTAR_OK && status != ASTAR_RUNNING)
        astarL_fail(L, status);
    return status;
}

// finder:preparing() --> job
static int finder_preparing(lua_State *L)
{
    astarL_checkfinder(L, 1);
    astarL_pushjob(L, 1, step_preparing);
    return 1;
}

// In the place of what bakes, where that was left out of the build.
static int say_without_baking(lua_State *L)
{
    return luaL_error(L, "astar was built without baking: WITHOUT=baking");
}

void astarL_openfinder(lua_State *L)
{
    static const astarL_Function methods[] = {
        {"bake", ASTAR_HAS_BAKING ? astarL_finder_bake : say_without_baking, 2},
        {"baking", ASTAR_HAS_BAKING ? astarL_finder_baking : say_without_baking, 2},
        {"clearance", finder_clearance, 3},
        {"find_nearest", astarL_finder_find_nearest, 5},
        {"find_path", finder_find_path, 6},
        {"finding_nearest", astarL_finder_finding_nearest, 5},
        {"flow", astarL_finder_flow, 4},
        {"load_baked", ASTAR_HAS_BAKING ? astarL_finder_load_baked : say_without_baking, 2},
        {"options", finder_options, 1},
        {"preparing", finder_preparing, 1},
        {"raycast", finder_raycast, 5},
        {"reach", astarL_finder_reach, 4},
        {"reachable", finder_reachable, 5},
        {"search", astarL_finder_search, 6},
        {NULL, NULL, 0},
    };
    static const astarL_Class class = {ASTARL_FINDER, methods, close_finder, tell_finder,
                                       NULL,          NULL,    NULL};
    astarL_newtype(L, &class);
}
