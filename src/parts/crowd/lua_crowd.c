// lua_crowd.c -- the Lua objects of crowds and of the jobs that make plans: creating them, adding
// units, orders to many units, ticks, saving and loading.

#include "parts/crowd/lua_crowd.h"

#include "binding/lua_job.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "binding/lua_util.h"
#include "parts/crowd/lua_unit.h"

#include <string.h>

static const lua_Number LONGEST_CROWD_TIME = 1e6;

// The functions below create crowds.

static AstarCrowdOptions read_crowd_options(lua_State *L, int arg, double *speed)
{
    AstarCrowdOptions options = astar_crowd_options_default();
    astarL_checkoptions(L, arg, "speed\0bytes\0exclusive\0expansions\0knots\0seed\0even\0");
    *speed = astarL_readreal(L, arg, "speed", 0.001, 1e6, 4);
    lua_Number bytes = astarL_readwhole(L, arg, "bytes", 0, ASTARL_MOST_WHOLE, 64e6);
    options.bytes = bytes < (lua_Number)SIZE_MAX ? (size_t)bytes : SIZE_MAX / 2;
    options.expansions = (uint64_t)astarL_readwhole(L, arg, "expansions", 1, ASTARL_MOST_WHOLE,
                                                    (lua_Number)options.expansions);
    options.seed = (uint64_t)astarL_readwhole(L, arg, "seed", 0, ASTARL_MOST_WHOLE, 0);
    options.is_exclusive = astarL_readflag(L, arg, "exclusive", false);
    options.is_even = astarL_readflag(L, arg, "even", false);
    options.leaves_deadlocks = !astarL_readflag(L, arg, "knots", true);
    return options;
}

