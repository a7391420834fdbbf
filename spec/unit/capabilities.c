// capabilities.c -- that the table of what algorithms can honour tells the truth.
//
// All combinations of needs on a small map, by each rule and algorithm: what the table says is
// refused is refused, with its status and words, by whatever way it is asked; all else gives the
// cost that the fuzzers' oracle has, by the algorithm that the table lets run.

#include "support.h"

#include "../fuzz/oracle.c"
#include "rules/capabilities.h"
#include "rules/corner_rules.h"

#include <string.h>

enum { WIDTH = 12, HEIGHT = 8, GOAL_X = 8, GOAL_Y = 4, OTHER_X = 1, OTHER_Y = 6 };

// Needs that this makes, each a bit of a number; the shape of the map has a test of its own.
enum { MADE = 1u << ASTAR_NEED_COUNT };

static const AstarNeeds of_queries = 1u << ASTAR_NEED_WEIGHT | 1u << ASTAR_NEED_RANGE |
                                     1u << ASTAR_NEED_BENDS;
static const AstarNeeds of_map = 1u << ASTAR_NEED_SEVERAL_COSTS | 1u << ASTAR_NEED_LINKS |
                                 1u << ASTAR_NEED_WALLS;

static bool has(AstarNeeds needs, AstarNeed need)
{
    return (needs >> need & 1) != 0;
}

// ---- worlds, units ----

static double costlier(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)terrain;
    return cost * (1 + (x + 2 * y) % 3 * 0.25);
}

static double slower(void *context, int x, int y, int to_x, int to_y, double cost)
{
    (void)context;
    return cost + (x * 3 + y + to_x * 5 + to_y) % 4 * 0.25;
}

static double blind(void *context, int dx, int dy)
{
    (void)context;
    (void)dx;
    (void)dy;
    return 0;
}

static World world_with(AstarNeeds needs)
{
    static const char *const rows[HEIGHT] = {
        "......#.....", ".#....#..#..", "............", "..#~~......#",
        "..#~~~......", "...~~##.....", "......#.....", "#...........",
    };
    World world = {.width = WIDTH, .height = HEIGHT, .cost = {1, 2, INFINITY, INFINITY}};
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        char drawn = rows[cell / WIDTH][cell % WIDTH];
        world.blocked[cell] = drawn == '#';
        world.ground[cell] = drawn == '~' && has(needs, ASTAR_NEED_SEVERAL_COSTS);
    }
    // A goal shut in on all sides, by which no unit comes in.
    for (int i = 0; has(needs, ASTAR_NEED_NEAREST) && i < 9; i++)
        world.blocked[(GOAL_Y - 1 + i / 3) * WIDTH + GOAL_X - 1 + i % 3] = i != 4;
    world.blocked[0] = has(needs, ASTAR_NEED_OWN_BLOCKS);
    if (has(needs, ASTAR_NEED_LINKS))
        world.links[world.link_count++] = (WorldLink){2 * WIDTH, WIDTH - 3, 1.5};
    if (has(needs, ASTAR_NEED_WALLS)) {
        world.walls[2 * WIDTH + 2][1] = world.walls[2 * WIDTH + 3][3] = true;
        world.walls[4 * WIDTH + 6][0] = world.walls[3 * WIDTH + 6][2] = true;
    }
    return world;
}

static AstarGrid *grid_of(const World *world)
{
    AstarGrid *grid;
    int terrain;
    CHECK(astar_grid_new(NULL, WIDTH, HEIGHT, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, world->cost[1], &terrain) == ASTAR_OK);
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        int x = cell % WIDTH, y = cell / WIDTH;
        astar_grid_set(grid, x, y, world->ground[cell]);
        if (world->blocked[cell])
            astar_grid_block(grid, x, y, 1, 1);
        for (int side = 0; side < 4; side++)
            if (world->walls[cell][side])
                astar_grid_wall(grid, x, y, (AstarSide)(side * 2), true);
    }
    for (int i = 0; i < world->link_count; i++) {
        const WorldLink *link = &world->links[i];
        astar_grid_link(grid, link->from % WIDTH, link->from / WIDTH, link->to % WIDTH,
                        link->to / WIDTH, link->cost, 0, true);
    }
    return grid;
}

static AstarWorkspace *workspace;
static AstarField *field; // to avoid

