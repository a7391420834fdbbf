// lua_finder_options.c -- what a finder is made with, and a question has its own way.

#include "binding/lua_helper.h"
#include "binding/lua_keys.h"
#include "binding/lua_query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum NamedOption {
    OPTION_DIAGONALS,
    OPTION_HEURISTIC,
    OPTION_ALGORITHM,
    OPTION_BENDS,
    OPTION_HEADING
} NamedOption;

static const char named_options[] = "diagonals\0heuristic\0algorithm\0bends\0heading\0";

// What a value of an option is called, as the core has it, counted from the first that scripts
// know; NULL beyond the last.
static const char *name_of_value(NamedOption option, int value)
{
    switch (option) {
    case OPTION_DIAGONALS: return astar_diagonals_name((AstarDiagonals)value);
    case OPTION_HEURISTIC: return astar_heuristic_name((AstarHeuristicName)(value + 1));
    case OPTION_ALGORITHM: return astar_algorithm_name((AstarAlgorithm)value);
    case OPTION_BENDS: return astar_bends_name((AstarBends)value);
    default: return astar_heading_name((AstarHeading)(value + 1));
    }
}

// Pushes a list of all of them.
static void push_values(lua_State *L, NamedOption option)
{
    const char *name;
    lua_newtable(L);
    for (int i = 0; (name = name_of_value(option, i)) != NULL; i++)
        astarL_addname(L, name);
}

// core.names_of(option) --> list
int astarL_names_of(lua_State *L)
{
    push_values(L, (NamedOption)astarL_checkname(L, 1, named_options, "option"));
    return 1;
}

