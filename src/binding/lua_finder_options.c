// lua_finder_options.c -- what a finder is made with, and a question has its own way.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"
#include "binding/lua_query.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char *const finder_option_names[] = {
    "diagonals", "diagonal_cost", "costs",        "cost",           "step_cost",   "min_cost",
    "heuristic", "weight",        "max_cost",     "max_expansions", "partial",     "range",
    "algorithm", "avoid",         "avoid_weight", "size",           "any_angle",   "bends",
    "bend_cost", "heading",       "ignore",       "breach",         "dearer_only", NULL,
};
static const char *const question_names[] = {
    "weight", "max_cost", "max_expansions",  "partial", "range",
    "bends",  "heading",  "suppose_blocked", NULL,
};

typedef enum NamedOption {
    OPTION_DIAGONALS,
    OPTION_HEURISTIC,
    OPTION_ALGORITHM,
    OPTION_BENDS,
    OPTION_HEADING
} NamedOption;

static const char *const named_options[] = {"diagonals", "heuristic", "algorithm", "bends",
                                            "heading"};

// What a value of an option is called, as the core has it; NULL beyond the last.
static const char *name_of_value(NamedOption option, int value)
{
    switch (option) {
    case OPTION_DIAGONALS: return astar_diagonals_name((AstarDiagonals)value);
    case OPTION_HEURISTIC: return astar_heuristic_name((AstarHeuristicName)value);
    case OPTION_ALGORITHM: return astar_algorithm_name((AstarAlgorithm)value);
    case OPTION_BENDS: return astar_bends_name((AstarBends)value);
    default: return astar_heading_name((AstarHeading)(value + 1));
    }
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
static int check_named(lua_State *L, NamedOption option, int first)
{
    enum { MOST_NAMES = 16 };
    static_assert(
        (int)ASTAR_DIAGONALS_COUNT < MOST_NAMES && (int)ASTAR_HEURISTIC_COUNT < MOST_NAMES &&
            (int)ASTAR_ALGORITHM_COUNT < MOST_NAMES && (int)ASTAR_HEADING_COUNT < MOST_NAMES,
        "room for all names");
    const char *names[MOST_NAMES];
    int count = 0;
    while ((names[count] = name_of_value(option, first + count)) != NULL)
        count++;
    return first + astarL_checkname(L, lua_gettop(L), names, named_options[option]);
}

static int read_name(lua_State *L, int options, NamedOption option, int otherwise)
{
    if (!given(L, options, named_options[option]))
        return otherwise;
    int value = check_named(L, option, 0);
    lua_pop(L, 1);
    return value;
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
    o->heuristic = (AstarHeuristicName)check_named(L, OPTION_HEURISTIC, ASTAR_OCTILE);
    lua_pop(L, 1);
}

// Refuses an algorithm asked for by name that cannot do what the other options want; 'what' says
// which, NULL for none.
static void check_algorithm(lua_State *L, AstarAlgorithm algorithm, const char *what)
{
    if (what != NULL)
        luaL_error(L, "algorithm \"%s\" cannot honour %s", astar_algorithm_name(algorithm), what);
}

// The field at 'arg', called that: of the same cells as the grid's.
static AstarField *check_avoided(lua_State *L, int arg, const astarL_Grid *grid, const char *name)
{
    astarL_checkheld(L, grid->core);
    return astarL_checkfieldof(L, arg, grid->core, (AstarCell){grid->x0, grid->y0}, name)->core;
}

// The list at 'arg' of {field, weight}.
static void read_avoids(lua_State *L, int arg, const astarL_Grid *grid, AstarOptions *o,
                        AstarAvoid avoids[ASTAR_MAX_AVOIDS])
{
    const char *stray;
    size_t count = astarL_lengthof(L, arg, &stray);
    if (stray != NULL || count > ASTAR_MAX_AVOIDS)
        luaL_error(L, "avoid must be a field or a list of at most %d {field, weight}",
                   ASTAR_MAX_AVOIDS);
    for (int i = 0; i < (int)count; i++) {
        const char *name = lua_pushfstring(L, "avoid[%d]", i + 1);
        lua_rawgeti(L, arg, i + 1);
        int entry = lua_gettop(L);
        if (!lua_istable(L, entry) || astarL_strayentry(L, entry, 2, NULL) != NULL)
            luaL_error(L, "%s must be {field, weight}, got %s", name, astarL_describe(L, entry));
        lua_rawgeti(L, entry, 1);
        lua_rawgeti(L, entry, 2);
        avoids[i].field = check_avoided(L, entry + 1, grid, lua_pushfstring(L, "%s[1]", name));
        avoids[i].weight = (double)astarL_checkreal(L, entry + 2, -ASTAR_COST_MAX, ASTAR_COST_MAX,
                                                    lua_pushfstring(L, "%s[2]", name));
        lua_settop(L, arg);
    }
    o->avoids = avoids;
    o->avoid_count = (int)count;
}

// The option 'avoid': a field, or a list of fields and weights.
static void read_avoid(lua_State *L, int options, const astarL_Grid *grid, AstarOptions *o,
                       AstarAvoid avoids[ASTAR_MAX_AVOIDS])
{
    o->avoid_weight = astarL_readreal(L, options, "avoid_weight", 0, ASTAR_COST_MAX,
                                      o->avoid_weight);
    int arg = lua_gettop(L) + 1;
    bool is_given = given(L, options, "avoid"), is_list = is_given && lua_istable(L, arg);
    if ((!is_given || is_list) && given(L, options, "avoid_weight"))
        luaL_error(L, "avoid_weight needs avoid, a field");
    if (is_list)
        read_avoids(L, arg, grid, o, avoids);
    else if (is_given)
        o->avoid = check_avoided(L, arg, grid, "avoid");
    lua_settop(L, arg - 1);
}

// Reads those options at 'options' that a question may have its own way.
static void read_question(lua_State *L, int options, AstarQuestion *question)
{
    question->weight = astarL_readreal(L, options, "weight", 1, ASTAR_MAX_WEIGHT, question->weight);
    question->max_cost = astarL_readreal(L, options, "max_cost", 0, (lua_Number)INFINITY,
                                         question->max_cost);
    question->max_expansions = astarL_readmost(L, options, question->max_expansions);
    question->partial = astarL_readflag(L, options, "partial", question->partial);
    question->range = (int)astarL_readwhole(L, options, "range", 0, ASTAR_MAX_SIDE,
                                            question->range);
    question->bends = (AstarBends)read_name(L, options, OPTION_BENDS, (int)question->bends);
    question->heading =
        (AstarHeading)(read_name(L, options, OPTION_HEADING, (int)question->heading - 1) + 1);
}

// The option 'bend_cost': a number, or {[angle] = number}.
static void read_bend_cost(lua_State *L, const AstarGrid *grid, int options, AstarOptions *o,
                           double costs[4])
{
    int top = lua_gettop(L);
    if (astarL_rawfield(L, options, "bend_cost") != LUA_TTABLE) {
        o->bend_cost = astarL_readreal(L, options, "bend_cost", 0, ASTAR_COST_MAX, 0);
        lua_settop(L, top);
        return;
    }
    bool is_square = astar_grid_offset(grid) == ASTAR_NO_OFFSET;
    lua_pushinteger(L, !is_square ? 60 : o->diagonals == ASTAR_NEVER ? 90 : 45);
    astarL_askabout(L, "arguments", "bend_cost", 2);
    o->bend_cost = (double)lua_tonumber(L, -1); // the dearest
    for (int i = 0; i < 4; i++)
        costs[i] = (double)lua_tonumber(L, i - 5);
    o->bend_costs = costs;
    lua_settop(L, top);
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
        astar_offset_wrap(offset) == NULL &&
        (astar_grid_sides(grid) >> (question->heading - 1) & 1) == 0)
        luaL_error(L, "%s laid \"%s\" have no heading \"%s\"", astar_offset_cells(offset),
                   astar_offset_name(offset), astar_heading_name(question->heading));
}