// core.crowd(finder [, {speed =, bytes =, exclusive =, expansions =, knots =,
// seed =, even =}]) --> crowd
static int new_crowd(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    double speed;
    AstarCrowdOptions options = read_crowd_options(L, 2, &speed);
    astarL_Crowd *crowd = astarL_newobject(L, ASTARL_CROWD, sizeof *crowd);
    lua_newtable(L);
    lua_setuservalue(L, -2);
    crowd->x0 = finder->x0;
    crowd->y0 = finder->y0;
    crowd->speed = speed;
    astarL_checkcrowdfinder(L, finder);
    AstarStatus status = astar_crowd_new(finder->core, &options, &crowd->core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_accountcrowd(L, crowd, false);
    return 1;
}

// The functions below add units to a crowd and return units and their positions.

// The options of a call of crowd:add.
typedef struct UnitOptions {
    const astarL_Finder *finder; // finder of the unit; NULL: the finder of the crowd
    int period, side;
    double speed, turn;
} UnitOptions;

// Reads the options {finder =, period =, speed =, turn =} at 'arg'. The option 'side' is read
// later.
static void read_unit_options(lua_State *L, int arg, const astarL_Crowd *crowd,
                              UnitOptions *options)
{
    *options = (UnitOptions){.period = 1, .speed = crowd->speed};
    astarL_checkoptions(L, arg, "finder\0period\0speed\0turn\0side\0");
    options->period = (int)astarL_readwhole(L, arg, "period", 1, ASTAR_MAX_PERIOD, 1);
    options->speed = astarL_readreal(L, arg, "speed", crowd->speed / ASTAR_MAX_PERIOD, crowd->speed,
                                     crowd->speed / options->period);
    options->turn = astarL_readreal(L, arg, "turn", 0, 1e6, 0);
    if (astarL_rawfield(L, arg, "finder") != LUA_TNIL)
        // The finder stays on the stack, so that it is not collected.
        options->finder = astarL_checkfinder(L, lua_gettop(L));
}

static AstarStatus add_unit(const astarL_Crowd *crowd, int x, int y, const UnitOptions *options,
                            AstarUnit *unit)
{
    AstarFinder *finder = options->finder != NULL ? options->finder->core : NULL;
    AstarStatus status = astar_crowd_add(crowd->core, finder, x, y, options->period, unit);
    double pace = ASTAR_BEAT * crowd->speed / options->speed;
    if (status != ASTAR_OK)
        return status;
    if (pace != options->period * ASTAR_BEAT || options->turn != 0)
        status = astar_crowd_set_motion(crowd->core, *unit, (uint32_t)(pace + 0.5),
                                        options->turn / crowd->speed);
    if (status == ASTAR_OK && options->side > 0)
        status = astar_crowd_set_side(crowd->core, *unit, options->side);
    if (status != ASTAR_OK)
        astar_crowd_remove(crowd->core, *unit);
    return status;
}

// Returns the number of the side whose name is on top of the stack. Adds the side if it is new. The
// table at index 'parts' maps names to numbers, negated numbers to names, and 0 to the number of
// sides.
static int number_of_side(lua_State *L, int parts)
{
    int name = lua_gettop(L);
    if (lua_type(L, name) != LUA_TSTRING)
        astarL_badvalue(L, name, "side must be a string");
    lua_pushvalue(L, name);
    lua_rawget(L, parts);
    int number = (int)lua_tointeger(L, -1);
    if (number > 0)
        return number;
    lua_rawgeti(L, parts, 0);
    number = (int)lua_tointeger(L, -1) + 1;
    if (number > ASTAR_MAX_UNIT_SIDE)
        luaL_error(L, "a crowd has %d sides at most", ASTAR_MAX_UNIT_SIDE);
    lua_pushvalue(L, name);
    lua_rawseti(L, parts, -number);
    lua_pushvalue(L, name);
    lua_pushinteger(L, number);
    lua_rawset(L, parts);
    lua_pushinteger(L, number);
    lua_rawseti(L, parts, 0);
    return number;
}

// crowd:add(x, y [, {finder =, period =, speed =, turn =, side =}]) --> unit | nil, reason
static int crowd_add(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    int x, y;
    UnitOptions options;
    astarL_checkcell(L, 2, astarL_gridofcrowd(crowd->core), crowd->x0, crowd->y0, "x", "y", &x, &y);
    lua_settop(L, 4);
    read_unit_options(L, 4, crowd, &options);
    astarL_Unit *unit = astarL_newobject(L, ASTARL_UNIT, sizeof *unit);
    int object = lua_gettop(L);
    astarL_pushparts(L, 1);
    if (options.finder != NULL)
        astarL_checkcrowdfinder(L, options.finder);
    astarL_checkheld(L, crowd->core);
    if (options.finder != NULL &&
        astar_finder_grid(options.finder->core) != astarL_gridofcrowd(crowd->core))
        return luaL_error(L, "finder belongs to another grid");
    if (lua_istable(L, 4) && astarL_rawfield(L, 4, "side") != LUA_TNIL)
        options.side = number_of_side(L, object + 1);
    lua_settop(L, object + 1);
    // The Lua object of the unit is put into the table before the unit is added, because this step
    // may run out of memory.
    lua_pushvalue(L, object);
    lua_rawseti(L, object + 1, (int)astar_crowd_next_number(crowd->core) + 1);
    lua_pushvalue(L, object + 1);
    lua_setuservalue(L, object);
    AstarStatus status = add_unit(crowd, x, y, &options, &unit->unit);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    unit->core = crowd->core;
    astar_crowd_retain(unit->core);
    unit->x0 = crowd->x0;
    unit->y0 = crowd->y0;
    unit->speed = options.speed;
    astarL_accountcrowd(L, crowd, false);
    lua_settop(L, object);
    return 1;
}

// crowd:units() --> list
static int crowd_units(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    lua_settop(L, 1);
    lua_newtable(L);
    astarL_pushparts(L, 1);
    astarL_checkheld(L, crowd->core);
    uint32_t cursor = 0;
    AstarUnit unit;
    for (int i = 1; astar_crowd_next_unit(crowd->core, &cursor, &unit); i++) {
        astarL_pushunit(L, unit);
        lua_rawseti(L, 2, i);
    }
    lua_settop(L, 2);
    return 1;
}

// Pushes the names of all headings, in the order of AstarHeading. The name of "no heading" is
// false.
static void push_heading_names(lua_State *L)
{
    luaL_checkstack(L, ASTAR_HEADING_COUNT + 3, "too many headings");
    for (int heading = 0; heading < ASTAR_HEADING_COUNT; heading++) {
        const char *name = astar_heading_name((AstarHeading)heading);
        if (name != NULL)
            lua_pushstring(L, name);
        else
            lua_pushboolean(L, false);
    }
}

// Removes all values after the first 'count' from the list at index 2. These values may be left
// from an earlier call with the same list.
static void cut_list(lua_State *L, int count)
{
    for (int i = count + 1; lua_rawgeti(L, 2, i), !lua_isnil(L, -1); i++) {
        lua_pop(L, 1);
        lua_pushnil(L);
        lua_rawseti(L, 2, i);
    }
    lua_pop(L, 1);
}

// crowd:positions([list]) --> list, number of units; the list contains x, y and heading of each
// unit
static int crowd_positions(lua_State *L)
{
    const astarL_Crowd *crowd = astarL_checkcrowd(L);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_createtable(L, 3 * (int)astar_crowd_count(crowd->core), 0);
        lua_replace(L, 2);
    } else if (!lua_istable(L, 2))
        return astarL_badvalue(L, 2, "list must be a table");
    push_heading_names(L);
    uint32_t cursor = 0;
    int count = 0;
    for (AstarUnitPlace place;
         crowd->core != NULL && astar_crowd_next_place(crowd->core, &cursor, &place);) {
        astarL_pushcoordinate(L, place.x + crowd->x0);
        lua_rawseti(L, 2, ++count);
        astarL_pushcoordinate(L, place.y + crowd->y0);
        lua_rawseti(L, 2, ++count);
        lua_pushvalue(L, 3 + (int)place.heading);
        lua_rawseti(L, 2, ++count);
    }
    cut_list(L, count);
    lua_settop(L, 2);
    lua_pushinteger(L, count / 3);
    return 2;
}