// Pushes the raw value of an option; true if it is given.
static bool given(lua_State *L, int options, const char *name)
{
    if (astarL_rawfield(L, options, name) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

// Which value of an option is given, by its name.
static int read_name(lua_State *L, int options, const char *option_name, NamedOption option,
                     int otherwise)
{
    const char *name;
    if (!given(L, options, option_name))
        return otherwise;
    int arg = lua_gettop(L), value = 0;
    while ((name = name_of_value(option, value)) != NULL && !astarL_isname(L, arg, name))
        value++;
    if (name == NULL) {
        lua_pushstring(L, option_name);
        push_values(L, option);
        astarL_complain(L, "one_of", 3);
    }
    lua_pop(L, 1);
    return value;
}

// Refuses an algorithm asked for by name that cannot do what the other options want; 'what' says
// which, NULL for none.
static void check_algorithm(lua_State *L, AstarAlgorithm algorithm, const char *what)
{
    if (what != NULL)
        luaL_error(L, "algorithm \"%s\" cannot honour %s", astar_algorithm_name(algorithm), what);
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
    question->bends = (AstarBends)read_name(L, options, "bends", OPTION_BENDS,
                                            (int)question->bends);
    question->heading = (AstarHeading)(read_name(L, options, "heading", OPTION_HEADING,
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
        astar_offset_wrap(offset) == NULL &&
        (astar_grid_sides(grid) >> (question->heading - 1) & 1) == 0)
        luaL_error(L, "%s laid \"%s\" have no heading \"%s\"", astar_offset_cells(offset),
                   astar_offset_name(offset), astar_heading_name(question->heading));
}

// Refuses options that cells of the grid's shape cannot honour.
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
    luaL_error(L, "%s cannot honour %s%s", cells, what, o->size > 1 ? " above 1" : "");
}

const AstarQuestion *astarL_checkquestion(lua_State *L, int arg, const astarL_Finder *finder,
                                          AstarQuestion *question)
{
    if (lua_isnoneornil(L, arg))
        return NULL;
    astarL_checkoptions(L, arg, ASTARL_QUESTION);
    astarL_checkheld(L, finder->core);
    *question = astar_question_default(finder->core);
    if (given(L, arg, "suppose_blocked"))
        luaL_error(L,
                   "suppose_blocked is for find_path, find_nearest, reachable, raycast and sweep");
    read_question(L, arg, question);
    astarL_checkheld(L, finder->core);
    const AstarOptions *options = astar_finder_options(finder->core);
    check_algorithm(L, options->algorithm, astar_question_refusal(finder->core, question));
    check_bends(L, astar_finder_grid(finder->core), options, question);
    AstarOptions asked = *options;
    asked.bends = question->bends;
    check_shape(L, astar_finder_grid(finder->core), arg, &asked);
    astarL_checkheld(L, finder->core);
    return question;
}

void astarL_checkrange(lua_State *L, const astarL_Finder *finder, const AstarQuestion *question,
                       const char *what)
{
    astarL_checkheld(L, finder->core);
    AstarQuestion asked = question != NULL ? *question : astar_question_default(finder->core);
    const char *wrap = astar_offset_wrap(astar_grid_offset(astar_finder_grid(finder->core)));
    if (wrap != NULL && (asked.range > 0 || asked.partial))
        luaL_error(L, "worlds that go round cannot honour range or partial of %s", what);
}

// ---- of finders ----

// Where what arguments.lua makes of a finder's options stands, counted from the options themselves:
// functions in the order of their parts, numbers, and tables, or nil.
enum {
    READ_FUNCTIONS = 1,
    READ_NUMBERS = READ_FUNCTIONS + 3,
    READ_COSTS,
    READ_BEND_COSTS,
    READ_AVOID,
    READ_BREACH,
    READ_COUNT
};

// Takes so many numbers out of the list at 'arg'; NULL where there is none.
static const double *take_numbers(lua_State *L, int arg, double *numbers, int count)
{
    for (int i = 0; i < count && lua_istable(L, arg); i++) {
        lua_rawgeti(L, arg, i + 1);
        numbers[i] = (double)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return lua_istable(L, arg) ? numbers : NULL;
}

// What options that are numbers, flags or names come to; finder_options.lua lists them so.
static AstarOptions take_options(lua_State *L, int first)
{
    double v[18] = {0};
    take_numbers(L, first + READ_NUMBERS, v, 18);
    return (AstarOptions){
        .cost = lua_isfunction(L, first + READ_FUNCTIONS) ? astarL_ask_cost : NULL,
        .step_cost = lua_isfunction(L, first + READ_FUNCTIONS + 1) ? astarL_ask_step_cost : NULL,
        .estimate = lua_isfunction(L, first + READ_FUNCTIONS + 2) ? astarL_ask_estimate : NULL,
        .diagonals = (AstarDiagonals)v[0],
        .heuristic = (AstarHeuristicName)v[1],
        .algorithm = (AstarAlgorithm)v[2],
        .bends = (AstarBends)v[3],
        .heading = (AstarHeading)v[4],
        .diagonal_cost = v[5],
        .min_cost = v[6],
        .weight = v[7],
        .max_cost = v[8],
        .max_expansions = v[9] < ASTARL_MOST_WHOLE ? (uint64_t)v[9] : UINT64_MAX,
        .range = (int)v[10],
        .size = (int)v[11],
        .bend_cost = v[12],
        .avoid_weight = v[13],
        .dearer_only = v[14] != 0,
        .partial = v[15] != 0,
        .any_angle = v[16] != 0,
        .margin = v[17],
    };
}

// Reads the unit's own costs: a table of them by the numbers of terrains.
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
    astarL_checkheld(L, grid->core); // reading the options, too, a finalizer may close it
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
    if (o->size > 1 && (o->avoid != NULL || o->avoid_count > 0))
        luaL_error(L, "size above 1 cannot honour avoid");
    const AstarQuestion question = {.bends = o->bends, .heading = o->heading};
    check_algorithm(L, o->algorithm, astar_options_refusal(o));
    astarL_checkheld(L, grid->core);
    check_bends(L, grid->core, o, &question);
    check_shape(L, grid->core, first, o);
    if (given(L, first, "ignore"))
        o->ignore = astarL_takeignored(L, grid);
    lua_pushvalue(L, first + READ_AVOID);
}
