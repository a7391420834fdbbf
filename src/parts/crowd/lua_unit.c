// lua_unit.c -- the Lua objects of units: reading lists of units, and all methods and fields of a
// unit.

#include "parts/crowd/lua_unit.h"

#include "binding/lua_gc_account.h"
#include "binding/lua_options.h"
#include "binding/lua_shape.h"
#include "parts/crowd/lua_crowd.h"

#include <string.h>

#define check_unit_at(L, arg) ((astarL_Unit *)astarL_checkopen(L, arg, ASTARL_UNIT))

// Returns the unit at index 1. Raises an error if that unit was removed.
static astarL_Unit *check_unit(lua_State *L)
{
    astarL_Unit *unit = check_unit_at(L, 1);
    if (!astar_crowd_has(unit->core, unit->unit))
        luaL_error(L, "unit has been removed");
    return unit;
}

astarL_Crowd *astarL_checkcrowd(lua_State *L)
{
    astarL_Crowd *crowd = (astarL_Crowd *)astarL_checkopen(L, 1, ASTARL_CROWD);
    if (astar_crowd_is_outdated(crowd->core))
        luaL_error(L, "another crowd was made of this crowd's grid since: use one crowd with "
                      "several finders and sides, or a grid per crowd");
    return crowd;
}

const AstarGrid *astarL_gridofcrowd(const AstarCrowd *core)
{
    return astar_finder_grid(astar_crowd_finder(core));
}

void astarL_accountcrowd(lua_State *L, astarL_Crowd *crowd, bool is_owed)
{
    astarL_accountgrowth(L, &crowd->bytes, astar_crowd_bytes(crowd->core, NULL), is_owed);
}

void astarL_checkcrowdfinder(lua_State *L, const astarL_Finder *finder)
{
    astarL_checkheld(L, finder->core);
    if (astar_grid_is_view(astar_finder_grid(finder->core)))
        luaL_error(L, "a crowd cannot walk a map from astar.shared: make it of the grid that was "
                      "shared, or of a clone");
    const char *refusal = astar_crowd_refusal(finder->core);
    if ((astar_grid_sides(astar_finder_grid(finder->core)) & 1u << ASTAR_SIDE_NORTH_EAST) != 0)
        luaL_error(
            L,
            "a crowd cannot honour %s: its beats and discs are those of squares. On hexagons "
            "move units by finder:flow or paths, one after another, each over the cells "
            "that the others have left free",
            refusal);
    const AstarOptions *options = astar_finder_options(finder->core);
    if (refusal != NULL && options->size != options->height && strncmp(refusal, "a size", 6) == 0)
        luaL_error(
            L, "a crowd cannot honour size { %d, %d }: its units are squares, as with size = %d",
            options->size, options->height,
            options->size > options->height ? options->size : options->height);
    if (refusal != NULL)
        luaL_error(L, "a crowd cannot honour %s", refusal);
}

size_t astarL_checkunits(lua_State *L)
{
    const char *stray;
    if (!lua_istable(L, 2))
        luaL_error(L, "units must be a list of units, got %s%s", astarL_describe(L, 2),
                   astarL_testobject(L, 2, ASTARL_UNIT) != NULL ? ": { unit }, or unit:go(x, y)"
                                                                : "");
    size_t count = astarL_lengthof(L, 2, &stray);
    if (stray != NULL)
        luaL_error(L, "units are counted from 1, got an entry [%s]", stray);
    return count;
}

const astarL_Unit *astarL_checklistedunit(lua_State *L, const astarL_Crowd *crowd, int index)
{
    lua_rawgeti(L, 2, index);
    const astarL_Unit *unit = astarL_testobject(L, lua_gettop(L), ASTARL_UNIT);
    if (unit == NULL)
        luaL_error(L, "units[%d] must be a unit, got %s", index, astarL_describe(L, lua_gettop(L)));
    astarL_checkheld(L, crowd->core);
    if (unit->core != crowd->core)
        luaL_error(L, "units[%d] belongs to another crowd", index);
    if (!astar_crowd_has(unit->core, unit->unit))
        luaL_error(L, "units[%d] has been removed", index);
    lua_pop(L, 1);
    return unit;
}