static AstarOptions options_with(AstarNeeds needs, AstarDiagonals rule, AstarAlgorithm algorithm)
{
    AstarOptions options = astar_options_default();
    options.diagonals = rule;
    options.algorithm = algorithm;
    options.estimate = has(needs, ASTAR_NEED_ESTIMATE) ? blind : NULL;
    options.cost = has(needs, ASTAR_NEED_COST) ? costlier : NULL;
    options.step_cost = has(needs, ASTAR_NEED_STEP_COST) ? slower : NULL;
    options.avoid = has(needs, ASTAR_NEED_AVOID) ? field : NULL;
    if (has(needs, ASTAR_NEED_HEURISTIC))
        options.heuristic = ASTAR_EUCLIDEAN;
    options.diagonal_cost = has(needs, ASTAR_NEED_DIAGONAL_2) ? 2 : 1.5;
    options.size = has(needs, ASTAR_NEED_OWN_BLOCKS) ? 2 : 1;
    options.partial = has(needs, ASTAR_NEED_NEAREST);
    options.bend_cost = has(needs, ASTAR_NEED_BEND_COST) ? 1e-13 : 0; // that costs stay the same
    return options;
}

// Whether a combination can be, by each its needs: those of rules are the rules' own.
static bool can_be(AstarNeeds needs, AstarDiagonals rule)
{
    const AstarCornerRule *corners = &astar_corner_rules[rule];
    if (has(needs, ASTAR_NEED_SHAPE) || has(needs, ASTAR_NEED_SIDES) ||
        has(needs, ASTAR_NEED_WRAP) ||
        has(needs, ASTAR_NEED_CORNERS) != (corners->corners == ASTAR_CORNERS_OTHER))
        return false;
    if (has(needs, ASTAR_NEED_OWN_BLOCKS) && has(needs, ASTAR_NEED_AVOID))
        return false;
    if (has(needs, ASTAR_NEED_DIAGONAL_2) && corners->corners != ASTAR_CORNERS_ANY &&
        corners->corners != ASTAR_CORNERS_ONE_FREE)
        return false;
    if (has(needs, ASTAR_NEED_BENDS) && has(needs, ASTAR_NEED_BEND_COST))
        return false; // saves time: the same search
    return !has(needs, ASTAR_NEED_NEAREST) || !has(needs, ASTAR_NEED_RANGE);
}

// ---- what is right ----

typedef struct Asked {
    World world;
    AstarGrid *grid;
    AstarNeeds needs;
    AstarDiagonals rule;
    Reach reach;
} Asked;

static bool is_at_most(double a, double b)
{
    return a <= b || near(a, b);
}

static int cell_of(const AstarPath *path, int index)
{
    int x, y;
    astar_path_cell(path, index, &x, &y);
    return y * WIDTH + x;
}

static int range_of(AstarNeeds needs)
{
    return has(needs, ASTAR_NEED_RANGE) ? 1 : 0;
}

static bool is_goal(const Asked *asked, const AstarOptions *options, int cell, int x, int y)
{
    int range = range_of(asked->needs), dx, dy;
    oracle_away(options, range, cell % WIDTH, cell / WIDTH, x, y, &dx, &dy);
    return dx <= range && dy <= range;
}

// The least cost of coming to the goal, or to the cells nearest to it.
static double best_cost(const Asked *asked, const AstarOptions *options, bool of_two)
{
    double best = INFINITY, nearest = INFINITY;
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        double distance = asked->reach.distance[cell];
        int dx, dy;
        oracle_away(options, range_of(asked->needs), cell % WIDTH, cell / WIDTH, GOAL_X, GOAL_Y,
                    &dx, &dy);
        double off = oracle_ground_distance(options, dx, dy);
        if (isinf(distance))
            continue;
        if (options->partial && off < nearest - 1e-9) {
            nearest = off;
            best = distance;
        } else if (options->partial
                       ? off < nearest + 1e-9
                       : is_goal(asked, options, cell, GOAL_X, GOAL_Y) ||
                             (of_two && is_goal(asked, options, cell, OTHER_X, OTHER_Y))) {
            best = fmin(best, distance);
        }
    }
    return best;
}