// Refuses options that cells of the grid's shape cannot honour.
static void check_shape(lua_State *L, const AstarGrid *grid, int options, const AstarOptions *o)
{
    static const char *const names[] = {"diagonals", "diagonal_cost", NULL};
    AstarOffset offset = astar_grid_offset(grid);
    const char *cells = astar_offset_cells(offset), *what = astar_grid_refusal(grid, o);
    bool is_square = astar_offset_wrap(offset) != NULL || offset == ASTAR_NO_OFFSET;
    for (int i = 0; !is_square && names[i] != NULL; i++)
        if (given(L, options, names[i]))
            luaL_error(L, "%s cannot honour %s", cells, names[i]);
    if (what == NULL)
        return;
    if (strcmp(what, "this heuristic") == 0)
        luaL_error(L, "%s cannot honour heuristic \"%s\"", cells,
                   astar_heuristic_name(o->heuristic));
    if (strcmp(what, "this algorithm") == 0)
        luaL_error(L, "%s cannot honour algorithm \"%s\"", cells,
                   astar_algorithm_name(o->algorithm));
    luaL_error(L, "%s cannot honour %s%s", cells, what, o->size > 1 ? " above 1" : "");
}

const AstarQuestion *astarL_checkquestion(lua_State *L, int arg, const astarL_Finder *finder,
                                          AstarQuestion *question)
{
    if (lua_isnoneornil(L, arg))
        return NULL;
    *question = astar_question_default(finder->core);
    astarL_checkoptions(L, arg, question_names);
    if (given(L, arg, "suppose_blocked"))
        luaL_error(L, "suppose_blocked is for find_path, find_nearest, reachable and raycast");
    read_question(L, arg, question);
    astarL_checkheld(L, finder->core);
    const AstarOptions *options = astar_finder_options(finder->core);
    check_algorithm(L, options->algorithm, astar_question_refusal(finder->core, question));
    check_bends(L, astar_finder_grid(finder->core), options, question);
    AstarOptions asked = *options;
    asked.bends = question->bends;
    check_shape(L, astar_finder_grid(finder->core), arg, &asked);
    return question;
}