// crowd:unit_at(x, y) --> unit | nil
static int crowd_unit_at(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    int x, y;
    astarL_checkcell(L, 2, astarL_gridofcrowd(crowd->core), crowd->x0, crowd->y0, "x", "y", &x, &y);
    AstarUnit unit = astar_crowd_unit_at(crowd->core, x, y);
    if (unit == 0)
        return 0;
    astarL_pushparts(L, 1);
    astarL_pushunit(L, unit);
    return 1;
}

// The functions below give orders to a crowd as a whole and run its ticks.

// Returns true if the table of options at 'arg' contains an option of formations: shape, facing,
// gap or together.
static bool is_formation(lua_State *L, int arg)
{
    bool is_any = false;
    for (const char *name = "shape\0facing\0gap\0together\0"; *name != '\0';
         name += strlen(name) + 1) {
        is_any |= astarL_rawfield(L, arg, name) != LUA_TNIL;
        lua_pop(L, 1);
    }
    return is_any;
}

// crowd:go(units, x, y [, {partial =, range =, shape =, facing =, gap =, together =}])
//   --> number of units sent | nil, reason
static int crowd_go(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    int x, y, sent = 0;
    int count = (int)astarL_checkunits(L);
    astarL_checkcell(L, 3, astarL_gridofcrowd(crowd->core), crowd->x0, crowd->y0, "x", "y", &x, &y);
    AstarGoOptions options = astarL_readgo(L, 5, true);
    astarL_checkheld(L, crowd->core);
    for (int i = 1; i <= count; i++)
        astarL_checklistedunit(L, crowd, i);
    if (is_formation(L, 5))
        return astarL_go_in_formation(L, count);
    for (int i = 1; i <= count; i++) {
        const astarL_Unit *unit = astarL_checklistedunit(L, crowd, i);
        AstarStatus status = astar_crowd_send(crowd->core, unit->unit, x, y, &options);
        if (status == ASTAR_NO_MEMORY)
            return astarL_fail(L, status);
        sent += status == ASTAR_OK;
    }
    if (sent == 0 && count > 0)
        return astarL_fail(L, ASTAR_GOAL_BLOCKED);
    lua_pushinteger(L, sent);
    return 1;
}