// Whether a path is as cheap as the weight wants it, of those to its end or to any goal.
static bool is_right(const Asked *asked, const AstarOptions *options, const AstarPath *path,
                     bool of_two)
{
    double weight = has(asked->needs, ASTAR_NEED_WEIGHT) ? 2 : 1;
    double here = asked->reach.distance[cell_of(path, path->cells - 1)];
    double best = best_cost(asked, options, of_two);
    return is_at_most(here, path->cost) && is_at_most(best, path->cost) &&
           is_at_most(path->cost, weight * best);
}

// Returns true if the algorithm that answered a query may have done so. Jump point search also runs
// back from the cells of a range, and from the cells that are nearest to a goal, see jps.c.
static bool is_by_right_one(const Asked *asked, AstarAlgorithm algorithm, const AstarPath *path)
{
    AstarNeeds but_goals = asked->needs & ~(1u << ASTAR_NEED_RANGE | 1u << ASTAR_NEED_NEAREST);
    if (algorithm == ASTAR_AUTO)
        return path->algorithm != ASTAR_DIJKSTRA &&
               astar_honours(path->algorithm,
                             path->algorithm == ASTAR_JPS ? but_goals : asked->needs);
    return path->algorithm == (astar_honours(algorithm, asked->needs) ? algorithm : ASTAR_ASTAR);
}

// ---- asking ----

static AstarQueryOptions query_of(const AstarFinder *finder, AstarNeeds needs)
{
    AstarQueryOptions query = astar_query_default(finder);
    query.weight = has(needs, ASTAR_NEED_WEIGHT) ? 2 : 1;
    query.range = range_of(needs);
    query.bends = has(needs, ASTAR_NEED_BENDS) ? ASTAR_BENDS_FEWEST : ASTAR_BENDS_ANY;
    return query;
}

static bool is_refused_everywhere(AstarFinder *finder, const AstarQueryOptions *query,
                                  AstarStatus status)
{
    static const AstarCell goals[] = {{GOAL_X, GOAL_Y}, {OTHER_X, OTHER_Y}};
    AstarPath path;
    AstarSearch *search = NULL;
    size_t index;
    astar_path_init(&path);
    bool is = astar_find_path(workspace, finder, 0, 0, GOAL_X, GOAL_Y, query, NULL, &path) ==
              status;
    is = is && astar_find_nearest(workspace, finder, 0, 0, goals, 2, query, NULL, &path, &index) ==
                   status;
    is = is &&
         astar_search_new(workspace, finder, 0, 0, GOAL_X, GOAL_Y, query, &search) == ASTAR_OK &&
         astar_search_status(search) == status;
    astar_search_free(search);
    astar_path_destroy(&path);
    return is;
}

static bool is_answered(const Asked *asked, AstarFinder *finder, const AstarOptions *options,
                        const AstarQueryOptions *query)
{
    static const AstarCell goals[] = {{GOAL_X, GOAL_Y}, {OTHER_X, OTHER_Y}};
    AstarPath path;
    size_t index;
    astar_path_init(&path);
    bool right = astar_find_path(workspace, finder, 0, 0, GOAL_X, GOAL_Y, query, NULL, &path) ==
                     ASTAR_OK &&
                 is_right(asked, options, &path, false) &&
                 is_by_right_one(asked, options->algorithm, &path);
    right = right &&
            astar_find_nearest(workspace, finder, 0, 0, goals, options->partial ? 1 : 2, query,
                               NULL, &path, &index) == ASTAR_OK &&
            is_right(asked, options, &path, true);
    astar_path_destroy(&path);
    return right;
}

static bool says(const char *words, const AstarRefusal *refusal)
{
    return refusal == NULL ? words == NULL : words != NULL && strcmp(words, refusal->what) == 0;
}

