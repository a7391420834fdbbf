// lua_flow.c -- flow fields: finder:flow and finder:reach, and the methods of their results.
//
// A script calls flow:next for each unit at every step. The method first looks for a stored answer
// for the cell, without opening a query of the core.

#include "binding/lua_flow.h"

#include "binding/lua_blocks.h"
#include "binding/lua_field.h"
#include "binding/lua_finder.h"
#include "binding/lua_gc_account.h"
#include "binding/lua_job.h"
#include "binding/lua_options.h"
#include "binding/lua_path.h"
#include "binding/lua_query.h"
#include "binding/lua_share.h"

#include <math.h>
#include <string.h>

static const lua_Number MOST_VALUE = 1e9;

// creation

// Pushes a flow without a core object. The flow shares the uservalue of the finder or flow at
// 'owner'.
static astarL_Flow *push_flow(lua_State *L, bool has_callbacks, int owner, int x0, int y0)
{
    astarL_Flow *flow = astarL_newobject(L, ASTARL_FLOW, sizeof *flow);
    flow->x0 = x0;
    flow->y0 = y0;
    flow->has_callbacks = has_callbacks;
    lua_getuservalue(L, owner); // the callbacks and the labels of links
    lua_setuservalue(L, -2);
    return flow;
}

// Reports the growth of the flow's memory to the collector.
static void account_flow(lua_State *L, astarL_Flow *flow, bool is_owed)
{
    astarL_accountgrowth(L, &flow->bytes, astar_flow_bytes(flow->core), is_owed);
}

// Reads a goal: {x, y [, extra cost]}, or a table with the fields x and y. Other fields of such a
// table are not read, because the table may be any object of the game.
static AstarFlowGoal read_flow_goal(lua_State *L, astarL_Area area, int goal, size_t number)
{
    const astarL_Nth nth = {"goal", number};
    AstarCell cell = astarL_readgoal(L, area, goal, nth, true);
    AstarFlowGoal read = {cell.x, cell.y, 0};
    lua_rawgeti(L, goal, 3);
    if (!lua_isnil(L, -1) && !astarL_hasplace(L, goal)) {
        const char *name = lua_pushfstring(L, "%s[3]", astarL_pushnth(L, nth));
        lua_pushvalue(L, goal + 1); // on top of the name, so that neither is collected
        read.value = astarL_checkreal(L, lua_gettop(L), -MOST_VALUE, MOST_VALUE, name);
    }
    lua_settop(L, goal);
    return read;
}

// Returns true if the table at 'arg' is a single goal rather than a list of goals.
static bool is_single_goal(lua_State *L, int arg)
{
    bool has_x = astarL_rawfield(L, arg, "x") != LUA_TNIL;
    lua_rawgeti(L, arg, 1);
    bool has_number = lua_type(L, -1) == LUA_TNUMBER;
    lua_pop(L, 2);
    return has_x || has_number;
}

// Pushes an array for the core with the goals of the list or set at 'arg'.
static AstarFlowGoal *push_flow_goals(lua_State *L, astarL_Area area, int arg, size_t *count)
{
    if (astarL_isgoalset(L, arg)) {
        const AstarCell *cells = astarL_pushgoals(L, arg, area, count);
        AstarFlowGoal *goals = lua_newuserdata(L, (*count + 1) * sizeof *goals);
        for (size_t i = 0; i < *count; i++)
            goals[i] = (AstarFlowGoal){cells[i].x, cells[i].y, 0};
        return goals;
    }
    *count = astarL_checkgoals(L, arg);
    AstarFlowGoal *goals = lua_newuserdata(L, (*count + 1) * sizeof *goals);
    int top = lua_gettop(L);
    for (size_t i = 0; i < *count; i++) {
        astarL_pushgoal(L, arg, i + 1);
        goals[i] = read_flow_goal(L, area, lua_gettop(L), i + 1);
        lua_settop(L, top);
    }
    return goals;
}

