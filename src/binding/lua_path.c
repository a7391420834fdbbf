// lua_path.c -- paths in Lua: the results of searches, read cell by cell or as a whole.
//
// A path is stored in C as its turning points. Tables are made only if a script requests one.

#include "binding/lua_path.h"
#include "binding/lua_finder.h"

#include "binding/lua_blocks.h"
#include "binding/lua_dump.h"
#include "binding/lua_job.h"
#include "binding/lua_keys.h"
#include "binding/lua_options.h"
#include "binding/lua_query.h"
#include "binding/lua_search.h"
#include "binding/lua_shape.h"
#include "binding/lua_share.h"
#include "binding/lua_util.h"

#include <math.h>
#include <string.h>

// The functions below create paths of any kind, mark them as valid, and copy them.

astarL_Path *astarL_pushpath(lua_State *L, bool has_callbacks, int owner, int x0, int y0)
{
    astarL_Path *path = astarL_newobject(L, ASTARL_PATH, sizeof *path);
    astar_path_init(&path->core);
    path->core.points = path->room;
    path->core.capacity = (int)(sizeof path->room / sizeof *path->room);
    path->core.is_lent = true;
    path->x0 = x0;
    path->y0 = y0;
    path->has_callbacks = has_callbacks;
    lua_getuservalue(L, owner);
    lua_setuservalue(L, -2);
    return path;
}

void astarL_setfinder(lua_State *L, astarL_Path *path, AstarFinder *finder)
{
    astarL_checkheld(L, finder);
    astar_finder_retain(finder);
    path->finder = finder;
}

// A callback's results may change at any time. Therefore a path with callbacks is never marked as
// valid.
void astarL_notevalid(astarL_Path *path, int from, const astarL_Query *query)
{
    path->valid_from = path->has_callbacks ? 0 : from;
    path->valid_at = astar_grid_version(astar_finder_grid(query->finder));
}

size_t astarL_pathbytes(const AstarPath *path)
{
    return (size_t)path->count * sizeof *path->points +
           (size_t)path->link_count * sizeof *path->links;
}

void astarL_copypath(AstarPath *copy, const AstarPath *path)
{
    size_t points = (size_t)path->count * sizeof *path->points;
    size_t links = (size_t)path->link_count * sizeof *path->links;
    *copy = *path;
    copy->points = (AstarPoint *)(copy + 1);
    copy->links = (AstarPathLink *)(copy->points + path->count);
    if (points > 0)
        memcpy(copy->points, path->points, points);
    if (links > 0)
        memcpy(copy->links, path->links, links);
}

// The functions below are the methods of a path.

// cells

// path:cell(i) --> x, y
static int path_cell(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    int index = astarL_checkint(L, 2, 1, path->core.cells, "i");
    int x, y;
    astar_path_cell(&path->core, index - 1, &x, &y);
    return astarL_pushcell(L, x, y, path->x0, path->y0);
}

// path:cells_flat() --> {x1, y1, x2, y2, ...}
static int path_cells_flat(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    lua_createtable(L, 2 * path->core.cells, 0);
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i += 2) {
        astarL_pushcell(L, x, y, path->x0, path->y0);
        lua_rawseti(L, -3, i + 1);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

// path:copy_into(xs, ys) --> number of cells
static int path_copy_into(lua_State *L)
{
    const astarL_Path *path = astarL_checkpath(L, 1);
    if (!lua_istable(L, 2))
        return astarL_badvalue(L, 2, "xs must be a table");
    if (!lua_istable(L, 3))
        return astarL_badvalue(L, 3, "ys must be a table");
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++) {
        lua_pushinteger(L, x + path->x0);
        lua_rawseti(L, 2, i);
        lua_pushinteger(L, y + path->y0);
        lua_rawseti(L, 3, i);
    }
    lua_pushinteger(L, path->core.cells);
    return 1;
}

