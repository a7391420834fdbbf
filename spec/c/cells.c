// cells.c -- cells outside the grid: every function of the C API that takes one refuses it, and
// leaves all as it was. spec/core_spec.lua sees to it that none is missing here.

#include "astar.h"
#include "check.h"
#include "path_calls.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static AstarWorkspace *workspace;

enum { WIDTH = 70, HEIGHT = 5 };

static const AstarCell OUTSIDE[] = {
    {-1, 0},      {0, -1},      {WIDTH, 0},   {0, HEIGHT}, {WIDTH, HEIGHT},    {INT_MAX, 2},
    {2, INT_MAX}, {INT_MIN, 2}, {2, INT_MIN}, {128, 0},    {INT_MIN, INT_MIN}, {INT_MAX, INT_MAX},
};

enum { OUTSIDES = (int)(sizeof OUTSIDE / sizeof *OUTSIDE) };

static void refuse_crowds(AstarGrid *grid, AstarFinder *finder, int x, int y)
{
    AstarCrowd *crowd;
    AstarUnit unit, other = 0;
    CHECK(astar_crowd_new(finder, NULL, &crowd) == ASTAR_OK);
    CHECK(astar_crowd_add(crowd, NULL, 0, 0, 1, &unit) == ASTAR_OK);
    CHECK(astar_crowd_add(crowd, NULL, x, y, 1, &other) == ASTAR_BAD_CELL && other == 0);
    CHECK(astar_crowd_go(crowd, unit, x, y) == ASTAR_BAD_CELL);
    CHECK(astar_crowd_send(crowd, unit, x, y, NULL) == ASTAR_BAD_CELL);
    CHECK(!astar_crowd_reaches(crowd, unit, x, y));
    CHECK(astar_crowd_unit_at(crowd, x, y) == 0);
    AstarResolvingOptions options = astar_resolving_options_default();
    AstarResolving *resolving;
    options.x = x;
    options.y = y;
    options.width = options.height = 1;
    CHECK(astar_crowd_resolving(crowd, NULL, 0, &options, &resolving) == ASTAR_BAD_CELL);
    CHECK(astar_crowd_count(crowd) == 1 && astar_crowd_under_way(crowd) == 0);
    CHECK(astar_finder_grid(finder) == grid);
    astar_crowd_release(crowd);
}

static void refuse_edits(AstarGrid *grid, int x, int y)
{
    uint64_t before = astar_grid_version(grid);
    AstarLink link;
    CHECK(astar_grid_get(grid, x, y) == -1);
    CHECK(astar_grid_set(grid, x, y, 1) == ASTAR_BAD_CELL);
    CHECK(astar_grid_fill(grid, x, y, 1, 1, 1) == ASTAR_BAD_CELL);
    uint8_t terrain = 1;
    CHECK(astar_grid_set_cells(grid, x, y, 1, 1, &terrain) == ASTAR_BAD_CELL);
    CHECK(astar_grid_get_cells(grid, x, y, 1, 1, &terrain) == ASTAR_BAD_CELL);
    CHECK(astar_grid_block(grid, x, y, 1, 1) == ASTAR_BAD_CELL);
    CHECK(astar_grid_restrict(grid, x, y, 1, 1, 0) == ASTAR_BAD_CELL);
    CHECK(astar_grid_unrestrict(grid, x, y, 1, 1) == ASTAR_BAD_CELL);
    CHECK(astar_grid_exits(grid, x, y) == 0xFF);
    CHECK(astar_grid_unblock(grid, x, y, 1, 1) == ASTAR_BAD_CELL);
    CHECK(!astar_grid_is_blocked(grid, x, y) && !astar_grid_is_walkable(grid, x, y));
    CHECK(astar_grid_block_layer(grid, 1, x, y, 1, 1) == ASTAR_BAD_CELL);
    CHECK(astar_grid_unblock_layer(grid, 1, x, y, 1, 1) == ASTAR_BAD_CELL);
    CHECK(!astar_grid_is_blocked_layer(grid, 1, x, y) && !astar_grid_is_blocked_in_any(grid, x, y));
    for (int one_way = 0; one_way < 2; one_way++) {
        CHECK(astar_grid_link(grid, x, y, 1, 1, 1, 0, one_way) == ASTAR_BAD_CELL);
        CHECK(astar_grid_link(grid, 1, 1, x, y, 1, 0, one_way) == ASTAR_BAD_CELL);
        CHECK(!astar_grid_unlink(grid, x, y, 1, 1, one_way));
        CHECK(!astar_grid_unlink(grid, 1, 1, x, y, one_way));
        CHECK(!astar_grid_find_link(grid, x, y, 1, 1, &link));
        CHECK(!astar_grid_find_link(grid, 1, 1, x, y, &link));
        CHECK(astar_grid_wall(grid, x, y, ASTAR_SIDE_EAST, one_way) == ASTAR_BAD_CELL);
        CHECK(astar_grid_unwall(grid, x, y, ASTAR_SIDE_EAST, one_way) == ASTAR_BAD_CELL);
    }
    CHECK(!astar_grid_has_wall(grid, x, y, ASTAR_SIDE_EAST));
    int to_x = 77, to_y = 77;
    CHECK(!astar_grid_neighbour(grid, x, y, ASTAR_SIDE_EAST, &to_x, &to_y));
    CHECK(!astar_grid_neighbour(grid, x, y, ASTAR_SIDE_SOUTH_WEST, &to_x, &to_y));
    CHECK(to_x == 77 && to_y == 77);
    CHECK(astar_grid_direction(grid, x, y, 0, 0) == -1 &&
          astar_grid_direction(grid, 0, 0, x, y) == -1);
    CHECK(astar_grid_length(grid, x, y, x, y) == 0 && astar_grid_steps(grid, x, y, x, y) == 0);
    CHECK(astar_grid_steps(grid, x, y, 1, 1) > 0 && astar_grid_length(grid, x, y, 1, 1) > 0);
    double center_x, center_y;
    astar_grid_center(grid, x, y, &center_x, &center_y);
    CHECK(isfinite(center_x) && isfinite(center_y));
    CHECK(astar_grid_version(grid) == before);
}