void astarL_pushunit(lua_State *L, AstarUnit unit)
{
    lua_rawgeti(L, -1, (int)(uint32_t)unit + 1);
    const astarL_Unit *object = astarL_testobject(L, lua_gettop(L), ASTARL_UNIT);
    if (object == NULL || object->unit != unit)
        luaL_error(L, "debug.setuservalue has replaced the data that astar keeps for a crowd");
}

AstarGoOptions astarL_readgo(lua_State *L, int arg, bool are_many)
{
    AstarGoOptions options = {.range = 0};
    astarL_checkoptions(
        L, arg, are_many ? "shape\0facing\0gap\0together\0partial\0range\0" : "partial\0range\0");
    options.partial = astarL_readflag(L, arg, "partial", false);
    options.range = (int)astarL_readwhole(L, arg, "range", 0, ASTAR_MAX_CROWD_RANGE, 0);
    return options;
}

// unit:go(x, y [, {partial =, range =}]) --> true | nil, reason
static int unit_go(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    int x, y;
    astarL_checkcell(L, 2, astarL_gridofcrowd(unit->core), unit->x0, unit->y0, "x", "y", &x, &y);
    AstarGoOptions options = astarL_readgo(L, 4, false);
    // The unit is checked again, because a finalizer may have closed the crowd or removed the unit.
    unit = check_unit(L);
    AstarStatus status = astar_crowd_send(unit->core, unit->unit, x, y, &options);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, true);
    return 1;
}

// unit:chase(other [, {range =}]) --> true
static int unit_chase(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    const astarL_Unit *other = check_unit_at(L, 2);
    if (other->core != unit->core || other->unit == unit->unit)
        return luaL_error(L, other->core != unit->core ? "other belongs to another crowd"
                                                       : "a unit cannot chase itself");
    if (!astar_crowd_has(other->core, other->unit))
        return luaL_error(L, "other has been removed");
    if (astar_grid_link_count(astarL_gridofcrowd(unit->core)) > 0)
        return luaL_error(L, "a unit cannot chase on a grid with links: call unit:go with the "
                             "cell of the other unit, and again when that unit has moved");
    astarL_checkoptions(L, 3, "range\0");
    int range = (int)astarL_readwhole(L, 3, "range", 1, ASTAR_MAX_CROWD_RANGE, 1);
    // The units are checked again, because a finalizer may have closed the crowd or removed one of
    // the units.
    unit = check_unit(L);
    other = check_unit_at(L, 2);
    AstarStatus status = astar_crowd_chase(unit->core, unit->unit, other->unit, range);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushboolean(L, true);
    return 1;
}

// unit:stop(): the unit gives up its goal
static int unit_stop(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    astar_crowd_stop(unit->core, unit->unit);
    return 0;
}

// unit:hold(boolean): true makes the unit stay where it is; false lets it move again
static int unit_hold(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    if (!lua_isboolean(L, 2))
        return astarL_badvalue(L, 2, "hold must be a boolean");
    astar_crowd_hold(unit->core, unit->unit, lua_toboolean(L, 2));
    return 0;
}

// unit:set_priority(n): units with a greater n choose their steps first
static int unit_set_priority(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    int priority = astarL_checkint(L, 2, -ASTAR_MAX_UNIT_PRIORITY, ASTAR_MAX_UNIT_PRIORITY,
                                   "priority");
    astar_crowd_set_priority(unit->core, unit->unit, priority);
    return 0;
}

// unit:remove() --> true
static int unit_remove(lua_State *L)
{
    astarL_Unit *unit = check_unit(L);
    astar_crowd_remove(unit->core, unit->unit);
    lua_pushboolean(L, true);
    return 1;
}

