// lua_names.c -- what a name that there is not was meant for.
//
// Of other libraries' names it is known how the same is said here. The tables in the manual, of
// those who come from Jumper and from Godot, hold them all; some of PathFinding.js and libtcod are
// beside them.

#include "binding/lua_names.h"

#include <string.h>

// Words and what is said here instead, in turn; values of options as option=value. Large letters
// and small ones are the same. One text, for a table of pointers would take twice as much.
static const char hints[] =
    // Jumper
    "Pathfinder\0grid:finder { ... }\0"
    "setWalkable\0grid:block, grid:set or the option terrain of astar.grid\0"
    "setGrid\0a finder of that grid, grid:finder\0"
    "getGrid\0finder:options and the grid that it was made of\0"
    "getPath\0find_path(sx, sy, gx, gy)\0"
    "setMode\0the option diagonals of grid:finder\0"
    "getMode\0finder:options().diagonals\0"
    "setFinder\0the option algorithm of grid:finder\0"
    "getFinder\0path.algorithm\0"
    "setHeuristic\0the option heuristic of grid:finder\0"
    "getHeuristic\0finder:options().heuristic\0"
    "tunnel\0diagonals = \"always\"\0"
    "setTunnelling\0diagonals = \"always\" of grid:finder\0"
    "annotateGrid\0the option size of grid:finder\0"
    "nodes\0for x, y in path:cells() do\0"
    "iter\0path:cells() of paths, grid:bounds() of grids\0"
    "each\0two loops over grid:bounds()\0"
    "getLength\0path.length\0"
    "fill\0not needed, paths hold every cell; grid:fill lays ground\0"
    "filter\0path:waypoints()\0"
    "append\0finder:find_path from where the other one ends\0"
    "getNodeAt\0grid:get(x, y)\0"
    "isWalkableAt\0grid:is_walkable(x, y)\0"
    "walkable\0the option terrain of astar.grid, or cost of grid:finder\0"
    "getWidth\0grid:size()\0"
    "getHeight\0grid:size()\0"
    "getBounds\0grid:bounds()\0"
    "getNeighbours\0finder:reach(x, y, 1), of cells of cost 1\0"
    "getMap\0grid:get_cells or grid:draw()\0"
    "JPS\0{ algorithm = \"jps\" }\0"
    "ASTAR\0{ algorithm = \"astar\" }\0"
    "DIJKSTRA\0{ algorithm = \"dijkstra\" }\0"
    "THETASTAR\0{ any_angle = true }\0"
    "heuristic=cardintcard\0\"octile\"\0"
    "heuristic=cardintal\0\"octile\"\0"
    "heuristic=euclidian\0\"euclidean\"\0"
    "heuristic=diagonal\0\"chebyshev\"\0"
    "diagonals=orthogonal\0\"never\"\0"
    "diagonals=diagonal\0\"if_at_most_one_obstacle\"\0"
    "algorithm=thetastar\0the option any_angle = true\0"
    "algorithm=bfs\0\"auto\"\0"
    "algorithm=dfs\0\"auto\"\0"
    // Godot
    "region\0astar.grid(w, h, { origin = { x, y } })\0"
    "update\0not needed: each edit counts at once\0"
    "is_dirty\0not needed: each edit counts at once\0"
    "cell_size\0the option scale of astar.love.view\0"
    "offset\0the options x and y of astar.love.view\0"
    "cell_shape\0the option shape of astar.grid\0"
    "get_point_position\0view:to_pixel(x, y)\0"
    "set_point_solid\0grid:block(x, y), grid:unblock(x, y)\0"
    "is_point_solid\0grid:is_blocked(x, y)\0"
    "fill_solid_region\0grid:block(x, y, w, h), grid:unblock(x, y, w, h)\0"
    "set_point_weight_scale\0grid:set(x, y, key), of a terrain with that cost\0"
    "get_point_weight_scale\0grid:terrain(grid:get(x, y))\0"
    "fill_weight_scale_region\0grid:fill(x, y, w, h, key)\0"
    "diagonal_mode\0the option diagonals of grid:finder\0"
    "default_estimate_heuristic\0the option heuristic of grid:finder\0"
    "default_compute_heuristic\0the option diagonal_cost of grid:finder\0"
    "jumping_enabled\0algorithm = \"auto\" of grid:finder, the default\0"
    "_compute_cost\0the option step_cost of grid:finder\0"
    "_estimate_cost\0the option heuristic of grid:finder\0"
    "get_id_path\0find_path(sx, sy, gx, gy)\0"
    "get_point_path\0find_path(sx, sy, gx, gy), view:to_pixel of its cells\0"
    "is_in_bounds\0grid:bounds()\0"
    "is_in_boundsv\0grid:bounds()\0"
    "clear\0a new grid\0"
    "diagonals=at_least_one_walkable\0\"if_at_most_one_obstacle\"\0"
    "diagonals=only_if_no_obstacles\0\"only_when_no_obstacles\"\0"
    "add_point\0graph:node(key, x, y)\0"
    "connect_points\0graph:edge(a, b)\0"
    // PathFinding.js
    "findPath\0find_path(sx, sy, gx, gy)\0"
    "AStarFinder\0grid:finder { algorithm = \"astar\" }\0"
    "JumpPointFinder\0grid:finder { algorithm = \"jps\" }\0"
    "DijkstraFinder\0grid:finder { algorithm = \"dijkstra\" }\0"
    "setWalkableAt\0grid:block(x, y), grid:unblock(x, y)\0"
    "allowDiagonal\0the option diagonals\0"
    "dontCrossCorners\0diagonals = \"only_when_no_obstacles\", the default\0"
    "diagonalMovement\0the option diagonals\0"
    "smoothenPath\0path:smooth()\0"
    "compressPath\0path:waypoints()\0"
    // libtcod
    "compute\0find_path(sx, sy, gx, gy)\0"
    "get_path\0find_path(sx, sy, gx, gy)\0"
    "setProperties\0grid:block(x, y) or grid:set(x, y, key)\0";