// crowd:update(dt) --> number of units under way. Lets dt seconds pass and runs the ticks that are
// due.
static int crowd_update(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    double dt = astarL_checkreal(L, 2, 0, LONGEST_CROWD_TIME, "dt");
    AstarStatus status = astar_crowd_update(crowd->core, dt * crowd->speed);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushinteger(L, astar_crowd_under_way(crowd->core));
    astarL_accountcrowd(L, crowd, false);
    return 1;
}

static AstarStatus step_crowd_slice(void *core, uint64_t expansions, void *context)
{
    (void)context;
    return astar_crowd_step(core, expansions);
}

// crowd:step([n | {ms =, expansions =}]) --> "running" | "done"
static int crowd_step(lua_State *L)
{
    astarL_checkcrowd(L);
    astarL_Budget budget = astarL_checkbudget(L, 2);
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    AstarStatus status = astarL_runslices(budget, step_crowd_slice, crowd->core, NULL);
    if (status != ASTAR_OK && status != ASTAR_RUNNING)
        return astarL_fail(L, status);
    astarL_accountcrowd(L, crowd, astarL_isbyclock(budget));
    lua_pushstring(L, status == ASTAR_RUNNING ? "running" : "done");
    return 1;
}

// Pushes a list of the steps that units took in the last tick.
static int push_moves(lua_State *L, const astarL_Crowd *crowd)
{
    lua_settop(L, 1);
    lua_newtable(L);
    astarL_pushparts(L, 1);
    uint32_t cursor = 0;
    AstarUnit unit;
    AstarUnitFacts facts;
    for (int count = 0;
         crowd->core != NULL && astar_crowd_next_unit(crowd->core, &cursor, &unit);) {
        astar_crowd_unit(crowd->core, unit, &facts);
        if (facts.x == facts.from_x && facts.y == facts.from_y)
            continue;
        lua_createtable(L, 0, 6);
        lua_pushvalue(L, 3);
        astarL_pushunit(L, unit);
        lua_setfield(L, 4, "unit");
        lua_settop(L, 4);
        astarL_setinteger(L, "from_x", facts.from_x + crowd->x0);
        astarL_setinteger(L, "from_y", facts.from_y + crowd->y0);
        astarL_setinteger(L, "x", facts.x + crowd->x0);
        astarL_setinteger(L, "y", facts.y + crowd->y0);
        lua_pushstring(L, astar_heading_name(facts.heading));
        lua_setfield(L, 4, "heading");
        lua_rawseti(L, 2, ++count);
    }
    lua_settop(L, 2);
    return 1;
}