// One combination by one algorithm.
static bool test_algorithm(const Asked *asked, AstarAlgorithm algorithm)
{
    AstarOptions options = options_with(asked->needs, asked->rule, algorithm);
    AstarNeeds own = asked->needs & ~(of_map | of_queries);
    AstarNeeds unseen = 1u << ASTAR_NEED_OWN_BLOCKS | 1u << ASTAR_NEED_NEAREST;
    if (astar_needs_of_options(&options) != (own & ~unseen))
        return false;
    const AstarRefusal *refusal = astar_refusal_of(algorithm, own);
    AstarFinder *finder = NULL;
    AstarStatus status = astar_finder_new(asked->grid, &options, &finder);
    if (refusal != NULL)
        return status == refusal->status && says(astar_options_refusal(&options), refusal);
    if (status != ASTAR_OK || astar_options_refusal(&options) != NULL)
        return false;

    AstarQueryOptions query = query_of(finder, asked->needs);
    refusal = astar_refusal_of(algorithm, own | (asked->needs & of_queries));
    bool right = says(astar_query_refusal(finder, &query), refusal);
    AstarOptions both = options; // the same by the options
    both.weight = query.weight;
    both.range = query.range;
    both.bends = query.bends;
    right = right && says(astar_options_refusal(&both), refusal);
    refusal = astar_refusal_of(algorithm, asked->needs);
    right = right && (refusal != NULL ? is_refused_everywhere(finder, &query, refusal->status)
                                      : is_answered(asked, finder, &options, &query));
    astar_finder_release(finder);
    return right;
}

static void test_combination(AstarNeeds needs, AstarDiagonals rule)
{
    Asked asked = {.world = world_with(needs), .needs = needs, .rule = rule};
    AstarOptions options = options_with(needs, rule, ASTAR_AUTO);
    oracle_reach(&asked.world, &options, 0, 0, &asked.reach);
    asked.grid = grid_of(&asked.world);
    for (int algorithm = 0; algorithm < ASTAR_ALGORITHM_COUNT; algorithm++) {
        bool right = test_algorithm(&asked, (AstarAlgorithm)algorithm);
        if (!right)
            printf("%s by %s: needs %x\n", astar_algorithm_name((AstarAlgorithm)algorithm),
                   astar_diagonals_name(rule), needs);
        CHECK(right);
    }
    astar_grid_release(asked.grid);
}

// Names, and what is said of values that there are not.
static void test_names(void)
{
    AstarOptions bad = astar_options_default();
    bad.algorithm = ASTAR_ALGORITHM_COUNT;
    CHECK(astar_options_refusal(&bad) == NULL);
    bad = astar_options_default();
    bad.diagonals = ASTAR_DIAGONALS_COUNT;
    bad.algorithm = ASTAR_JPS;
    CHECK(astar_options_refusal(&bad) == NULL);
    CHECK(strcmp(astar_diagonals_name(ASTAR_NEVER), "never") == 0);
    CHECK(strcmp(astar_heuristic_name(ASTAR_CHEBYSHEV), "chebyshev") == 0);
    CHECK(strcmp(astar_algorithm_name(ASTAR_JPSW), "jpsw") == 0);
    CHECK(strcmp(astar_bends_name(ASTAR_BENDS_FEWEST), "fewest") == 0);
    CHECK(strcmp(astar_heading_name(ASTAR_HEADING_NORTH_WEST), "north_west") == 0);
    CHECK(astar_heading_name(ASTAR_NO_HEADING) == NULL);
    CHECK(astar_heading_name(ASTAR_HEADING_COUNT) == NULL);
    CHECK(astar_bends_name(ASTAR_BENDS_COUNT) == NULL);
    CHECK(astar_diagonals_name(ASTAR_DIAGONALS_COUNT) == NULL);
    CHECK(astar_heuristic_name(ASTAR_HEURISTIC_COUNT) == NULL);
    CHECK(astar_algorithm_name(ASTAR_ALGORITHM_COUNT) == NULL);
    CHECK(strcmp(astar_status_text(ASTAR_BAD_CELL), "cell outside the grid") == 0);
    CHECK(strcmp(astar_status_text(ASTAR_STATUS_COUNT), "unknown status") == 0);
}

// Hexagons refuse each algorithm that the table says cannot honour them.
static void test_hexagons(void)
{
    AstarGrid *grid;
    CHECK(astar_grid_new_shaped(NULL, ASTAR_ODD_Q, 9, 9, &grid) == ASTAR_OK);
    CHECK(astar_needs_of_shape(grid) == 1u << ASTAR_NEED_SIDES);
    for (int i = 0; i < ASTAR_ALGORITHM_COUNT; i++) {
        AstarFinder *finder = NULL;
        AstarOptions options = astar_options_default();
        options.algorithm = (AstarAlgorithm)i;
        bool refused = astar_refusal_of(options.algorithm, 1u << ASTAR_NEED_SIDES) != NULL;
        CHECK((astar_grid_refusal(grid, &options) != NULL) == refused);
        CHECK((astar_finder_new(grid, &options, &finder) == ASTAR_OK) == !refused);
        astar_finder_release(finder);
    }
    astar_grid_release(grid);
}