// Pushes an array for the core with a goal for each cell of the field at index 2 that has a value.
// The value is the extra cost of the goal.
static AstarFlowGoal *push_goals_of_field(lua_State *L, const astarL_Finder *finder, size_t *count)
{
    const AstarCell first = {finder->x0, finder->y0};
    const AstarGrid *grid = astar_finder_grid(finder->core);
    const astarL_Field *field = astarL_checkfieldof(L, 2, grid, first, "goals");
    AstarFlowGoal goal;
    size_t room = 0;
    uint64_t cell = 0;
    while (astar_field_next(field->core, &cell, &goal.x, &goal.y, &goal.value))
        room++;
    AstarFlowGoal *goals = lua_newuserdata(L, (room + 1) * sizeof *goals);
    astarL_checkheld(L, field->core);
    *count = 0;
    cell = 0;
    while (*count < room && astar_field_next(field->core, &cell, &goal.x, &goal.y, &goal.value))
        goals[(*count)++] = goal;
    return goals;
}

// Pushes an array for the core with the goals at index 2: a field, a list, or a single goal as a
// table. A single goal may also be given by its coordinates at the indices 2 and 3. Sets '*options'
// to the index of the options that follow the goals.
static AstarFlowGoal *check_goals(lua_State *L, const astarL_Finder *finder, size_t *count,
                                  int *options)
{
    astarL_Area area = astarL_areaof(finder);
    *options = 3;
    if (lua_type(L, 2) != LUA_TNUMBER)
        astarL_nomore(L, 3, "flow", true);
    if (astarL_testobject(L, 2, ASTARL_FIELD) != NULL)
        return push_goals_of_field(L, finder, count);
    if (lua_istable(L, 2) && !is_single_goal(L, 2))
        return push_flow_goals(L, area, 2, count);
    *count = 1;
    AstarFlowGoal goal = {0, 0, 0};
    if (lua_type(L, 2) == LUA_TNUMBER) {
        *options = 4;
        astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y",
                         &goal.x, &goal.y);
    } else if (lua_istable(L, 2)) {
        lua_pushvalue(L, 2);
        goal = read_flow_goal(L, area, lua_gettop(L), 0);
    } else {
        astarL_badvalue(L, 2, "goals must be a list of cells or x, y");
    }
    AstarFlowGoal *goals = lua_newuserdata(L, sizeof *goals);
    *goals = goal;
    return goals;
}

// Raises an error if a flow cannot honour an option of the finder, or if the range cannot be used.
static void check_flow_finder(lua_State *L, const astarL_Finder *finder, int range)
{
    astarL_checkheld(L, finder->core);
    const char *refusal = astar_flow_refusal(finder->core);
    if (refusal != NULL)
        luaL_error(L, "a flow cannot honour %s", refusal);
    AstarQueryOptions counting = astar_query_default(finder->core);
    counting.partial = false;
    counting.range = range;
    astarL_checkrange(L, finder, &counting, "flows");
}