// crowd:beat() --> list of {unit =, from_x =, from_y =, x =, y =, heading =}
static int crowd_beat(lua_State *L)
{
    astarL_Crowd *crowd = astarL_checkcrowd(L);
    AstarStatus status = astar_crowd_beat(crowd->core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    astarL_accountcrowd(L, crowd, false);
    return push_moves(L, crowd);
}

static void push_crowd_field(lua_State *L, const void *object, const char *name)
{
    const astarL_Crowd *crowd = object;
    if (strcmp(name, "beats") == 0)
        lua_pushinteger(L, (lua_Integer)astar_crowd_beats(crowd->core));
    else if (strcmp(name, "under_way") == 0)
        lua_pushinteger(L, astar_crowd_under_way(crowd->core));
    else if (strcmp(name, "bytes") == 0)
        lua_pushinteger(L, (lua_Integer)astar_crowd_bytes(crowd->core, NULL));
    else if (strcmp(name, "speed") == 0)
        lua_pushnumber(L, crowd->speed);
}

// #crowd --> number of units
static int count_units(const void *object)
{
    return (int)astar_crowd_count(((const astarL_Crowd *)object)->core);
}

ASTARL_RELEASE(release_crowd, astar_crowd_release)

static const astarL_Function crowd_methods[] = {
    {"add", 4, crowd_add},
    {"beat", 1, crowd_beat},
    {"dump", 1, astarL_crowd_dump},
    {"go", 5, crowd_go},
    {"positions", 2, crowd_positions},
    {"resolving", 3, astarL_crowd_resolving},
    {"step", 2, crowd_step},
    {"unit_at", 3, crowd_unit_at},
    {"units", 1, crowd_units},
    {"update", 2, crowd_update},
    {"", 0, NULL},
};

const astarL_Class astarL_crowdclass = {.type = ASTARL_CROWD,
                                        .methods = crowd_methods,
                                        .release = release_crowd,
                                        .field = push_crowd_field,
                                        .count = count_units,
                                        .fields = "beats\0under_way\0bytes\0speed\0"};

void astarL_opencrowd(lua_State *L)
{
    static const astarL_Function functions[] = {
        {"crowd", 2, new_crowd}, {"load_crowd", ASTARL_COUNTS, astarL_load_crowd}, {"", 0, NULL}};
    static const astarL_Class *const classes[] = {&astarL_crowdclass, &astarL_unitclass,
                                                  &astarL_resolvingclass, NULL};
    astarL_newtypes(L, classes);
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}

// ------------------------------------------------------------------------------------------------
// The functions below save and load crowds. These functions are called by
// lua/astar/crowd/saving.lua.
//
// The table of a crowd's parts is described in lua_crowd.h. When a crowd is loaded, Lua passes this
// table with the names of the sides. In place of each unit the table then contains the speed of
// that unit.
// ------------------------------------------------------------------------------------------------

static size_t save_crowd(lua_State *L, void *bytes, size_t room)
{
    size_t length = 0;
    if (astar_crowd_save(astarL_checkcrowd(L)->core, bytes, room, &length) != ASTAR_OK)
        astarL_nomemory(L);
    return length;
}

// crowd:dump() --> string
int astarL_crowd_dump(lua_State *L)
{
    astarL_checkcrowd(L);
    lua_settop(L, 1);
    astarL_pushsaved(L, save_crowd);
    int bytes = lua_gettop(L);
    astarL_accountcrowd(L, astarL_checkcrowd(L), false);
    astarL_pushparts(L, 1);
    lua_pushvalue(L, bytes);
    lua_pushvalue(L, 1);
    return astarL_askabout(L, "crowd.saving", "dump", 3);
}

// Makes the Lua object of each unit of a loaded crowd. The table at index 3 holds the speed of each
// unit; the object of the unit takes the place of the speed.
static void make_units(lua_State *L, const astarL_Crowd *crowd)
{
    AstarUnit number;
    for (uint32_t cursor = 0; astar_crowd_next_unit(crowd->core, &cursor, &number);) {
        astarL_Unit *unit = astarL_newobject(L, ASTARL_UNIT, sizeof *unit);
        unit->unit = number;
        unit->x0 = crowd->x0;
        unit->y0 = crowd->y0;
        lua_rawgeti(L, 3, (int)cursor);
        unit->speed = lua_tonumber(L, -1);
        unit->core = crowd->core;
        astar_crowd_retain(crowd->core);
        lua_pop(L, 1);
        lua_pushvalue(L, 3);
        lua_setuservalue(L, -2);
        lua_rawseti(L, 3, (int)cursor);
    }
}

// core.load_crowd(string, speed, parts, finder, ...) --> crowd | nil, reason
int astarL_load_crowd(lua_State *L)
{
    size_t length;
    const char *bytes = luaL_checklstring(L, 1, &length);
    int last = lua_gettop(L);
    luaL_checktype(L, 3, LUA_TTABLE);
    astarL_Crowd *crowd = astarL_newobject(L, ASTARL_CROWD, sizeof *crowd);
    AstarFinder **finders = lua_newuserdata(L, (size_t)last * sizeof *finders);
    const astarL_Finder *own = astarL_checkfinder(L, 4);
    for (int arg = 4; arg <= last; arg++) {
        astarL_checkcrowdfinder(L, astarL_checkfinder(L, arg));
        finders[arg - 4] = astarL_checkfinder(L, arg)->core;
    }
    crowd->x0 = own->x0;
    crowd->y0 = own->y0;
    crowd->speed = luaL_checknumber(L, 2);
    AstarStatus status = astar_crowd_load(bytes, length, finders, (size_t)last - 3, &crowd->core);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "the crowd does not fit these finders and their grid");
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, last + 1);
    lua_pushvalue(L, 3);
    lua_setuservalue(L, last + 1);
    make_units(L, crowd);
    astarL_accountcrowd(L, crowd, false);
    return 1;
}

