// lua_tactics.c -- the Lua functions of the part tactics: fields of view, spreads, desire maps, and
// cells that separate two others.

#include "binding/lua_field.h"
#include "binding/lua_finder.h"
#include "binding/lua_options.h"
#include "binding/lua_query.h"
#include "binding/lua_shape.h"
#include "binding/lua_share.h"
#include "binding/lua_util.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// Implementation of finder:fov, which returns the cells that can be seen from a cell.
// ------------------------------------------------------------------------------------------------

// Reads the options 'facing' and 'angle' from the table at stack index 'options'.
static void read_cone(lua_State *L, int options, const astarL_Finder *finder, AstarSight *sight)
{
    if (astarL_rawfield(L, options, "facing") != LUA_TNIL) {
        astarL_checkheld(L, finder->core);
        const AstarGrid *grid = astar_finder_grid(finder->core);
        sight->angle = astarL_readreal(L, options, "angle", 0, 360, 120);
        if (lua_type(L, -1) == LUA_TNUMBER) { // an angle in radians, as walker.angle is
            sight->is_turned = true;
            sight->towards = astarL_checkreal(L, lua_gettop(L), -1e6, 1e6, "facing");
            return;
        }
        AstarSide facing = astarL_checkdirection(L, lua_gettop(L), grid, true, "facing");
        sight->facing = (AstarHeading)((int)facing + 1);
    } else if (astarL_rawfield(L, options, "angle") != LUA_TNIL) {
        luaL_error(L, "the option angle needs the option facing, the name of a direction or an "
                      "angle in radians");
    }
}

// finder:fov(x, y, radius [, {facing =, angle =, into =, opaque =}]) --> field
int astarL_finder_fov(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    int x, y;
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y", &x,
                     &y);
    AstarSight sight = {.radius = astarL_checkint(L, 4, 0, ASTAR_MAX_SIGHT, "radius")};
    lua_settop(L, 5);
    astarL_checkoptions(L, 5, "angle\0facing\0into\0opaque\0");
    astarL_checkheld(L, finder->core);
    read_cone(L, 5, finder, &sight);
    finder = astarL_lookby(L, finder, 5, &sight.through_walls);
    const astarL_Field *field = astarL_pushinto(L, 5, finder);
    int result = lua_gettop(L);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarGrid *grid = astar_finder_grid(finder->core);
    astarL_checkfield(L, result);
    AstarStatus status = astar_fov(finder->core, x, y, &sight, field->core);
    astar_view_leave(grid, entered);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, result);
    return 1;
}

// ------------------------------------------------------------------------------------------------
// Implementation of finder:spread, which returns values that spread around walls from some cells,
// such as sound or scent.
// ------------------------------------------------------------------------------------------------

enum { SPREAD_SELF = 1, SPREAD_REACH = 3, SPREAD_OPTIONS, SPREAD_INTO };
// Stack indices of values that arguments.lua returns when it has read the arguments. The index
// SPREAD_INTO then holds the field instead of the grid.
enum { SPREAD_CELLS = SPREAD_INTO + 1, SPREAD_FALLOFF, SPREAD_SUM, SPREAD_FLOW };