// A map too long for jump bitmaps.
static void test_shape(void)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarPath path;
    AstarOptions options = astar_options_default();
    options.algorithm = ASTAR_JPS;
    CHECK(astar_grid_new(NULL, 140000, 1, &grid) == ASTAR_OK);
    CHECK(astar_needs_of_shape(grid) == 1u << ASTAR_NEED_SHAPE);
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_BAD_OPTION);
    options.algorithm = ASTAR_AUTO;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, 0, 0, 139999, 0, NULL, NULL, &path) == ASTAR_OK);
    CHECK(path.cost == 139999 && path.algorithm == ASTAR_ASTAR);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// The words of the binding for what maps need name these algorithms.
static void test_refusals_of_maps(void)
{
    for (int i = 0; i < ASTAR_ALGORITHM_COUNT; i++) {
        AstarAlgorithm algorithm = (AstarAlgorithm)i;
        bool is_jps = algorithm == ASTAR_JPS;
        AstarNeeds ground = 1u << ASTAR_NEED_SEVERAL_COSTS, edges = 1u << ASTAR_NEED_LINKS;
        CHECK((astar_refusal_of(algorithm, ground) != NULL) == is_jps);
        CHECK((astar_refusal_of(algorithm, edges) != NULL) == is_jps);
        CHECK((astar_refusal_of(algorithm, 1u << ASTAR_NEED_WALLS) != NULL) == is_jps);
    }
}

// Each rule's legal steps, by its own tables: straight ones wherever they can be; into a cell those
// that are out of its neighbour; and rules that join corners lead back.
static void test_rules(void)
{
    for (int i = 0; i < ASTAR_DIAGONALS_COUNT; i++) {
        const AstarCornerRule *rule = &astar_corner_rules[i];
        for (unsigned free = 0; free < 256; free++) {
            unsigned out = rule->legal[0][free], into = rule->legal[1][free];
            CHECK(((out | into) & ~free) == 0);
            CHECK((out & ASTAR_STRAIGHTS) == (free & ASTAR_STRAIGHTS));
            CHECK((into & ASTAR_STRAIGHTS) == (free & ASTAR_STRAIGHTS));
            CHECK(rule->has_diagonals || (out & ASTAR_DIAGONAL_MOVES) == 0);
            CHECK(!rule->joins_corners || out == into);
            CHECK(rule->joins_corners || rule->legal[0][free & ASTAR_DIAGONAL_MOVES] == 0);
        }
        // A step on (d) is from the cell entered a step back, past the same two beside it.
        for (int d = 1; d < ASTAR_DIRECTIONS; d += 2)
            for (unsigned beside = 0; beside < 4; beside++) {
                int left = (d + 7) & 7, right = (d + 1) & 7; // here; there: (d + 3), (d + 5)
                unsigned here = 1u << d | (beside & 1) << left | (beside >> 1) << right;
                unsigned there = 1u << ((d + 4) & 7) | (beside & 1) << ((d + 5) & 7) |
                                 (beside >> 1) << ((d + 3) & 7);
                CHECK((rule->legal[0][here] >> d & 1) ==
                      (rule->legal[1][there] >> ((d + 4) & 7) & 1));
            }
    }
}

int main(void)
{
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_field_new(NULL, WIDTH, HEIGHT, &field) == ASTAR_OK);
    CHECK(astar_field_stamp(field, 4, 2, 3, 2) == ASTAR_OK);
    for (AstarNeeds needs = 0; needs < MADE; needs++)
        for (int rule = 0; rule < ASTAR_DIAGONALS_COUNT; rule++)
            if ((needs + (AstarNeeds)rule) % ALL_OR_FEW(1, 3) == 0 &&
                can_be(needs, (AstarDiagonals)rule))
                test_combination(needs, (AstarDiagonals)rule);
    astar_field_release(field);
    test_names();
    test_shape();
    test_hexagons();
    test_refusals_of_maps();
    test_rules();
    astar_workspace_free(workspace);
    return report();
}