// unit:cell() --> x, y
static int unit_cell(lua_State *L)
{
    const astarL_Unit *unit = check_unit(L);
    AstarUnitFacts facts;
    astar_crowd_unit(unit->core, unit->unit, &facts);
    return astarL_pushcell(L, facts.x, facts.y, unit->x0, unit->y0);
}

// unit:goal() --> x, y | nil
static int unit_goal(lua_State *L)
{
    const astarL_Unit *unit = check_unit(L);
    AstarUnitFacts facts;
    astar_crowd_unit(unit->core, unit->unit, &facts);
    if (!facts.has_goal)
        return 0;
    return astarL_pushcell(L, facts.goal_x, facts.goal_y, unit->x0, unit->y0);
}

static void push_unit_field(lua_State *L, const astarL_Unit *unit, const AstarUnitFacts *facts,
                            const char *name)
{
    if (strcmp(name, "x") == 0)
        astarL_pushcoordinate(L, facts->at_x + unit->x0);
    else if (strcmp(name, "y") == 0)
        astarL_pushcoordinate(L, facts->at_y + unit->y0);
    else if (strcmp(name, "state") == 0)
        lua_pushstring(L, astar_unit_state_name(facts->state));
    else if (strcmp(name, "heading") == 0)
        lua_pushstring(L, astar_heading_name(facts->heading));
    else if (strcmp(name, "size") == 0)
        lua_pushinteger(L, facts->size);
    else if (strcmp(name, "period") == 0)
        lua_pushinteger(L, facts->period);
    else if (strcmp(name, "side") == 0 && facts->side > 0) {
        astarL_pushparts(L, 1);
        lua_rawgeti(L, -1, -facts->side);
    } else if (strcmp(name, "priority") == 0)
        lua_pushinteger(L, facts->priority);
    else if (strcmp(name, "speed") == 0)
        lua_pushnumber(L, unit->speed);
    else if (strcmp(name, "angle") == 0 && facts->angle == facts->angle)
        lua_pushnumber(L, facts->angle);
}

// Pushes the Lua object of the unit 'other', which belongs to the same crowd as the unit at index
// 1. Pushes nil if 'other' is 0.
static void push_other(lua_State *L, AstarUnit other)
{
    if (other == 0) {
        lua_pushnil(L);
        return;
    }
    astarL_pushparts(L, 1);
    astarL_pushunit(L, other);
}

static void push_blocker(lua_State *L, const astarL_Unit *unit)
{
    AstarUnit blocker;
    if (astar_crowd_blocker(unit->core, unit->unit, &blocker) != ASTAR_OK)
        astarL_nomemory(L);
    push_other(L, blocker);
}

static void push_unit_or_state(lua_State *L, const void *object, const char *name)
{
    const astarL_Unit *unit = object;
    AstarUnitFacts facts;
    if (strcmp(name, "blocker") == 0)
        push_blocker(L, unit);
    else if (strcmp(name, "chased") == 0)
        push_other(L, astar_crowd_chased(unit->core, unit->unit));
    else if (astar_crowd_unit(unit->core, unit->unit, &facts))
        push_unit_field(L, unit, &facts, name);
    else if (strcmp(name, "state") == 0)
        lua_pushliteral(L, "removed");
}

ASTARL_RELEASE(release_crowd_of_unit, astar_crowd_release)

static const astarL_Function unit_methods[] = {
    {"cell", 1, unit_cell},
    {"chase", 3, unit_chase},
    {"go", 4, unit_go},
    {"goal", 1, unit_goal},
    {"hold", 2, unit_hold},
    {"remove", 1, unit_remove},
    {"set_priority", 2, unit_set_priority},
    {"stop", 1, unit_stop},
    {"", 0, NULL},
};

const astarL_Class astarL_unitclass = {
    .type = ASTARL_UNIT,
    .methods = unit_methods,
    .release = release_crowd_of_unit,
    .field = push_unit_or_state,
    .fields =
        "x\0y\0state\0heading\0size\0period\0priority\0side\0blocker\0chased\0angle\0speed\0"};