// Computes the area that one source reaches, and raises the values of the field there, or adds to
// them. In the list of sources, 'i' is the index of the x of the source. The y and the strength of
// the source follow at the next two indices.
static void spread_source(lua_State *L, int i)
{
    lua_pushcfunction(L, astarL_finder_reach);
    lua_pushvalue(L, SPREAD_SELF);
    lua_rawgeti(L, SPREAD_CELLS, i);
    lua_rawgeti(L, SPREAD_CELLS, i + 1);
    lua_pushvalue(L, SPREAD_REACH);
    lua_call(L, 4, 1);
    astarL_Flow *flow = astarL_checkflow(L, SPREAD_FLOW);
    const astarL_Field *into = astarL_checkfield(L, SPREAD_INTO);
    astarL_Query query;
    astarL_attend(L, &query, astar_flow_finder(flow->core), flow->has_callbacks, SPREAD_FLOW,
                  flow->x0, flow->y0, &flow->turn);
    lua_rawgeti(L, SPREAD_CELLS, i + 2);
    double strength = lua_tonumber(L, -1);
    AstarStatus status = astar_flow_complete(flow->core, &query);
    astarL_checkheld(L, into->core); // a callback may have closed the field
    double falloff = lua_tonumber(L, SPREAD_FALLOFF);
    if (status == ASTAR_OK && lua_toboolean(L, SPREAD_SUM))
        status = astar_flow_spread_more(flow->core, strength, falloff, into->core, &query);
    else if (status == ASTAR_OK)
        status = astar_flow_spread(flow->core, strength, falloff, into->core, &query);
    astarL_pause(&query);
    if (status != ASTAR_OK)
        astarL_fail(L, status);
    astar_flow_release(flow->core);
    flow->core = NULL;
    lua_settop(L, SPREAD_SUM);
}

// finder:spread(sources, reach [, {value =, falloff =, sum =, into =}]) --> field
int astarL_finder_spread(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, SPREAD_SELF);
    const char *refusal = astar_flow_refusal(finder->core);
    if (refusal != NULL)
        return luaL_error(L, "spread cannot honour %s", refusal);
    lua_settop(L, SPREAD_OPTIONS);
    astarL_plainoptions(L, SPREAD_OPTIONS, "falloff\0into\0sum\0value\0");
    astarL_pushpart(L, SPREAD_SELF, ASTARL_OF_GRID, LUA_TUSERDATA);
    astarL_askhelper(L, "arguments", "spread");
    const astarL_Field *into = astarL_pushinto(L, SPREAD_OPTIONS, finder);
    lua_replace(L, SPREAD_INTO);
    lua_settop(L, SPREAD_SUM);
    int width = astar_field_width(into->core), height = astar_field_height(into->core);
    astar_field_fill(into->core, 0, 0, width, height, 0);
    int count = (int)lua_rawlen(L, SPREAD_CELLS);
    for (int i = 1; i < count; i += 3)
        spread_source(L, i);
    lua_settop(L, SPREAD_INTO);
    return 1;
}

// ------------------------------------------------------------------------------------------------
// Implementation of core.desire, which returns the least weighted sum of several flows and fields
// around a cell.
//
// A game calls this function for each monster in each turn. Therefore one call reads all distances;
// in Lua, nine calls per flow would be necessary. The rest of a desire map is in
// lua/astar/tactics/desire_map.lua.
// ------------------------------------------------------------------------------------------------

enum { DESIRE_MAP = 1, DESIRE_X, DESIRE_Y, DESIRE_STEPS, DESIRE_PARTS, DESIRE_PART };

// Pushes an entry of the list of parts. The list has three entries for each part: a flow or field,
// its weight, and a distance for unreachable cells. 'which' is 0, 1 or 2.
static void push_entry(lua_State *L, int part, int which)
{
    lua_rawgeti(L, DESIRE_PARTS, 3 * part + which + 1);
}

// If 'weights' is NULL, fills 'weighed' with the cells around 'cell' that a step of the flow leads
// to. Otherwise adds the distances of the flow, times their weight, to the sums of these cells. The
// stack is left as it was.
static AstarStatus query_around(lua_State *L, const astarL_Flow *flow, int arg, AstarCell cell,
                                const double *weights, AstarWeighed *weighed)
{
    astarL_Query query;
    int top = lua_gettop(L);
    astarL_attend(L, &query, astar_flow_finder(flow->core), flow->has_callbacks, arg, flow->x0,
                  flow->y0, &flow->turn);
    AstarStatus status = weights != NULL
                             ? astar_flow_weigh(flow->core, weights[0], weights[1], &query, weighed)
                             : astar_flow_around(flow->core, cell.x, cell.y, &query, weighed);
    astarL_pause(&query);
    lua_settop(L, top);
    return status;
}