void astarL_checkrange(lua_State *L, const astarL_Finder *finder, const AstarQuestion *question,
                       const char *what)
{
    AstarQuestion asked = question != NULL ? *question : astar_question_default(finder->core);
    const char *wrap = astar_offset_wrap(astar_grid_offset(astar_finder_grid(finder->core)));
    if (wrap != NULL && (asked.range > 0 || asked.partial))
        luaL_error(L, "worlds that go round cannot honour range or partial of %s", what);
}

void astarL_readfinder(lua_State *L, const astarL_Grid *grid, int options, int callbacks,
                       AstarOptions *o, astarL_OptionLists *lists)
{
    astarL_checkoptions(L, options, finder_option_names);
    o->diagonals = (AstarDiagonals)read_name(L, options, OPTION_DIAGONALS, (int)o->diagonals);
    o->diagonal_cost = astarL_readreal(L, options, "diagonal_cost", 1, 2, o->diagonal_cost);
    read_costs(L, grid, options, lists->costs);
    o->costs = lists->costs;
    if (astarL_keepfunction(L, options, "cost", callbacks, ASTARL_COST))
        o->cost = astarL_ask_cost;
    if (astarL_keepfunction(L, options, "step_cost", callbacks, ASTARL_STEP_COST))
        o->step_cost = astarL_ask_step_cost;
    o->min_cost = astarL_readreal(L, options, "min_cost", ASTAR_COST_MIN, ASTAR_COST_MAX,
                                  o->min_cost);
    o->dearer_only = astarL_readflag(L, options, "dearer_only", false);
    const char *idle = o->dearer_only ? "dearer_only" : "min_cost";
    if (o->cost == NULL && o->step_cost == NULL && given(L, options, idle))
        luaL_error(L, "%s needs a function, cost or step_cost", idle);
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
    read_bend_cost(L, grid->core, options, o, lists->bend_costs);
    o->any_angle = astarL_readflag(L, options, "any_angle", false);
    o->size = (int)astarL_readwhole(L, options, "size", 1, ASTAR_MAX_SIZE, 1);
    o->algorithm = (AstarAlgorithm)read_name(L, options, OPTION_ALGORITHM, 0);
    read_avoid(L, options, grid, o, lists->avoids);
    if (given(L, options, "breach") && astarL_checkbreach(L, lua_gettop(L), grid, lists->breach))
        o->breach = lists->breach;
    if (o->size > 1 && (o->avoid != NULL || o->avoid_count > 0))
        luaL_error(L, "size above 1 cannot honour avoid");
    check_algorithm(L, o->algorithm, astar_options_refusal(o));
    check_bends(L, grid->core, o, &question);
    check_shape(L, grid->core, options, o);
    if (given(L, options, "ignore"))
        o->ignore = astarL_checkignore(L, lua_gettop(L), grid);
}