// ------------------------------------------------------------------------------------------------
// The functions below are the part of crowd:go that sends units in a shape or together. These
// functions are called by lua/astar/crowd/formation.lua.
// ------------------------------------------------------------------------------------------------

// Returns the unit at index 1 without checks. formation.lua passes only units that exist.
static const astarL_Unit *unit_in_formation(lua_State *L)
{
    return astarL_checkopen(L, 1, ASTARL_UNIT);
}

// reaches(unit, x, y) --> true if a route leads from the unit to the cell; false for cells outside
// the grid
static int unit_reaches(lua_State *L)
{
    const astarL_Unit *unit = unit_in_formation(L);
    int x = (int)lua_tointeger(L, 2) - unit->x0, y = (int)lua_tointeger(L, 3) - unit->y0;
    lua_pushboolean(L, astar_crowd_reaches(unit->core, unit->unit, x, y));
    return 1;
}

// set_period(unit, n): the unit takes n ticks per step, to keep pace with slower units.
static int unit_keep_pace(lua_State *L)
{
    const astarL_Unit *unit = unit_in_formation(L);
    AstarStatus status = astar_crowd_keep_pace(unit->core, unit->unit, (int)lua_tointeger(L, 2));
    return status == ASTAR_NO_MEMORY ? astarL_fail(L, status) : 0;
}

int astarL_go_in_formation(lua_State *L, int count)
{
    lua_settop(L, 5);
    astarL_pushhelper(L, "crowd.formation");
    if (!lua_isfunction(L, -2))
        return luaL_error(L, "shapes need astar's Lua files");
    for (int arg = 2; arg <= 5; arg++)
        lua_pushvalue(L, arg);
    lua_pushcfunction(L, unit_reaches);
    lua_pushcfunction(L, unit_keep_pace);
    lua_call(L, 7, 2);
    if (lua_isnil(L, -2))
        return luaL_error(L, "%s", lua_tostring(L, -1));
    if (count > 0 && lua_tointeger(L, -2) == 0)
        return astarL_fail(L, ASTAR_GOAL_BLOCKED);
    lua_pop(L, 1);
    return 1;
}

// ------------------------------------------------------------------------------------------------
// The functions below are methods of jobs that make a plan for units of a crowd that block each
// other.
// ------------------------------------------------------------------------------------------------

// The functions below create and follow a plan.

// Reads the options of crowd:resolving from the table at index 3.
static AstarResolvingOptions read_resolving_options(lua_State *L, const astarL_Crowd *crowd)
{
    AstarResolvingOptions options = astar_resolving_options_default();
    if (lua_isnil(L, 3))
        return options;
    const AstarGrid *grid = astarL_gridofcrowd(crowd->core);
    astarL_pushcell(L, crowd->x0, crowd->y0, 0, 0);
    astarL_pushcell(L, astar_grid_width(grid), astar_grid_height(grid), 0, 0);
    astarL_askhelper(L, "arguments", "resolving");
    lua_settop(L, 13);
    lua_Number bytes = luaL_optnumber(L, 8, (lua_Number)options.bytes);
    options.bytes = bytes < (lua_Number)SIZE_MAX ? (size_t)bytes : SIZE_MAX / 2;
    options.improve = (uint64_t)luaL_optnumber(L, 9, (lua_Number)options.improve);
    options.x = (int)lua_tointeger(L, 10);
    options.y = (int)lua_tointeger(L, 11);
    options.width = (int)lua_tointeger(L, 12);
    options.height = (int)lua_tointeger(L, 13);
    lua_settop(L, 3);
    return options;
}