// Adds the values of the flow or field at DESIRE_PART, times their weight, to the sums of all
// cells.
static AstarStatus weigh_part(lua_State *L, int part, AstarWeighed *weighed)
{
    push_entry(L, part, 1);
    push_entry(L, part, 2);
    double missing = lua_toboolean(L, -1) ? (double)lua_tonumber(L, -1) : (double)INFINITY;
    const double weights[2] = {(double)lua_tonumber(L, -2), missing};
    lua_settop(L, DESIRE_PART);
    const astarL_Flow *flow = astarL_testobject(L, DESIRE_PART, ASTARL_FLOW);
    if (flow != NULL && flow->core == NULL)
        astarL_checkflow(L, DESIRE_PART); // raises an error, because this flow is closed
    if (flow != NULL)
        return query_around(L, flow, DESIRE_PART, (AstarCell){0, 0}, weights, weighed);
    const AstarField *field = astarL_checkfield(L, DESIRE_PART)->core;
    for (int i = 0; i < weighed->count; i++)
        weighed->sums[i] += weights[0] * astar_field_get(field, weighed->x[i], weighed->y[i]);
    return ASTAR_OK;
}

// Raises an error if a part has another size or origin than the map, or is a flow without
// distances.
static AstarStatus check_desire(lua_State *L, int part)
{
    const char *name = lua_pushfstring(L, "parts[%d][1]", part + 1);
    const astarL_Flow *steps = astarL_checkflow(L, DESIRE_STEPS);
    const AstarGrid *ours = astar_finder_grid(astar_flow_finder(steps->core));
    if (astarL_testobject(L, DESIRE_PART, ASTARL_FLOW) == NULL) {
        astarL_checkfieldof(L, DESIRE_PART, ours, (AstarCell){steps->x0, steps->y0}, name);
        return ASTAR_OK;
    }
    const astarL_Flow *flow = astarL_checkflow(L, DESIRE_PART);
    const AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    if (astar_grid_width(grid) != astar_grid_width(ours) || flow->x0 != steps->x0 ||
        astar_grid_height(grid) != astar_grid_height(ours) || flow->y0 != steps->y0)
        luaL_error(L, "%s must be a flow over a grid of the map's size and origin", name);
    if (astar_flow_keeps_steps_only(flow->core))
        luaL_error(L, "%s is a flow made with steps_only, which has no distances", name);
    return ASTAR_OK;
}

// Pushes the coordinates of the cell with the least sum, and the sum of the cell in the middle. If
// several sums are least, the first of them is chosen.
static int push_least(lua_State *L, const astarL_Flow *steps, const AstarWeighed *weighed)
{
    int least = 0;
    for (int i = 1; i < weighed->count; i++)
        least = weighed->sums[i] < weighed->sums[least] ? i : least;
    astarL_pushcell(L, weighed->x[least], weighed->y[least], steps->x0, steps->y0);
    lua_pushnumber(L, weighed->sums[0]);
    return 3;
}

// core.desire(map, x, y) --> next_x, next_y, value | nil, reason
// 'map' has 'steps', a flow whose finder gives the possible steps, and 'parts', a list with three
// entries for each part: a flow or field, its weight, and the distance that counts for unreachable
// cells, or false. Without x and y, only the parts are checked.
static int flow_desire(lua_State *L)
{
    AstarWeighed weighed;
    AstarCell cell = {0, 0};
    AstarStatus status = ASTAR_OK;
    bool checks = lua_isnone(L, DESIRE_X);
    lua_settop(L, DESIRE_Y);
    if (!lua_istable(L, DESIRE_MAP) || astarL_rawfield(L, DESIRE_MAP, "steps") == LUA_TNIL ||
        astarL_rawfield(L, DESIRE_MAP, "parts") != LUA_TTABLE)
        return astarL_badvalue(L, DESIRE_MAP, "astar desire map expected");
    const astarL_Flow *steps = astarL_checkflow(L, DESIRE_STEPS);
    int count = (int)lua_rawlen(L, DESIRE_PARTS) / 3;
    if (!checks) {
        astarL_checkcell(L, DESIRE_X, astar_finder_grid(astar_flow_finder(steps->core)), steps->x0,
                         steps->y0, "x", "y", &cell.x, &cell.y);
        status = query_around(L, steps, DESIRE_STEPS, cell, NULL, &weighed);
    }
    for (int part = 0; part < count && status == ASTAR_OK; part++) {
        push_entry(L, part, 0);
        status = checks ? check_desire(L, part) : weigh_part(L, part, &weighed);
        lua_settop(L, DESIRE_PARTS);
    }
    if (checks)
        return 0;
    return status == ASTAR_OK ? push_least(L, steps, &weighed) : astarL_fail(L, status);
}