// finder:flow(goals or a field [, {max_cost =, range =, steps_only =}]) --> flow
// finder:flow(x, y [, {max_cost =, range =, steps_only =}]) --> flow
int astarL_finder_flow(lua_State *L)
{
    astarL_Finder *finder = astarL_checkfinder(L, 1);
    lua_settop(L, 4);
    size_t count = 0;
    int arg = 0;
    AstarFlowGoal *goals = check_goals(L, finder, &count, &arg);
    astarL_checkoptions(L, arg, "max_cost\0range\0steps_only\0");
    astarL_checkheld(L, finder->core);
    double max_cost = astarL_readreal(L, arg, "max_cost", 0, HUGE_VAL, HUGE_VAL);
    bool steps_only = astarL_readflag(L, arg, "steps_only", false);
    int range = astar_query_default(finder->core).range;
    range = (int)astarL_readwhole(L, arg, "range", 0, ASTAR_MAX_SIDE, range);
    astarL_Flow *flow = push_flow(L, finder->has_callbacks, 1, finder->x0, finder->y0);
    check_flow_finder(L, finder, range);
    AstarGrid *grid = astar_finder_grid(finder->core);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarStatus status = astar_flow_new_within(finder->core, goals, count, range, max_cost,
                                               &flow->core);
    astar_view_leave(grid, entered);
    if (status == ASTAR_OK && steps_only)
        astar_flow_keep_steps_only(flow->core);
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

// Returns true if the option 'count' in the table at 'options' is "ground".
static bool counts_ground(lua_State *L, int options)
{
    astarL_checkoptions(L, options, "count\0");
    bool is_given = astarL_rawfield(L, options, "count") != LUA_TNIL;
    int arg = lua_gettop(L);
    bool is_ground = is_given && astarL_checkname(L, arg, "cost\0ground\0", "count") == 1;
    lua_pop(L, 1);
    return is_ground;
}

// finder:reach(x, y, max_cost [, {count =}]) --> flow
int astarL_finder_reach(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    int x, y;
    astarL_checkcell(L, 2, astar_finder_grid(finder->core), finder->x0, finder->y0, "x", "y", &x,
                     &y);
    double max_cost = astarL_checkreal(L, 4, 0, (lua_Number)INFINITY, "max_cost");
    lua_settop(L, 5);
    if (counts_ground(L, 5))
        finder = astarL_groundof(L, finder);
    astarL_Flow *flow = push_flow(L, finder->has_callbacks, 1, finder->x0, finder->y0);
    check_flow_finder(L, finder, 0);
    AstarGrid *grid = astar_finder_grid(finder->core);
    unsigned entered = astarL_enterof(L, &finder->core, 1);
    AstarStatus status = astar_reach_new(finder->core, x, y, max_cost, &flow->core);
    astar_view_leave(grid, entered);
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

static void check_distances(lua_State *L, const astarL_Flow *flow)
{
    if (astar_flow_keeps_steps_only(flow->core))
        luaL_error(L, "a flow made with steps_only has no distances");
}

// flow:flee([factor]) --> flow
static int flow_flee(lua_State *L)
{
    astarL_Flow *flow = astarL_checkflow(L, 1);
    check_distances(L, flow);
    double factor = -1.2;
    if (!lua_isnoneornil(L, 2))
        factor = astarL_checkreal(L, 2, -1000, -1, "factor");
    astarL_Flow *fleeing = push_flow(L, flow->has_callbacks, 1, flow->x0, flow->y0);
    astarL_checkheld(L, flow->core);
    AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    astarL_leavestaleview(L, grid, &grid);
    astarL_checkheld(L, flow->core);
    AstarFinder *finder = astar_flow_finder(flow->core);
    unsigned entered = astarL_enterfinder(L, &finder, 1, NULL);
    astarL_checkheld(L, flow->core);
    AstarStatus status = astar_flow_flee(flow->core, factor, &fleeing->core);
    astar_view_leave(grid, entered);
    if (status == ASTAR_BAD_OPTION)
        return luaL_error(L, "a reach has no goals to flee from; flee from a flow");
    return status == ASTAR_OK ? 1 : astarL_fail(L, status);
}

// queries

static void open_query(lua_State *L, astarL_Query *query, astarL_Flow *flow, int self)
{
    astarL_attend(L, query, astar_flow_finder(flow->core), flow->has_callbacks, self, flow->x0,
                  flow->y0, &flow->turn);
}

// Ends a query of a flow. Raises an error if its status is out of memory, an invalid cost or an
// edited grid.
static void end_query(lua_State *L, astarL_Query *query, AstarStatus status)
{
    astarL_pause(query);
    if (status == ASTAR_NO_MEMORY || status == ASTAR_BAD_COST || status == ASTAR_GRID_CHANGED)
        astarL_fail(L, status);
}

static void close_query(lua_State *L, astarL_Query *query, astarL_Flow *flow, AstarStatus status)
{
    end_query(L, query, status);
    account_flow(L, flow, false);
}

static astarL_Flow *check_query(lua_State *L, int *x, int *y)
{
    astarL_Flow *flow = astarL_checkflow(L, 1);
    const AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    astarL_checkcell(L, 2, grid, flow->x0, flow->y0, "x", "y", x, y);
    return flow;
}

// flow:distance(x, y) --> number | nil, reason
static int flow_distance(lua_State *L)
{
    int x, y;
    astarL_Flow *flow = check_query(L, &x, &y);
    astarL_Query query;
    double distance = 0;
    check_distances(L, flow);
    open_query(L, &query, flow, 1);
    AstarStatus status = astar_flow_distance(flow->core, x, y, &query, &distance);
    close_query(L, &query, flow, status);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushnumber(L, distance);
    return 1;
}

// Looks up the stored next cell for the cell (x, y). Returns false if there is none. A view is
// first entered at its latest version, so that no step stored for an older version is returned.
static bool recall_step(lua_State *L, const astarL_Flow *flow, int x, int y, int *next_x,
                        int *next_y)
{
    AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    astarL_leavestaleview(L, grid, &grid);
    astarL_checkheld(L, flow->core);
    unsigned entered = astar_view_enter(grid);
    bool is_known = astar_flow_recall(flow->core, x, y, next_x, next_y);
    astar_view_leave(grid, entered);
    return is_known;
}

// flow:next(x, y) --> x, y | nil, reason
static int flow_next(lua_State *L)
{
    int x, y, next_x, next_y;
    astarL_Flow *flow = check_query(L, &x, &y);
    if (!recall_step(L, flow, x, y, &next_x, &next_y)) {
        astarL_Query query;
        open_query(L, &query, flow, 1);
        AstarStatus status = astar_flow_next(flow->core, x, y, &query, &next_x, &next_y);
        close_query(L, &query, flow, status);
        if (status != ASTAR_OK)
            return astarL_fail(L, status);
    }
    return astarL_pushcell(L, next_x, next_y, flow->x0, flow->y0);
}

// flow:path(x, y) --> path | nil, reason
static int flow_path(lua_State *L)
{
    int x, y;
    astarL_Flow *flow = check_query(L, &x, &y);
    lua_settop(L, 3);
    astarL_Path *path = astarL_pushpath(L, flow->has_callbacks, 1, flow->x0, flow->y0);
    astarL_checkheld(L, flow->core);
    astarL_setfinder(L, path, astar_flow_finder(flow->core));
    astarL_Query query;
    open_query(L, &query, flow, 1);
    AstarStatus status = astar_flow_path(flow->core, x, y, &query, &path->core);
    close_query(L, &query, flow, status);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, 4);
    return 1;
}

// Returns true if blocks of the layer at index 6 bar the flow's units.
static bool does_layer_bar(lua_State *L, AstarFinder *finder)
{
    if (lua_isnoneornil(L, 6))
        return true;
    int layer = astarL_findlayer(L, 6, astar_finder_grid(finder));
    return layer < 0 || (astar_finder_options(finder)->ignore >> layer & 1) == 0;
}

// flow:count_cut_off(x, y [, w, h [, layer]]) --> number of cells
static int flow_count_cut_off(lua_State *L)
{
    AstarRectangle r = {0, 0, 1, 1};
    uint64_t count = 0;
    astarL_Flow *flow = check_query(L, &r.x, &r.y);
    const AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    if (!lua_isnoneornil(L, 4))
        r.width = astarL_checkint(L, 4, 1, astar_grid_width(grid) - r.x, "w");
    if (!lua_isnoneornil(L, 5))
        r.height = astarL_checkint(L, 5, 1, astar_grid_height(grid) - r.y, "h");
    if (does_layer_bar(L, astar_flow_finder(flow->core))) {
        astarL_Query query;
        open_query(L, &query, flow, 1);
        AstarStatus status = astar_flow_count_cut_off(flow->core, &r, &count);
        close_query(L, &query, flow, status);
        if (status == ASTAR_BAD_WRAP)
            return astarL_fail(L, status);
        if (status != ASTAR_OK)
            return luaL_error(L,
                              "count_cut_off needs a flow to goals and a finder without callbacks");
    }
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}

typedef AstarStatus (*Work)(AstarFlow *flow, void *context);

// Runs a function of the core on the flow at index 1. Pushes the number of cells that the call has
// expanded.
static int work(lua_State *L, Work function)
{
    astarL_Flow *flow = astarL_checkflow(L, 1);
    uint64_t before = astar_flow_expanded(flow->core);
    astarL_Query query;
    open_query(L, &query, flow, 1);
    AstarStatus status = function(flow->core, &query);
    uint64_t expanded = astar_flow_expanded(flow->core) - before;
    close_query(L, &query, flow, status);
    lua_pushinteger(L, (lua_Integer)expanded);
    return 1;
}

// flow:complete() --> number of cells expanded
static int flow_complete(lua_State *L)
{
    return work(L, astar_flow_complete);
}

// flow:update() --> number of cells expanded
static int flow_update(lua_State *L)
{
    return work(L, astar_flow_update);
}

static AstarStatus step_flow(void *flow, uint64_t expansions, void *query)
{
    ((astarL_Query *)query)->finder = astar_flow_asking(flow);
    return astar_flow_step(flow, expansions, query);
}

// Steps the job at index 1, whose owner is the flow.
static AstarStatus step_completing(lua_State *L, astarL_Job *job, astarL_Budget budget)
{
    (void)job;
    astarL_pushpart(L, 1, ASTARL_JOB_OWNER, LUA_TUSERDATA);
    astarL_Flow *flow = astarL_checkflow(L, 2);
    astarL_Query query;
    open_query(L, &query, flow, 2);
    AstarStatus status = astarL_runslices(budget, step_flow, flow->core, &query);
    end_query(L, &query, status);
    account_flow(L, flow, astarL_isbyclock(budget));
    return status;
}

static const astarL_JobKind completing = {ASTARL_JOB, NULL, step_completing, "done", NULL, NULL};

AstarFlow *astarL_tocompleting(lua_State *L, int arg)
{
    if (!astarL_pushjobowner(L, arg, &completing))
        return NULL;
    AstarFlow *flow = astarL_checkflow(L, lua_gettop(L))->core;
    lua_pop(L, 1);
    return ASTAR_HAS_WORKERS && astar_workers_take_flow(flow) ? flow : NULL;
}

// flow:completing() --> job
static int flow_completing(lua_State *L)
{
    astarL_checkflow(L, 1);
    astarL_pushjob(L, 1, &completing);
    return 1;
}

static int next_flow_cell(lua_State *L)
{
    astarL_Flow *flow = astarL_checkobject(L, lua_upvalueindex(1), ASTARL_FLOW);
    uint64_t cursor = astarL_cursor(L);
    if (flow->core == NULL)
        return 0;
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    astarL_Query query;
    int x = 0, y = 0;
    double distance = 0;
    open_query(L, &query, flow, 1);
    AstarStatus status = astar_flow_cell(flow->core, &cursor, &query, &x, &y, &distance);
    close_query(L, &query, flow, status);
    astarL_setcursor(L, cursor);
    if (status != ASTAR_OK)
        return 0;
    astarL_pushcell(L, x, y, flow->x0, flow->y0);
    lua_pushnumber(L, distance);
    return 3;
}

// for x, y, distance in flow:cells() do
static int flow_cells(lua_State *L)
{
    check_distances(L, astarL_checkflow(L, 1));
    return astarL_iterate(L, next_flow_cell, 1);
}

// Stores the distance of each cell that has one and is not blocked. The entries of all other cells
// stay NAN.
static AstarStatus note_distances(astarL_Flow *flow, astarL_Query *query, float *distances)
{
    const AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    size_t width = (size_t)astar_grid_width(grid);
    uint64_t cursor = 0;
    AstarStatus status;
    int x, y;
    double distance;
    while ((status = astar_flow_cell(flow->core, &cursor, query, &x, &y, &distance)) == ASTAR_OK)
        if (!astar_grid_is_blocked_in_any(grid, x, y))
            distances[(size_t)y * width + (size_t)x] = (float)distance;
    return status;
}

// core.distances(flow) --> a string with each cell's distance as a float, the least distance, the
// greatest distance
int astarL_flow_distances(lua_State *L)
{
    astarL_Flow *flow = astarL_checkflow(L, 1);
    check_distances(L, flow);
    lua_settop(L, 1);
    const AstarGrid *grid = astar_finder_grid(astar_flow_finder(flow->core));
    size_t count = (size_t)astar_grid_width(grid) * (size_t)astar_grid_height(grid);
    float *distances = lua_newuserdata(L, count * sizeof *distances), least = NAN, most = NAN;
    for (size_t i = 0; i < count; i++)
        distances[i] = NAN;
    astarL_checkheld(L, flow->core); // a finalizer may have closed it during the allocation
    astarL_Query query;
    open_query(L, &query, flow, 1);
    close_query(L, &query, flow, note_distances(flow, &query, distances));
    for (size_t i = 0; i < count; i++) {
        least = least <= distances[i] ? least : isnan(distances[i]) ? least : distances[i];
        most = most >= distances[i] ? most : isnan(distances[i]) ? most : distances[i];
    }
    lua_pushlstring(L, (const char *)distances, count * sizeof *distances);
    lua_pushnumber(L, least);
    lua_pushnumber(L, most);
    return 3;
}

// core.differences(distances [, before]) --> {place, distance or false, ...}: the cells whose
// distance differs from their distance in 'before'. Without 'before': all cells with a distance. A
// place is the number of a cell, counted from 0.
int astarL_flow_differences(lua_State *L)
{
    size_t length, length_before = 0, count = 0;
    const char *now = luaL_checklstring(L, 1, &length);
    const char *before = luaL_optlstring(L, 2, NULL, &length_before);
    lua_newtable(L);
    for (size_t i = 0; i + sizeof(float) <= length; i += sizeof(float)) {
        float distance, other = NAN;
        memcpy(&distance, now + i, sizeof distance);
        if (i + sizeof other <= length_before)
            memcpy(&other, before + i, sizeof other);
        if (distance == other || (isnan(distance) && isnan(other)))
            continue;
        lua_pushinteger(L, (lua_Integer)(i / sizeof distance));
        lua_rawseti(L, -2, (int)++count);
        if (isnan(distance))
            lua_pushboolean(L, false);
        else
            lua_pushnumber(L, distance);
        lua_rawseti(L, -2, (int)++count);
    }
    return 1;
}

static void describe_flow(lua_State *L, const void *object)
{
    const astarL_Flow *flow = object;
    lua_pushfstring(L, "astar flow, %s expanded",
                    astarL_pushnumber(L, (lua_Number)astar_flow_expanded(flow->core)));
}

static void close_flow(lua_State *L, void *object)
{
    (void)L;
    astarL_Flow *flow = object;
    astar_flow_release(flow->core);
    flow->core = NULL;
    // If a callback closes its own flow, an error is raised: see check_turn in lua_query.c.
    flow->turn++;
}

static const astarL_Function flow_methods[] = {
    {"cells", 1, flow_cells},
    {"complete", 1, flow_complete},
    {"completing", 1, flow_completing},
    {"count_cut_off", 6, flow_count_cut_off},
    {"distance", 3, flow_distance},
    {"flee", 2, flow_flee},
    {"next", 3, flow_next},
    {"path", 3, flow_path},
    {"update", 1, flow_update},
    {"", 0, NULL},
};

const astarL_Class astarL_flowclass = {
    .type = ASTARL_FLOW, .methods = flow_methods, .close = close_flow, .tell = describe_flow};
