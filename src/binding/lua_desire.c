// lua_desire.c -- core.desire, the least of several flows and fields around a cell, weighed.
//
// A game asks it for each monster, each turn: one call for all distances, where Lua would make nine
// a flow. The rest of a desire map is in lua/astar/desire_map.lua.

#include "binding/lua_query.h"
#include "binding/lua_share.h"

#include <math.h>

enum { DESIRE_MAP = 1, DESIRE_X, DESIRE_Y, DESIRE_STEPS, DESIRE_PARTS, DESIRE_PART };

// Pushes an entry of the list of parts: three a part.
static void push_entry(lua_State *L, int part, int which)
{
    lua_rawgeti(L, DESIRE_PARTS, 3 * part + which + 1);
}

// Fills 'weighed', of a flow at 'arg', or weighs that into it. The stack is as it was.
static AstarStatus ask_around(lua_State *L, const astarL_Flow *flow, int arg, AstarCell cell,
                              const double *weights, AstarWeighed *weighed)
{
    astarL_Query query;
    int top = lua_gettop(L);
    astarL_attend(L, &query, astar_flow_finder(flow->core), flow->asks, arg, flow->x0, flow->y0,
                  &flow->turn);
    AstarStatus status = weights != NULL
                             ? astar_flow_weigh(flow->core, weights[0], weights[1], &query, weighed)
                             : astar_flow_around(flow->core, cell.x, cell.y, &query, weighed);
    astarL_pause(&query);
    lua_settop(L, top);
    return status;
}

// Weighs the flow or field at DESIRE_PART.
static AstarStatus weigh_part(lua_State *L, int part, AstarWeighed *weighed)
{
    push_entry(L, part, 1);
    push_entry(L, part, 2);
    double missing = lua_toboolean(L, -1) ? (double)lua_tonumber(L, -1) : (double)INFINITY;
    const double weights[2] = {(double)lua_tonumber(L, -2), missing};
    lua_settop(L, DESIRE_PART);
    const astarL_Flow *flow = astarL_testobject(L, DESIRE_PART, ASTARL_FLOW);
    if (flow != NULL && flow->core == NULL)
        astarL_checkflow(L, DESIRE_PART); // raises that it is closed
    if (flow != NULL)
        return ask_around(L, flow, DESIRE_PART, (AstarCell){0, 0}, weights, weighed);
    const AstarField *field = astarL_checkfield(L, DESIRE_PART)->core;
    for (int i = 0; i < weighed->count; i++)
        weighed->sums[i] += weights[0] * astar_field_get(field, weighed->x[i], weighed->y[i]);
    return ASTAR_OK;
}

// Raises an error for a part that is not of the map's size and origin, or has no distances.
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

// Pushes the cell of the least sum, the first one unless another has less, and the sum of that.
static int push_least(lua_State *L, const astarL_Flow *steps, const AstarWeighed *weighed)
{
    int least = 0;
    for (int i = 1; i < weighed->count; i++)
        least = weighed->sums[i] < weighed->sums[least] ? i : least;
    astarL_pushcell(L, weighed->x[least], weighed->y[least], steps->x0, steps->y0);
    lua_pushnumber(L, weighed->sums[0]);
    return 3;
}

// core.desire(map, x, y) --> next_x, next_y, value | nil, reason. The map has 'steps', a flow by
// whose finder one steps, and 'parts', a list of three a part: a flow or a field, a weight, and
// what a distance counts as where there is none, or false. Without x and y the parts are checked.
int astarL_flow_desire(lua_State *L)
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
        status = ask_around(L, steps, DESIRE_STEPS, cell, NULL, &weighed);
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