// Rectangles that begin inside and lead out, or hold nothing.
static void refuse_rectangles(AstarGrid *grid, AstarField *field)
{
    static const int sizes[][2] = {{WIDTH - 1, 1}, {1, HEIGHT - 1}, {INT_MAX, 1}, {1, INT_MAX},
                                   {0, 1},         {1, 0},          {-1, 1},      {1, INT_MIN}};
    uint64_t before = astar_grid_version(grid), before_in_field = astar_field_version(field);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        CHECK(astar_grid_fill(grid, 2, 2, width, height, 1) == ASTAR_BAD_CELL);
        CHECK(astar_grid_set_cells(grid, 2, 2, width, height, NULL) == ASTAR_BAD_CELL);
        CHECK(astar_grid_get_cells(grid, 2, 2, width, height, NULL) == ASTAR_BAD_CELL);
        CHECK(astar_grid_block(grid, 2, 2, width, height) == ASTAR_BAD_CELL);
        CHECK(astar_grid_unblock(grid, 2, 2, width, height) == ASTAR_BAD_CELL);
        CHECK(astar_grid_block_layer(grid, 1, 2, 2, width, height) == ASTAR_BAD_CELL);
        CHECK(astar_grid_unblock_layer(grid, 1, 2, 2, width, height) == ASTAR_BAD_CELL);
        CHECK(astar_field_fill(field, 2, 2, width, height, 1) == ASTAR_BAD_CELL);
    }
    CHECK(astar_grid_version(grid) == before && astar_field_version(field) == before_in_field);
}

static void refuse_terrains(AstarGrid *grid, AstarFinder *finder)
{
    static const int terrains[] = {-1, 2, 255, 256, INT_MIN, INT_MAX};
    uint64_t before = astar_grid_version(grid);
    for (size_t i = 0; i < sizeof terrains / sizeof *terrains; i++) {
        CHECK(astar_grid_set(grid, 2, 2, terrains[i]) == ASTAR_BAD_OPTION);
        CHECK(astar_grid_fill(grid, 2, 2, 1, 1, terrains[i]) == ASTAR_BAD_OPTION);
        CHECK(astar_grid_set_cost(grid, terrains[i], 1) == ASTAR_BAD_OPTION);
        CHECK(isnan(astar_grid_cost(grid, terrains[i])));
        CHECK(isnan(astar_finder_cost(finder, terrains[i])));
    }
    CHECK(astar_grid_version(grid) == before);
}