// Pushes an array of the units in the list at index 2, for the C core, and returns it. Returns NULL
// if there is no list.
static const AstarUnit *push_units(lua_State *L, const astarL_Crowd *crowd, size_t *count)
{
    *count = 0;
    if (lua_isnoneornil(L, 2))
        return NULL;
    *count = astarL_checkunits(L);
    AstarUnit *units = lua_newuserdata(L, (*count + 1) * sizeof *units);
    for (size_t i = 0; i < *count; i++)
        units[i] = astarL_checklistedunit(L, crowd, (int)i + 1)->unit;
    return units;
}

static AstarStatus step_resolving(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    (void)L;
    return astarL_runslices(budget, astar_resolving_job.step, job->core, NULL);
}

static const astarL_JobKind resolving = {
    ASTARL_RESOLVING, &astar_resolving_job, step_resolving, "done", NULL, NULL};

// crowd:resolving([units [, {window =, bytes =, improve =}]]) --> job | nil, reason
int astarL_crowd_resolving(lua_State *L)
{
    const astarL_Crowd *crowd = astarL_checkcrowd(L);
    size_t count;
    lua_settop(L, 3);
    AstarResolvingOptions options = read_resolving_options(L, crowd);
    astarL_checkheld(L, crowd->core);
    const AstarUnit *units = push_units(L, crowd, &count);
    astarL_Job *job = astarL_newjob(L, &resolving, sizeof *job, 1);
    astarL_checkheld(L, crowd->core);
    const char *refusal = astar_crowd_resolving_refusal(crowd->core, units, count, &options);
    if (refusal != NULL)
        return luaL_error(L, "resolving cannot honour %s", refusal);
    AstarResolving *core;
    AstarStatus status = astar_crowd_resolving(crowd->core, units, count, &options, &core);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    job->core = core;
    astarL_accountjob(L, job, true);
    return 1;
}

// job:follow() --> true | false: makes the units follow the best plan found so far; false if there
// is none
static int resolving_follow(lua_State *L)
{
    lua_pushboolean(
        L, astar_resolving_follow(((astarL_Job *)astarL_checkopen(L, 1, ASTARL_RESOLVING))->core));
    return 1;
}

// Pushes 'number' if the job has made a plan, otherwise nil.
static void push_of_plan(lua_State *L, const AstarResolvingFacts *facts, uint64_t number)
{
    if (facts->has_plan)
        lua_pushinteger(L, (lua_Integer)number);
    else
        lua_pushnil(L);
}

static void push_resolving_field(lua_State *L, const void *object, const char *name)
{
    const AstarResolvingFacts own = astar_resolving_facts(((const astarL_Job *)object)->core);
    const AstarResolvingFacts *facts = &own;
    astarL_pushjobfield(L, object, name);
    if (strcmp(name, "beats") == 0)
        push_of_plan(L, facts, facts->beats);
    else if (strcmp(name, "left") == 0)
        push_of_plan(L, facts, facts->left);
    else if (strcmp(name, "cost") == 0)
        push_of_plan(L, facts, facts->cost);
    else if (strcmp(name, "units") == 0)
        lua_pushinteger(L, (lua_Integer)facts->units);
    else if (strcmp(name, "bytes") == 0)
        lua_pushnumber(L, (lua_Number)facts->bytes);
}

static const astarL_Function resolving_methods[] = {
    {"close", 1, astarL_job_close},
    {"follow", 1, resolving_follow},
    {"step", 2, astarL_job_step},
    {"", 0, NULL},
};

const astarL_Class astarL_resolvingclass = {
    .type = ASTARL_RESOLVING,
    .methods = resolving_methods,
    .close = astarL_closejob,
    .field = push_resolving_field,
    .fields = "status\0beats\0left\0cost\0units\0expanded\0bytes\0"};