static int small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

static bool is_same_word(const char *a, const char *b)
{
    while (*a != 0 && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) == small(*b);
}

// What is said here for another library's word; NULL where it is none.
static const char *find_hint(const char *word)
{
    for (const char *hint = hints; *hint != 0; hint += strlen(hint) + 1) {
        const char *here = hint + strlen(hint) + 1;
        if (is_same_word(word, hint))
            return here;
        hint = here;
    }
    return NULL;
}

// How many letters must be changed, added or dropped to make one word of the other (Levenshtein,
// 1966); words are cut at 31 letters.
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST_NUMBER = 31 };
    int row[LONGEST_NUMBER + 1];
    int a_length = (int)strlen(a), b_length = (int)strlen(b);
    a_length = a_length < LONGEST_NUMBER ? a_length : LONGEST_NUMBER;
    b_length = b_length < LONGEST_NUMBER ? b_length : LONGEST_NUMBER;
    for (int j = 0; j <= b_length; j++)
        row[j] = j;
    for (int i = 1; i <= a_length; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int change = diagonal + (small(a[i - 1]) != small(b[j - 1]));
            int drop = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < drop ? change : drop;
        }
    }
    return row[b_length];
}

// The name that a word may have been meant for: it begins like it, or two letters are off, or a
// third of them, but not all; NULL if none.
static const char *nearest_name(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    int length = (int)strlen(word), least = length < 6 ? 3 : length / 3 + 1;
    for (int i = 0; names[i] != NULL; i++) {
        if (length > 2 && strncmp(word, names[i], (size_t)length) == 0)
            return names[i];
        int distance = edit_distance(word, names[i]);
        if (distance < least && (distance < length || distance < (int)strlen(names[i]))) {
            nearest = names[i];
            least = distance;
        }
    }
    return nearest;
}

const char *astarL_pushmeant(lua_State *L, int arg, const char *const *names)
{
    const char *word = lua_type(L, arg) == LUA_TSTRING ? lua_tostring(L, arg) : "";
    const char *hint = find_hint(word), *nearest = nearest_name(word, names);
    if (hint != NULL)
        return lua_pushfstring(L, ": here it is %s", hint);
    return nearest != NULL ? lua_pushfstring(L, " (did you mean \"%s\"?)", nearest) : "";
}

const char *astarL_pushmeantvalue(lua_State *L, int arg, const char *option,
                                  const char *const *names)
{
    if (lua_type(L, arg) != LUA_TSTRING)
        return "";
    const char *word = lua_tostring(L, arg);
    const char *hint = find_hint(lua_pushfstring(L, "%s=%s", option, word));
    for (int i = 0; hint == NULL && names[i] != NULL; i++)
        if (is_same_word(word, names[i]))
            hint = lua_pushfstring(L, "\"%s\"", names[i]);
    return hint != NULL ? lua_pushfstring(L, ": here it is %s", hint) : "";
}

int astarL_meant(lua_State *L)
{
    const char *names[ASTARL_MOST_NAMES + 1] = {NULL};
    luaL_checktype(L, 2, LUA_TTABLE);
    for (int i = 0; i < ASTARL_MOST_NAMES; i++) {
        lua_rawgeti(L, 2, i + 1);
        names[i] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        lua_pop(L, 1); // the table keeps it
        if (names[i] == NULL)
            break;
    }
    lua_pushstring(L, astarL_pushmeant(L, 1, names));
    return 1;
}

// ---- which of several ----

// Whether the string at 'arg' is this name, to its last byte: it may hold zeros.
static bool is_name(lua_State *L, int arg, const char *name)
{
    size_t length;
    const char *text = lua_tolstring(L, arg, &length);
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

int astarL_nameamong(lua_State *L, int arg, const char *const *names)
{
    if (lua_type(L, arg) == LUA_TSTRING)
        for (int i = 0; names[i] != NULL; i++)
            if (is_name(L, arg, names[i]))
                return i;
    return -1;
}