static void refuse_values(AstarField *field, int x, int y)
{
    uint64_t before = astar_field_version(field);
    CHECK(isnan(astar_field_get(field, x, y)));
    CHECK(astar_field_set(field, x, y, 1) == ASTAR_BAD_CELL);
    CHECK(astar_field_add(field, x, y, 1) == ASTAR_BAD_CELL);
    CHECK(astar_field_fill(field, x, y, 1, 1, 1) == ASTAR_BAD_CELL);
    CHECK(astar_field_stamp(field, x, y, 3, 1) == ASTAR_BAD_CELL);
    CHECK(astar_field_set(field, 2, 2, NAN) == ASTAR_BAD_COST);
    CHECK(astar_field_add(field, 2, 2, NAN) == ASTAR_BAD_COST);
    CHECK(astar_field_fill(field, 2, 2, 1, 1, NAN) == ASTAR_BAD_COST);
    CHECK(astar_field_stamp(field, 2, 2, 1, NAN) == ASTAR_BAD_COST);
    CHECK(astar_field_stamp(field, 2, 2, -1, 1) == ASTAR_BAD_OPTION);
    CHECK(astar_field_version(field) == before);
}

static bool is_goal(void *context, int x, int y, int terrain)
{
    (void)context;
    return x == 3 && y == 3 && terrain == 0;
}