// ------------------------------------------------------------------------------------------------
// Implementation of finder:min_cut and finder:chokepoints, which return the cells that separate two
// other cells.
// ------------------------------------------------------------------------------------------------

// The arguments of finder:min_cut and finder:chokepoints: a finder at index 1, and the coordinates
// of two cells at indices 2 to 5.
typedef struct Between {
    astarL_Finder *finder;
    AstarCell start, goal;
} Between;

static Between check_between(lua_State *L)
{
    Between between = {.finder = astarL_checkfinder(L, 1)};
    astarL_Ends ends = astarL_checkquery(L, 2, between.finder);
    between.start = (AstarCell){ends.x0, ends.y0};
    between.goal = (AstarCell){ends.x1, ends.y1};
    return between;
}

// Pushes a list of the cells that a query has found. Raises an error if 'status' is not ASTAR_OK.
static int push_cells(lua_State *L, const Between *between, AstarStatus status,
                      const AstarCell *cells, size_t count, const char *method)
{
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "%s cannot honour size or callbacks", method);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        astarL_pushpoint(L, cells[i].x, cells[i].y, between->finder->x0, between->finder->y0);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// finder:min_cut(sx, sy, gx, gy [, { most = 8 }]) --> cells | nil, "open"
int astarL_finder_min_cut(lua_State *L)
{
    Between between = check_between(L);
    AstarCell cells[ASTAR_MOST_CUT];
    astarL_checkoptions(L, 6, "most\0");
    int most = (int)astarL_readwhole(L, 6, "most", 0, ASTAR_MOST_CUT, 8), count;
    astarL_checkheld(L, between.finder->core);
    AstarGrid *grid = astar_finder_grid(between.finder->core);
    unsigned entered = astarL_enterof(L, &between.finder->core, 1);
    AstarStatus status = astar_min_cut(astarL_workspace(L), between.finder->core, between.start,
                                       between.goal, most, cells, &count);
    astar_view_leave(grid, entered);
    if (status == ASTAR_OK && count > most)
        return astarL_refuse(L, "open");
    return push_cells(L, &between, status, cells, (size_t)count, "min_cut");
}

// finder:chokepoints(sx, sy, gx, gy) --> cells | nil, reason
int astarL_finder_chokepoints(lua_State *L)
{
    Between between = check_between(L);
    AstarCell few[64], *cells = few;
    size_t room = sizeof few / sizeof *few, count;
    for (;;) {
        AstarGrid *grid = astar_finder_grid(between.finder->core);
        unsigned entered = astarL_enterof(L, &between.finder->core, 1);
        AstarStatus status = astar_chokepoints(astarL_workspace(L), between.finder->core,
                                               between.start, between.goal, cells, room, &count);
        astar_view_leave(grid, entered);
        if (status != ASTAR_OK || count <= room)
            return push_cells(L, &between, status, cells, count, "chokepoints");
        room = count;
        cells = lua_newuserdata(L, room * sizeof *cells);
        astarL_checkheld(L, between.finder->core);
    }
}

// ------------------------------------------------------------------------------------------------
// Registration of the Lua functions of this file.
// ------------------------------------------------------------------------------------------------

void astarL_opentactics(lua_State *L)
{
    static const astarL_Function functions[] = {{"desire", 3, flow_desire}, {"", 0, NULL}};
    astarL_setfunctions(L, functions, ASTARL_TYPES);
}