// path:totable() --> {{x =, y =}, ...}
static int path_totable(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    lua_createtable(L, path->core.cells, 0);
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int x, y;
    for (int i = 1; astar_path_next(&cursor, &x, &y); i++) {
        astarL_pushpoint(L, x, y, path->x0, path->y0);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

// path:center(i) --> x, y: the centre of the path's cell i in space, as from grid:center
static int path_center(lua_State *L)
{
    const astarL_Path *path = astarL_checkpath(L, 1);
    int index = astarL_checkint(L, 2, 1, path->core.cells, "i"), x, y;
    astar_path_cell(&path->core, index - 1, &x, &y);
    astarL_pushcenter(L, astar_finder_grid(path->finder), x, y, path->x0, path->y0);
    return 2;
}

// path:waypoints() --> {{x =, y =}, ...}: the start, the turning points and the goal
static int path_waypoints(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    lua_createtable(L, path->core.count, 0);
    for (int i = 0; i < path->core.count; i++) {
        astarL_pushpoint(L, path->core.points[i].x, path->core.points[i].y, path->x0, path->y0);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// Returns the direction of a step on a map of squares of any size; -1 if the two cells are not one
// step apart.
static int direction_of_step(int dx, int dy)
{
    static const int8_t directions[3][3] = {{7, 0, 1}, {6, -1, 2}, {5, 4, 3}};
    bool is_step = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1;
    return is_step ? directions[dy + 1][dx + 1] : -1;
}

// path:directions() --> {"east", "south_east", "link", ...}: the direction of each step
static int path_directions(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    const AstarGrid *grid = astar_finder_grid(path->finder);
    lua_createtable(L, path->core.cells - 1, 0);
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int x = 0, y = 0, next_x, next_y;
    // If a finalizer closes the path, the cursor has no further cells and the grid is not used
    // again.
    for (int i = 0; astar_path_next(&cursor, &next_x, &next_y); i++) {
        if (i > 0) {
            bool is_link = astar_path_link(&path->core, i - 1, NULL);
            int direction = path->of_world ? direction_of_step(next_x - x, next_y - y)
                                           : astar_grid_direction(grid, x, y, next_x, next_y);
            lua_pushstring(L, is_link ? "link" : astarL_direction((AstarSide)direction));
            lua_rawseti(L, -2, i);
        }
        x = next_x;
        y = next_y;
    }
    return 1;
}

// path:breaches() --> {{x =, y =, layer =}, ...}: the blocks on the path, in order
static int path_breaches(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    lua_settop(L, 1);
    AstarGrid *held = astarL_holdgridof(L, &path->finder, 1);
    unsigned entered = astarL_enterof(L, &path->finder, 1);
    size_t room = astar_path_breaches(&path->core, path->finder, NULL, 0);
    astar_view_leave(astar_finder_grid(path->finder), entered);
    AstarBlock *blocks = lua_newuserdata(L, (room + 1) * sizeof *blocks);
    entered = astarL_enterof(L, &path->finder, 1);
    size_t count = astar_path_breaches(&path->core, path->finder, blocks, room);
    astar_view_leave(astar_finder_grid(path->finder), entered);
    astarL_pushblocks(L, held, blocks, count < room ? count : room, path->x0, path->y0);
    astarL_release(L, 2);
    return 1;
}

// path:link(i) --> the label of the link from cell i to the next cell; true if the link has no
// label; nil if the step is not a link
static int path_link(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    int index = astarL_checkint(L, 2, 1, path->core.cells, "i");
    uint32_t number;
    if (astar_path_link(&path->core, index - 1, &number)) {
        astarL_pushpart(L, 1, ASTARL_OF_LABELS, LUA_TTABLE);
        astarL_pushlabel(L, lua_gettop(L), number);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

// The functions below are methods that concern the whole path, not single cells.

// Default of the option bound: the cost of a retargeted path is at most this many times the cost of
// the best path.
static const double RETARGET_BOUND = 1.1;

// Returns a copy of the path's cells, which is left on the stack.
static const AstarPath *push_copy(lua_State *L, const astarL_Path *path)
{
    const AstarPath *core = &path->core;
    AstarPath *copy = lua_newuserdata(L, sizeof *copy + astarL_pathbytes(core));
    astarL_checkheld(L, path->finder);
    astarL_copypath(copy, core);
    return copy;
}

// Returns the path's cells for reading while callbacks run. A callback may close the path.
// Therefore the result for a path with callbacks is a copy, which is left on the stack.
static const AstarPath *hold(lua_State *L, const astarL_Path *path)
{
    return path->has_callbacks ? push_copy(L, path) : &path->core;
}

// Returns the path at index 1, for methods that use the grid of its finder. Raises an error if the
// path belongs to a world.
static astarL_Path *check_grid_path(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    if (path->of_world)
        luaL_error(L, "a path of a world does not support this method: call it on the route");
    return path;
}

// A function of the core that makes another path from a path.
typedef AstarStatus (*Rework)(AstarSearch *search, const AstarPath *path, void *context,
                              AstarPath *out);

// Describes how another path is made from the path at index 1.
typedef struct Reworking {
    Rework function; // NULL: repair or retarget it
    int from;
    bool optimal;
    AstarCell goal; // new goal, used if there is a bound
    double bound;
} Reworking;

static AstarStatus rework(Reworking how, astarL_Query *query, const AstarPath *path, AstarPath *out)
{
    if (how.function != NULL)
        return how.function(query->search, path, query, out);
    if (how.bound > 0)
        return astar_search_retarget(query->search, path, how.from - 1, how.goal, how.bound, query,
                                     out);
    return astar_search_repair(query->search, path, how.from - 1, how.optimal, query, out);
}

// Pushes another path that is made from the path at index 1.
static int push_reworked(lua_State *L, Reworking how)
{
    astarL_Path *path = check_grid_path(L);
    lua_settop(L, 1);
    astarL_Path *out = astarL_pushpath(L, path->has_callbacks, 1, path->x0, path->y0);
    astarL_setfinder(L, out, path->finder);
    const AstarPath *cells = hold(L, path);
    astarL_Query query;
    astarL_open(L, &query, &path->finder, path->has_callbacks, 1, path->x0, path->y0);
    AstarStatus status = rework(how, &query, cells, &out->core);
    if (how.function == NULL)
        astarL_notevalid(out, 1, &query);
    astarL_close(&query);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_settop(L, 2);
    return 1;
}

// path:smooth() --> path with few straight legs
static int path_smooth(lua_State *L)
{
    return push_reworked(L, (Reworking){.function = astar_search_smooth});
}

// path:reverse() --> path
static int path_reverse(lua_State *L)
{
    return push_reworked(L, (Reworking){.function = astar_search_reverse});
}

// Updates the part of the path that is known to be valid. If edits made since then may affect that
// part, examines only its end from the cell 'from' on. Keeps the part that is still valid.
static void compare_edits(astarL_Path *path, int from)
{
    int starts[] = {path->valid_from, from};
    path->valid_from = 0;
    for (int i = 0; i < 2 && path->valid_from == 0; i++)
        if (astar_path_outlasts(&path->core, path->finder, starts[i] - 1, path->valid_at,
                                &path->area))
            path->valid_from = starts[i];
    path->valid_at = astar_grid_version(astar_finder_grid(path->finder));
}

// Returns true if the path is known to be valid from its cell 'from' on. If the grid is a view, it
// is first brought to the version that was published last.
static bool is_known_valid(lua_State *L, astarL_Path *path, int from)
{
    AstarGrid *grid = astar_finder_grid(path->finder);
    astarL_leavestaleview(L, grid, &grid);
    unsigned entered = astar_view_enter(grid);
    if (path->valid_from > 0 && from >= path->valid_from &&
        path->valid_at != astar_grid_version(grid))
        compare_edits(path, from);
    astar_view_leave(grid, entered);
    return path->valid_from > 0 && from >= path->valid_from;
}

// core.place(path, i) --> x, y: the point of the path's line that belongs to cell i, as from
// path:center; the index of the last cell of its leg; for hexagons also the layout of the cells
int astarL_path_place(lua_State *L)
{
    const astarL_Path *path = astarL_checkpath(L, 1);
    int index = astarL_checkint(L, 2, 1, path->core.cells, "i");
    double x, y;
    int last = astar_path_place(&path->core, index - 1, &x, &y);
    astarL_pushcoordinate(L, x + path->x0);
    astarL_pushcoordinate(L, y + path->y0);
    lua_pushinteger(L, last + 1);
    if (path->core.offset == ASTAR_NO_OFFSET || astar_offset_wrap(path->core.offset) != NULL)
        return 3;
    lua_pushstring(L, astar_offset_name(path->core.offset));
    return 4;
}

static bool is_cell_of(lua_State *L, int arg, int at)
{
    return lua_type(L, arg) == LUA_TNUMBER && lua_tonumber(L, arg) == (lua_Number)at;
}

// core.leads_to(path, x, y) --> true if a request for a path to (x, y) would give this path
int astarL_path_leads_to(lua_State *L)
{
    const AstarPath *path = &check_grid_path(L)->core;
    const astarL_Path *of = astarL_checkpath(L, 1);
    const AstarPoint *last = &path->points[path->count - 1];
    bool ends_there = is_cell_of(L, 2, of->x0 + last->x) && is_cell_of(L, 3, of->y0 + last->y);
    bool is_asked = path->goal_x >= 0 && is_cell_of(L, 2, of->x0 + path->goal_x) &&
                    is_cell_of(L, 3, of->y0 + path->goal_y);
    // If the query has a range, a new search for a path to the last cell of this path would find a
    // path that ends earlier. Such a path is therefore no answer to a request for its last cell.
    lua_pushboolean(L, (is_asked && !path->partial) || (ends_there && path->query.range == 0));
    return 1;
}

// core.may_step(path, i [, back]) --> true if the unit may now step from the path's cell i to the
// next cell or, if 'back' is true, from the next cell to cell i
int astarL_path_may_step(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    int index = astarL_checkint(L, 2, 1, path->core.cells - 1, "i");
    bool back = lua_toboolean(L, 3), may_go = true;
    bool is_known = is_known_valid(L, path, index);
    uint64_t version = astar_grid_version(astar_finder_grid(path->finder));
    is_known = is_known || (path->step == index && path->step_at == version);
    if (back || !is_known) {
        astarL_Query query;
        lua_settop(L, 1);
        astarL_open(L, &query, &path->finder, path->has_callbacks, 1, path->x0, path->y0);
        AstarStatus status = astar_search_check_step(query.search, &path->core, index - 1, back,
                                                     &query, &may_go);
        astarL_close(&query);
        if (status != ASTAR_OK)
            return astarL_fail(L, status);
        if (!back) {
            path->step = may_go && !path->has_callbacks ? index : 0;
            path->step_at = version;
        }
    }
    lua_pushboolean(L, may_go);
    return 1;
}

static int check_index(lua_State *L, int arg, const astarL_Path *path, const char *name)
{
    return lua_isnoneornil(L, arg) ? 1 : astarL_checkint(L, arg, 1, path->core.cells, name);
}

// Pushes true if 'bad' is -1. Otherwise pushes false and the index, from 1, of the cell at which
// the path is blocked.
static int push_validity(lua_State *L, int bad)
{
    lua_pushboolean(L, bad < 0);
    if (bad >= 0)
        lua_pushinteger(L, bad + 1);
    return bad < 0 ? 1 : 2;
}

// The result of walking along the path at index 1.
typedef struct Walked {
    // Indices, from 0, of the last cell reached, and of the first cell that cannot be entered;
    // 'bad' is -1 if all can be entered.
    int reached, bad;
    double cost;
} Walked;

// Walks along the path at index 1 on the current map, from the cell 'from' to the cell 'to', until
// the cost exceeds 'most'.
static AstarStatus walk_path(lua_State *L, int from, int to, double most, Walked *walked)
{
    astarL_Path *path = check_grid_path(L);
    const AstarPath *cells = hold(L, path);
    astarL_Query query;
    astarL_open(L, &query, &path->finder, path->has_callbacks, 1, path->x0, path->y0);
    AstarStatus status = astar_search_walk(query.search, cells, from - 1, to - 1, most, &query,
                                           &walked->reached, &walked->cost, &walked->bad);
    astarL_close(&query);
    return status;
}

// path:cost_at(i) --> cost of the path up to its cell i | nil, the index of the first cell that
// cannot be entered
static int path_cost_at(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    int index = astarL_checkint(L, 2, 1, path->core.cells, "i");
    Walked walked;
    lua_settop(L, 1);
    AstarStatus status = walk_path(L, 1, index, (double)INFINITY, &walked);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    if (walked.bad >= 0) {
        lua_pushnil(L);
        lua_pushinteger(L, walked.bad + 1);
        return 2;
    }
    lua_pushnumber(L, walked.cost);
    return 1;
}

// Walks along the path 'cells' from the cell with the index 'from', counted from 1, to the cell
// with the index 'to'. The unit is that of the finder at index 1.
static AstarStatus walk_by(lua_State *L, const astarL_Finder *finder, const AstarPath *cells,
                           int from, int to, Walked *walked)
{
    astarL_Query query;
    astarL_open(L, &query, &finder->core, finder->has_callbacks, 1, finder->x0, finder->y0);
    AstarStatus status = astar_search_walk(query.search, cells, from - 1, to - 1, (double)INFINITY,
                                           &query, &walked->reached, &walked->cost, &walked->bad);
    astarL_close(&query);
    return status;
}

// Returns true if a path lies on a grid with the same cells as the grid of a finder.
static bool is_on_grid_of(const astarL_Path *path, const astarL_Finder *finder)
{
    const AstarGrid *grid = astar_finder_grid(finder->core);
    const AstarGrid *other = astar_finder_grid(path->finder);
    return astar_grid_width(grid) == astar_grid_width(other) &&
           astar_grid_height(grid) == astar_grid_height(other) &&
           astar_grid_offset(grid) == astar_grid_offset(other) && finder->x0 == path->x0 &&
           finder->y0 == path->y0;
}

// finder:cost_of(path [, from [, to]]) --> cost, the part of it that is not for fields to avoid |
// nil, the index of the first cell that cannot be entered
int astarL_finder_cost_of(lua_State *L)
{
    const astarL_Finder *finder = astarL_checkfinder(L, 1);
    const astarL_Path *path = astarL_checkpath(L, 2);
    if (path->of_world)
        return luaL_error(L, "a path of a world does not support this method: use its route");
    int from = check_index(L, 3, path, "from"), to = path->core.cells;
    if (!lua_isnoneornil(L, 4))
        to = astarL_checkint(L, 4, from, path->core.cells, "to");
    lua_settop(L, 2);
    if (!is_on_grid_of(path, finder))
        return luaL_error(L,
                          "path must be a path on a grid of the finder's size, origin and shape");
    const AstarPath *cells = push_copy(L, path); // a callback or a finalizer may close the path
    Walked whole, ground;
    AstarStatus status = walk_by(L, finder, cells, from, to, &whole);
    if (status == ASTAR_OK && whole.bad < 0) {
        finder = astarL_groundof(L, finder);
        status = walk_by(L, finder, cells, from, to, &ground);
    }
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    int bad = whole.bad < 0 ? ground.bad : whole.bad;
    if (bad < 0) {
        lua_pushnumber(L, whole.cost);
        lua_pushnumber(L, ground.cost);
    } else {
        lua_pushnil(L);
        lua_pushinteger(L, bad + 1);
    }
    return 2;
}

// core.step_cost(path, i) --> cost of the step from the path's cell i to the next cell, with that
// of a bend at cell i; length of the step, 0 for a link | nil if the step cannot be made now
int astarL_path_step_cost(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    int index = astarL_checkint(L, 2, 1, path->core.cells - 1, "i");
    Walked walked;
    lua_settop(L, 1);
    AstarStatus status = walk_path(L, index, index + 1, (double)INFINITY, &walked);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    if (walked.bad >= 0) {
        lua_pushnil(L);
        return 1;
    }
    int x, y, to_x, to_y;
    bool is_link = astar_path_link(&path->core, index - 1, NULL);
    astar_path_cell(&path->core, index - 1, &x, &y);
    astar_path_cell(&path->core, index, &to_x, &to_y);
    bool is_square = path->core.offset == ASTAR_NO_OFFSET ||
                     astar_offset_wrap(path->core.offset) != NULL;
    bool is_diagonal = is_square && x != to_x && y != to_y;
    astarL_checkheld(L, path->finder);
    double diagonal = astar_finder_options(path->finder)->diagonal_cost;
    lua_pushnumber(L, walked.cost);
    lua_pushnumber(L, is_link ? 0 : is_diagonal ? diagonal : 1);
    return 2;
}

// path:index_within(cost [, from]) --> index of the last cell that can be reached for at most that
// cost
static int path_index_within(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    double most = astarL_checkreal(L, 2, 0, (lua_Number)INFINITY, "cost");
    int from = check_index(L, 3, path, "from");
    Walked walked;
    lua_settop(L, 1);
    AstarStatus status = walk_path(L, from, path->core.cells, most, &walked);
    if (status != ASTAR_OK)
        return astarL_fail(L, status);
    lua_pushinteger(L, walked.reached + 1);
    return 1;
}

// path:is_valid([from]) --> true | false, index of the first cell that cannot be entered
static int path_is_valid(lua_State *L)
{
    astarL_Path *path = astarL_checkpath(L, 1);
    int from = check_index(L, 2, path, "from");
    if (path->of_world) { // it returns the index of the first such cell, or 0
        astarL_answerby(L, "world.routes");
        return push_validity(L, (int)lua_tointeger(L, -1) - 1);
    }
    if (is_known_valid(L, path, from))
        return push_validity(L, -1);
    lua_settop(L, 1);
    const AstarPath *cells = hold(L, path);
    astarL_Query query;
    astarL_open(L, &query, &path->finder, path->has_callbacks, 1, path->x0, path->y0);
    int bad = -1;
    AstarStatus status = astar_search_check(query.search, cells, from - 1, &query, &bad);
    if (status == ASTAR_OK && bad < 0)
        astarL_notevalid(path, from, &query);
    astarL_close(&query);
    return status == ASTAR_OK ? push_validity(L, bad) : astarL_fail(L, status);
}

// Reads the options of path:repair at index 2, if they are given.
static Reworking read_repair(lua_State *L, const astarL_Path *path)
{
    Reworking how = {.from = 1};
    lua_settop(L, 2);
    astarL_checkoptions(L, 2, "from\0optimal\0");
    astarL_rawfield(L, 2, "from");
    how.from = check_index(L, 3, path, "from");
    how.optimal = astarL_readflag(L, 2, "optimal", false);
    return how;
}

// path:repair([{from =, optimal =}]) --> path | nil, reason
static int path_repair(lua_State *L)
{
    return push_reworked(L, read_repair(L, check_grid_path(L)));
}

// path:retarget(gx, gy [, {from =, bound =}]) --> path | nil, reason
static int path_retarget(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    Reworking how = {.from = 1};
    astarL_checkcell(L, 2, astar_finder_grid(path->finder), path->x0, path->y0, "gx", "gy",
                     &how.goal.x, &how.goal.y);
    lua_settop(L, 4);
    astarL_checkoptions(L, 4, "from\0bound\0");
    how.bound = astarL_readreal(L, 4, "bound", 1, HUGE_VAL, RETARGET_BOUND);
    astarL_rawfield(L, 4, "from");
    how.from = check_index(L, 5, path, "from");
    return push_reworked(L, how);
}

// path:repairing([{from =, optimal =}]) --> search
static int path_repairing(lua_State *L)
{
    astarL_Path *path = check_grid_path(L);
    Reworking how = read_repair(L, path);
    astarL_Search *search = astarL_pushsearch(L, 1, path->has_callbacks, path->x0, path->y0);
    unsigned entered = astarL_takesearch(L, search, &path->finder, 1);
    AstarStatus status = astar_search_repair_in_steps(search->job.core, &path->core, how.from - 1,
                                                      how.optimal, ASTAR_EXPANSIONS_AT_ONCE);
    return astarL_returnsearch(L, search, entered, status);
}

// saved paths

static size_t save_path(lua_State *L, void *bytes, size_t room)
{
    const astarL_Path *path = lua_touserdata(L, 1);
    return astar_path_save(&path->core, path->finder, bytes, room);
}

// path:dump(), core.save_path(path) --> string
int astarL_path_save(lua_State *L)
{
    check_grid_path(L);
    lua_settop(L, 1);
    astarL_pushsaved(L, save_path);
    return 1;
}

// Pushes the path that a string holds, for the finder at index 'owner'. Returns false if the string
// is not a valid saved path.
static bool push_saved(lua_State *L, int owner, const char *bytes, size_t length)
{
    astarL_Finder *finder = astarL_checkfinder(L, owner);
    astarL_Path *path = astarL_pushpath(L, finder->has_callbacks, owner, finder->x0, finder->y0);
    astarL_setfinder(L, path, finder->core);
    unsigned entered = astarL_enterof(L, &path->finder, 1);
    AstarStatus status = astar_path_load(path->finder, bytes, length, &path->core);
    astar_view_leave(astar_finder_grid(path->finder), entered);
    if (status == ASTAR_NO_MEMORY)
        astarL_nomemory(L);
    return status == ASTAR_OK;
}

// core.read_path(finder, string) --> path | nil if the string is not a valid saved path
int astarL_path_read(lua_State *L)
{
    astarL_checkfinder(L, 1);
    size_t length;
    const char *bytes = luaL_checklstring(L, 2, &length);
    return push_saved(L, 1, bytes, length);
}

// astar.load_path(string, finder) --> path
int astarL_load_path(lua_State *L)
{
    size_t length;
    const char *bytes = astarL_checkdump(L, "path", &length);
    astarL_checkfinder(L, 2);
    if (!push_saved(L, 2, bytes, length))
        return luaL_error(L,
                          "not a path's dump, a damaged one, or one that does not fit this finder "
                          "and its grid");
    return 1;
}

// fields

static void push_path_field(lua_State *L, const void *object, const char *name)
{
    const astarL_Path *path = object;
    const AstarPath *core = &path->core;
    if (strcmp(name, "cost") == 0)
        lua_pushnumber(L, core->cost);
    else if (strcmp(name, "length") == 0)
        lua_pushnumber(L, core->length);
    else if (strcmp(name, "bends") == 0)
        lua_pushinteger(L, astar_path_bends(core));
    else if (strcmp(name, "expanded") == 0)
        lua_pushinteger(L, (lua_Integer)core->expanded);
    else if (strcmp(name, "algorithm") == 0)
        lua_pushstring(L, astar_algorithm_name(core->algorithm));
    else if (strcmp(name, "partial") == 0)
        lua_pushboolean(L, core->partial);
    else if (strcmp(name, "of_world") == 0)
        lua_pushboolean(L, path->of_world);
}

// path[i] --> {x =, y =}
static void push_path_cell(lua_State *L, const void *object, int index)
{
    const astarL_Path *path = object;
    int x, y;
    astar_path_cell(&path->core, index - 1, &x, &y);
    astarL_pushpoint(L, x, y, path->x0, path->y0);
}

static int count_path_cells(const void *object)
{
    return ((const astarL_Path *)object)->core.cells;
}

static void close_path(lua_State *L, void *object)
{
    (void)L;
    astarL_Path *path = object;
    if (path->finder == NULL)
        return;
    // The path's points come from the grid's allocator, so they are freed before the finder.
    astar_path_destroy(&path->core);
    astar_finder_release(path->finder);
    path->finder = NULL;
}

static const astarL_Function path_methods[] = {
    {"breaches", 1, path_breaches},   {"cell", 2, path_cell},
    {"cells", 1, astarL_path_cells},  {"cells_flat", 1, path_cells_flat},
    {"center", 2, path_center},       {"copy_into", 3, path_copy_into},
    {"cost_at", 2, path_cost_at},     {"directions", 1, path_directions},
    {"dump", 1, astarL_path_save},    {"index_within", 3, path_index_within},
    {"is_valid", 2, path_is_valid},   {"repair", 2, path_repair},
    {"repairing", 2, path_repairing}, {"retarget", 4, path_retarget},
    {"link", 2, path_link},           {"reverse", 1, path_reverse},
    {"smooth", 1, path_smooth},       {"totable", 1, path_totable},
    {"waypoints", 1, path_waypoints}, {"", 0, NULL},
};

const astarL_Class astarL_pathclass = {
    .type = ASTARL_PATH,
    .methods = path_methods,
    .close = close_path,
    .field = push_path_field,
    .count = count_path_cells,
    .item = push_path_cell,
    .fields = "cost\0length\0bends\0expanded\0algorithm\0partial\0of_world\0"};

// Iteration: for x, y in path:cells() do.
//
// The iterator is a C function, except under LuaJIT. LuaJIT does not compile calls of C functions,
// and leaving and reentering compiled code at each cell takes five times as long as not compiling
// at all. Under LuaJIT the iterator is a Lua function that gets the legs of the path as a list and
// computes the cells itself. If lines are not straight, as on smoothed paths and on hexagons, the
// Lua function cannot compute the cells. In this case it fetches a few dozen cells at a time. All
// iterators read a copy of the path's turning points, so changes to the path do not affect them.

// The state of a C function that iterates over cells. This state is the function's only upvalue.
typedef struct CellIterator {
    lua_CFunction function; // the function that this state belongs to
    int x0, y0;
    AstarPathCursor cursor;
    AstarPath path; // its points are stored behind it
} CellIterator;

// Pushes a C function that iterates over the cells of the path at index 1, without the first
// 'skipped' cells.
static void push_cell_function(lua_State *L, lua_CFunction function, int skipped)
{
    const astarL_Path *path = lua_touserdata(L, 1);
    CellIterator *state = lua_newuserdata(L, sizeof *state + astarL_pathbytes(&path->core));
    astarL_checkheld(L, path->finder);
    state->function = function;
    state->x0 = path->x0;
    state->y0 = path->y0;
    astarL_copypath(&state->path, &path->core);
    state->cursor = astar_path_cursor(&state->path);
    for (int x, y; skipped > 0; skipped--)
        astar_path_next(&state->cursor, &x, &y);
    lua_pushcclosure(L, function, 1);
}

// Returns the state of the running iterator function. Raises an error if debug.setupvalue has
// replaced the state.
static CellIterator *check_cell_state(lua_State *L, lua_CFunction function)
{
    CellIterator *state = lua_touserdata(L, lua_upvalueindex(1));
    if (state == NULL || lua_rawlen(L, lua_upvalueindex(1)) < sizeof *state ||
        state->function != function)
        luaL_error(L, "debug.setupvalue has replaced an upvalue of this function");
    return state;
}

static int next_path_cell(lua_State *L)
{
    CellIterator *state = check_cell_state(L, next_path_cell);
    int x, y;
    if (!astar_path_next(&state->cursor, &x, &y))
        return 0;
    return astarL_pushcell(L, x, y, state->x0, state->y0);
}

#if LUA_VERSION_NUM == 501 // may or may not be LuaJIT: known only at run time

// Indices into the table that is the Lua iterator's upvalue. The table contains the index of the
// last cell returned; the index of the last cell available; the C function that fetches more cells,
// or false if there are no more; and the cells x1, y1, x2, y2, ...
enum { AT = 1, LAST, FETCH, CELLS, CELLS_A_FETCH = 32 };

static const char lua_iterator_key, leg_iterator_key;
// The text of the Lua iterator. Its arguments are the legs of the path, as a list of dx, dy and the
// number of steps of each leg, and the first cell.
static const char leg_iterator[] =
    "local legs, x, y = ...\n"
    "local at, left, dx, dy = 0, 1, 0, 0\n" // the first cell is the end of a step from itself
    "return function()\n"
    "  if left == 0 then\n"
    "    left = legs[at + 3]\n"
    "    if not left then left = 0 return end\n"
    "    dx, dy, at = legs[at + 1], legs[at + 2], at + 3\n"
    "  end\n"
    "  left = left - 1\n"
    "  x, y = x + dx, y + dy\n"
    "  return x, y\n"
    "end\n";
static const char lua_iterator[] = "local some = ...\n"
                                   "return function()\n"
                                   "  local at = some[1]\n"
                                   "  if at == some[2] then\n"
                                   "    if not some[3] then return end\n"
                                   "    at = some[3](some)\n"
                                   "    if not at then return end\n"
                                   "  end\n"
                                   "  some[1] = at + 2\n"
                                   "  return some[at + 2], some[at + 3]\n"
                                   "end\n";

// Writes the next cells into the table at 'some' and returns the number of cells written.
static int fetch_cells(lua_State *L, int some, AstarPathCursor *cursor, int x0, int y0)
{
    int count = 0, x, y;
    for (int i = CELLS; count < CELLS_A_FETCH && astar_path_next(cursor, &x, &y); i += 2, count++) {
        lua_pushinteger(L, x + x0);
        lua_rawseti(L, some, i);
        lua_pushinteger(L, y + y0);
        lua_rawseti(L, some, i + 1);
    }
    return count;
}

static void set_part(lua_State *L, int some, int part, int value)
{
    lua_pushinteger(L, value);
    lua_rawseti(L, some, part);
}

// Fetches more cells into the table at index 1. Returns to Lua the new initial value of AT, or
// nothing after the last cell.
static int fetch_more_cells(lua_State *L)
{
    CellIterator *state = check_cell_state(L, fetch_more_cells);
    lua_settop(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE); // the debug library may have put something else in its place
    int count = fetch_cells(L, 1, &state->cursor, state->x0, state->y0);
    if (count == 0)
        return 0;
    set_part(L, 1, LAST, CELLS + 2 * (count - 1));
    lua_pushinteger(L, CELLS - 2);
    return 1;
}

// Returns true if the cells between two neighbouring points of a path are evenly spaced, so that
// each step adds the same to the coordinates. A link is a leg of one step. On hexagons only legs of
// one step count: a longer leg may zigzag between two columns and end in the column of its start.
static bool is_even_leg(const AstarPath *path, const AstarPoint *from, const AstarPoint *to)
{
    int steps = to->index - from->index;
    if (path->offset != ASTAR_NO_OFFSET && steps > 1)
        return false;
    return steps > 0 && (to->x - from->x) % steps == 0 && (to->y - from->y) % steps == 0;
}

// Pushes a Lua function that iterates over the cells of a path by its legs. The function that makes
// it is on top of the stack. Returns false and pushes nothing if a leg is not even.
static bool push_leg_iterator(lua_State *L, const astarL_Path *path)
{
    const AstarPoint *points = path->core.points;
    const int count = path->core.count;
    for (int i = 1; i < count; i++)
        if (!is_even_leg(&path->core, &points[i - 1], &points[i]))
            return false;
    if (count == 0)
        return false;
    int x = points[0].x + path->x0, y = points[0].y + path->y0;
    lua_createtable(L, 3 * (count - 1), 0);
    astarL_checkheld(L, path->finder);
    for (int i = 1; i < count; i++) {
        int steps = points[i].index - points[i - 1].index;
        set_part(L, -2, 3 * i - 2, (points[i].x - points[i - 1].x) / steps);
        set_part(L, -2, 3 * i - 1, (points[i].y - points[i - 1].y) / steps);
        set_part(L, -2, 3 * i, steps);
    }
    lua_pushinteger(L, x);
    lua_pushinteger(L, y);
    lua_call(L, 3, 1);
    return true;
}

// Pushes a Lua function that iterates over the cells of the path at index 1. Returns false and
// pushes nothing if Lua is not LuaJIT, or if LuaJIT's compiler was off when the module was opened.
static bool push_lua_iterator(lua_State *L, const astarL_Path *path)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &leg_iterator_key);
    if (!lua_isfunction(L, -1))
        return false;
    if (push_leg_iterator(L, path))
        return true;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lua_iterator_key);
    int cells = path->core.cells < CELLS_A_FETCH ? path->core.cells : CELLS_A_FETCH;
    lua_createtable(L, FETCH + 2 * cells, 0);
    int some = lua_gettop(L);
    AstarPathCursor cursor = astar_path_cursor(&path->core);
    int count = fetch_cells(L, some, &cursor, path->x0, path->y0);
    set_part(L, some, AT, CELLS - 2);
    set_part(L, some, LAST, CELLS + 2 * (count - 1));
    if (count == CELLS_A_FETCH)
        push_cell_function(L, fetch_more_cells, CELLS_A_FETCH);
    else
        lua_pushboolean(L, false);
    lua_rawseti(L, some, FETCH);
    lua_call(L, 1, 1);
    return true;
}

// Returns true if the module jit is loaded and its compiler is on.
static bool is_compiling(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (!lua_istable(L, -1) || astarL_rawfield(L, lua_gettop(L), "jit") != LUA_TTABLE ||
        astarL_rawfield(L, lua_gettop(L), "status") != LUA_TFUNCTION)
        return false;
    lua_call(L, 0, 1);
    return lua_toboolean(L, -1);
}

static void load_iterator(lua_State *L, const char *key, const char *code, size_t length)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)key);
    if (luaL_loadbuffer(L, code, length, "=path:cells") != 0)
        lua_error(L);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

void astarL_openpathcells(lua_State *L)
{
    int top = lua_gettop(L);
    if (is_compiling(L)) {
        load_iterator(L, &lua_iterator_key, lua_iterator, sizeof lua_iterator - 1);
        load_iterator(L, &leg_iterator_key, leg_iterator, sizeof leg_iterator - 1);
    }
    lua_settop(L, top);
}

#else

static bool push_lua_iterator(lua_State *L, const astarL_Path *path)
{
    (void)L;
    (void)path;
    return false;
}

void astarL_openpathcells(lua_State *L)
{
    (void)L;
}

#endif

// path:cells() --> an iterator over the path's cells
int astarL_path_cells(lua_State *L)
{
    const astarL_Path *path = astarL_checkpath(L, 1);
    lua_settop(L, 1);
    if (!push_lua_iterator(L, path))
        push_cell_function(L, next_path_cell, 0);
    return 1;
}