static void refuse_queries(AstarFinder *finder, int x, int y)
{
    AstarPath path;
    AstarSearch *search = NULL;
    AstarCell goals[] = {{1, 1}, {x, y}};
    size_t index;
    bool yes = false;
    int at_x, at_y, size;
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, x, y, 1, 1, NULL, NULL, &path) == ASTAR_BAD_CELL);
    CHECK(astar_find_path(workspace, finder, 1, 1, x, y, NULL, NULL, &path) == ASTAR_BAD_CELL);
    CHECK(astar_find_nearest(workspace, finder, x, y, goals, 1, NULL, NULL, &path, &index) ==
          ASTAR_BAD_CELL);
    CHECK(astar_find_nearest(workspace, finder, 1, 1, goals, 2, NULL, NULL, &path, &index) ==
          ASTAR_BAD_CELL);
    CHECK(astar_find_where(workspace, finder, x, y, is_goal, NULL, NULL, &path) == ASTAR_BAD_CELL);
    CHECK(astar_search_new(workspace, finder, x, y, 1, 1, NULL, &search) == ASTAR_BAD_CELL &&
          search == NULL);
    CHECK(astar_search_new(workspace, finder, 1, 1, x, y, NULL, &search) == ASTAR_BAD_CELL &&
          search == NULL);
    CHECK(astar_search_new(workspace, finder, 1, 1, 2, 1, NULL, &search) == ASTAR_OK);
    CHECK(astar_search_cell(search, x, y) == ASTAR_UNSEEN);
    astar_search_free(search);
    CHECK(astar_reachable(workspace, finder, x, y, 1, 1, NULL, &yes) == ASTAR_BAD_CELL);
    CHECK(astar_reachable(workspace, finder, 1, 1, x, y, NULL, &yes) == ASTAR_BAD_CELL);
    AstarBlock block;
    size_t blocks = 7;
    CHECK(astar_blockers(finder, x, y, 1, 1, &block, 1, &blocks) == ASTAR_BAD_CELL);
    CHECK(astar_blockers(finder, 1, 1, x, y, &block, 1, &blocks) == ASTAR_BAD_CELL && blocks == 7);
    CHECK(astar_line_of_sight(finder, x, y, 1, 1, false, &yes) == ASTAR_BAD_CELL);
    CHECK(astar_line_of_sight(finder, 1, 1, x, y, false, &yes) == ASTAR_BAD_CELL);
    CHECK(astar_raycast(workspace, finder, x, y, 1, 1, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_raycast(workspace, finder, 1, 1, x, y, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_sweep(workspace, finder, x, y, 1, 1, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_sweep(workspace, finder, 1, 1, x, y, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_search_take(workspace, finder, &search) == ASTAR_OK);
    CHECK(astar_search_begin(search, x, y, 1, 1, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_search_begin(search, 1, 1, x, y, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_search_begin_in_steps(search, x, y, 1, 1, NULL, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_begin_in_steps(search, 1, 1, x, y, NULL, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_nearest(search, x, y, goals, 1, NULL, NULL, &index) == ASTAR_BAD_CELL);
    CHECK(astar_search_nearest(search, 1, 1, goals, 2, NULL, NULL, &index) == ASTAR_BAD_CELL);
    CHECK(astar_search_where(search, x, y, is_goal, NULL, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_search_nearest_in_steps(search, x, y, goals, 1, NULL, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_nearest_in_steps(search, 1, 1, goals, 2, NULL, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_where_in_steps(search, x, y, is_goal, NULL, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_reachable(search, x, y, 1, 1, NULL, &yes) == ASTAR_BAD_CELL);
    CHECK(astar_search_reachable(search, 1, 1, x, y, NULL, &yes) == ASTAR_BAD_CELL);
    CHECK(astar_search_raycast(search, x, y, 1, 1, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_search_raycast(search, 1, 1, x, y, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_search_sweep(search, x, y, 1, 1, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(astar_search_sweep(search, 1, 1, x, y, NULL, &yes, &at_x, &at_y) == ASTAR_BAD_CELL);
    astar_search_free(search);
    CHECK(astar_clearance(finder, x, y, &size) == ASTAR_BAD_CELL);
    AstarCell cells[ASTAR_MOST_CUT], inside = {1, 1}, outside = {x, y};
    size_t found;
    CHECK(astar_min_cut(workspace, finder, inside, outside, 2, cells, &size) == ASTAR_BAD_CELL);
    CHECK(astar_min_cut(workspace, finder, outside, inside, 2, cells, &size) == ASTAR_BAD_CELL);
    CHECK(astar_min_cut(workspace, finder, inside, inside, -1, cells, &size) == ASTAR_BAD_OPTION);
    CHECK(astar_chokepoints(workspace, finder, inside, outside, cells, 2, &found) ==
          ASTAR_BAD_CELL);
    CHECK(astar_chokepoints(workspace, finder, outside, inside, cells, 2, &found) ==
          ASTAR_BAD_CELL);
    const AstarRectangle blocked = {x, y, 1, 1};
    AstarFinder *supposing = NULL;
    CHECK(astar_finder_suppose(finder, &blocked, 1, &supposing) == ASTAR_BAD_CELL);
    CHECK(supposing == NULL);
    CHECK(path.cells == 0);
    astar_path_destroy(&path);
}

static void refuse_sights(AstarFinder *finder, AstarField *field, int x, int y)
{
    const AstarSight sight = {.radius = 3};
    uint64_t before = astar_field_version(field);
    CHECK(astar_fov(finder, x, y, &sight, field) == ASTAR_BAD_CELL);
    CHECK(astar_field_version(field) == before);
}

static void refuse_flows(AstarFinder *finder, AstarFlow *flow, int x, int y)
{
    AstarFlow *other = NULL;
    const AstarFlowGoal goals[] = {{1, 1, 0}, {x, y, 0}}, endless = {1, 1, INFINITY};
    AstarPath path;
    double distance;
    int at_x, at_y;
    astar_path_init(&path);
    CHECK(astar_flow_new(finder, goals, 2, INFINITY, &other) == ASTAR_BAD_CELL);
    CHECK(astar_flow_new(finder, &endless, 1, INFINITY, &other) == ASTAR_BAD_OPTION);
    CHECK(astar_flow_new_within(finder, goals, 2, 3, INFINITY, &other) == ASTAR_BAD_CELL);
    CHECK(astar_flow_new_within(finder, goals, 1, -1, INFINITY, &other) == ASTAR_BAD_OPTION);
    CHECK(astar_reach_new(finder, x, y, INFINITY, &other) == ASTAR_BAD_CELL);
    CHECK(astar_reach_new(finder, 1, 1, -1, &other) == ASTAR_BAD_OPTION);
    CHECK(astar_reach_new(finder, 1, 1, NAN, &other) == ASTAR_BAD_OPTION && other == NULL);
    CHECK(astar_flow_distance(flow, x, y, NULL, &distance) == ASTAR_BAD_CELL);
    CHECK(astar_flow_next(flow, x, y, NULL, &at_x, &at_y) == ASTAR_BAD_CELL);
    CHECK(!astar_flow_recall(flow, x, y, &at_x, &at_y));
    const AstarRectangle blocked = {x, y, 1, 1};
    uint64_t count;
    CHECK(astar_flow_count_cut_off(flow, &blocked, &count) == ASTAR_BAD_CELL);
    AstarWeighed weighed;
    CHECK(astar_flow_around(flow, x, y, NULL, &weighed) == ASTAR_BAD_CELL);
    CHECK(astar_flow_path(flow, x, y, NULL, &path) == ASTAR_BAD_CELL && path.cells == 0);
    astar_path_destroy(&path);
}

// A path that another, larger grid has.
static void refuse_path(AstarFinder *finder, const AstarPath *path)
{
    AstarPath out;
    int bad;
    astar_path_init(&out);
    CHECK(reverse_path(workspace, path, finder, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(smooth_path(workspace, path, finder, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(repair_path(workspace, path, finder, 0, false, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(repair_path(workspace, path, finder, 0, true, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(check_cells_of(workspace, path, finder, NULL, &bad) == ASTAR_BAD_CELL);
    AstarPathArea area = {0};
    uint64_t version = astar_grid_version(astar_finder_grid(finder));
    CHECK(!astar_path_outlasts(path, finder, -1, version, &area));
    CHECK(!astar_path_outlasts(path, finder, path->cells, version, &area));
    CHECK(repair_path(workspace, path, finder, -1, false, NULL, &out) == ASTAR_BAD_OPTION);
    CHECK(repair_path(workspace, path, finder, path->cells, false, NULL, &out) == ASTAR_BAD_OPTION);
    AstarSearch *search = NULL;
    CHECK(astar_search_take(workspace, finder, &search) == ASTAR_OK);
    CHECK(astar_search_reverse(search, path, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(astar_search_smooth(search, path, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(astar_search_repair(search, path, 0, false, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(astar_search_repair_in_steps(search, path, 0, false, 0) == ASTAR_BAD_CELL);
    CHECK(astar_search_repair_in_steps(search, path, -1, false, 0) == ASTAR_BAD_OPTION);
    AstarCell goal = {0, 0}, outside = {-1, 0};
    CHECK(astar_search_retarget(search, path, 0, goal, 1.1, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(astar_search_retarget(search, path, 0, outside, 1.1, NULL, &out) == ASTAR_BAD_CELL);
    CHECK(astar_search_retarget(search, path, -1, goal, 1.1, NULL, &out) == ASTAR_BAD_OPTION);
    CHECK(astar_search_retarget(search, path, path->cells, goal, 1, NULL, &out) ==
          ASTAR_BAD_OPTION);
    CHECK(astar_search_retarget(search, path, 0, goal, 0.5, NULL, &out) == ASTAR_BAD_OPTION);
    CHECK(astar_search_check(search, path, 0, NULL, &bad) == ASTAR_BAD_CELL);
    astar_search_free(search);
    CHECK(out.cells == 0);
    astar_path_destroy(&out);
}

static void refuse_paths(AstarFinder *finder)
{
    AstarGrid *grid = NULL;
    AstarFinder *wider = NULL;
    AstarOptions options = astar_options_default();
    AstarPath path;
    astar_path_init(&path);
    options.partial = true;
    CHECK(astar_grid_new(NULL, WIDTH + 1, HEIGHT + 1, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &wider) == ASTAR_OK);
    CHECK(astar_find_path(workspace, wider, 0, 0, WIDTH, 0, NULL, NULL, &path) == ASTAR_OK);
    refuse_path(finder, &path);
    CHECK(astar_grid_block(grid, WIDTH - 1, 0, 2, HEIGHT + 1) == ASTAR_OK);
    CHECK(astar_find_path(workspace, wider, 0, 0, WIDTH, 0, NULL, NULL, &path) == ASTAR_OK &&
          path.partial);
    refuse_path(finder, &path); // it is the goal that is outside
    astar_path_destroy(&path);
    astar_finder_release(wider);
    astar_grid_release(grid);
}

// All is as it was for questions about cells inside.
static void ask_inside(AstarFinder *finder, AstarFlow *flow)
{
    AstarPath path;
    double distance;
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, 0, 0, WIDTH - 1, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost == WIDTH - 1);
    CHECK(astar_flow_distance(flow, 0, 0, NULL, &distance) == ASTAR_OK);
    CHECK(distance == WIDTH - 1);
    astar_path_destroy(&path);
}

// The same of hexagons, and what they alone refuse.
static void ask_hexagons(AstarOffset offset)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarFlow *flow;
    AstarOptions options = astar_options_default();
    const AstarFlowGoal goal = {WIDTH - 1, 0, 0};
    CHECK(astar_grid_new_shaped(NULL, offset, WIDTH, HEIGHT, &grid) == ASTAR_OK);
    CHECK(astar_grid_new_shaped(NULL, ASTAR_OFFSET_COUNT, 4, 4, &grid) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_new_shaped(NULL, offset, 0, 4, &grid) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_offset(grid) == offset);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    for (int i = 0; i < OUTSIDES; i++) {
        refuse_queries(finder, OUTSIDE[i].x, OUTSIDE[i].y);
        refuse_flows(finder, flow, OUTSIDE[i].x, OUTSIDE[i].y);
    }
    bool in_rows = offset == ASTAR_ODD_R || offset == ASTAR_EVEN_R;
    AstarSide none = in_rows ? ASTAR_SIDE_NORTH : ASTAR_SIDE_EAST;
    CHECK(astar_grid_wall(grid, 1, 1, none, false) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_unwall(grid, 1, 1, none, false) == ASTAR_BAD_OPTION);
    CHECK(astar_grid_wall(grid, 1, 1, ASTAR_SIDE_SOUTH_EAST, false) == ASTAR_OK);
    CHECK(!astar_grid_has_wall(grid, 1, 1, none));
    int size, x, y;
    CHECK(astar_clearance(finder, 1, 1, &size) == ASTAR_BAD_OPTION);
    CHECK(!astar_grid_neighbour(grid, 1, 1, none, &x, &y));
    options.size = 2;
    CHECK(strcmp(astar_grid_refusal(grid, &options), "size") == 0);
    AstarFinder *refused = NULL;
    CHECK(astar_finder_new(grid, &options, &refused) == ASTAR_BAD_OPTION && refused == NULL);
    options = astar_options_default();
    options.bends = ASTAR_BENDS_FEWEST;
    options.heading = (AstarHeading)(none + 1);
    CHECK(strcmp(astar_grid_refusal(grid, &options), "this heading") == 0);
    CHECK(astar_finder_new(grid, &options, &refused) == ASTAR_BAD_OPTION && refused == NULL);
    AstarQueryOptions query = astar_query_default(finder);
    query.bends = ASTAR_BENDS_FEWEST;
    AstarPath path;
    astar_path_init(&path);
    for (int i = ASTAR_NO_HEADING; i < ASTAR_HEADING_COUNT; i++) {
        bool is_side = i == ASTAR_NO_HEADING || (astar_grid_sides(grid) >> (i - 1) & 1) != 0;
        query.heading = (AstarHeading)i;
        AstarStatus status = astar_find_path(workspace, finder, 0, 0, 3, 2, &query, NULL, &path);
        CHECK(status == (is_side ? ASTAR_OK : ASTAR_BAD_OPTION));
    }
    astar_path_destroy(&path);
    astar_flow_release(flow);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

static void refuse_batches(AstarFinder *finder, int x, int y)
{
    AstarWorkers *workers = NULL;
    AstarBatch *batch = NULL;
    CHECK(astar_workers_new(NULL, 0, &workers) == ASTAR_OK);
    CHECK(astar_batch_new(workers, &batch) == ASTAR_OK);
    CHECK(astar_batch_add(batch, finder, x, y, 1, 1, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_batch_add(batch, finder, 1, 1, x, y, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_batch_count(batch) == 0);
    astar_batch_free(batch);
    astar_workers_release(workers);
}

int main(void)
{
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    AstarGrid *grid = NULL;
    AstarField *field = NULL;
    AstarFinder *finder = NULL;
    AstarFlow *flow = NULL;
    int swamp, layer;
    const AstarFlowGoal goal = {WIDTH - 1, 0, 0};
    CHECK(astar_grid_new(NULL, WIDTH, HEIGHT, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_field_new(NULL, WIDTH, HEIGHT, &field) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    CHECK(astar_grid_layer(grid, "units", 5, &layer) == ASTAR_OK && layer == 1);
    for (int layers = 0; layers < 2; layers++) {
        for (int i = 0; i < OUTSIDES; i++) {
            refuse_edits(grid, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_values(field, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_queries(finder, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_sights(finder, field, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_flows(finder, flow, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_crowds(grid, finder, OUTSIDE[i].x, OUTSIDE[i].y);
            refuse_batches(finder, OUTSIDE[i].x, OUTSIDE[i].y);
        }
        refuse_rectangles(grid, field);
        refuse_terrains(grid, finder);
        refuse_paths(finder);
        ask_inside(finder, flow);
        // Once more where there are blocks, links and walls to look up.
        CHECK(astar_grid_block(grid, 4, 4, 1, 1) == ASTAR_OK);
        CHECK(astar_grid_link(grid, 0, 4, 3, 4, 9, 0, false) == ASTAR_OK);
        CHECK(astar_grid_wall(grid, 0, 4, ASTAR_SIDE_NORTH, false) == ASTAR_OK);
    }
    astar_flow_release(flow);
    astar_finder_release(finder);
    astar_field_release(field);
    astar_grid_release(grid);
    for (int offset = ASTAR_ODD_R; offset < ASTAR_WRAP_X; offset++)
        ask_hexagons((AstarOffset)offset);
    astar_workspace_free(workspace);
    return report();
}
