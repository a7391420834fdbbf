// hexagons.c -- fuzzes maps of hexagons: ground, blocks, walls, links, edits and questions, drawn
// from bytes.
//
// Which hexagons are neighbours is measured: those whose middles are 1 apart. Over these plain
// relaxation until nothing changes (Bellman, 1958) tells all distances, which every answer is held
// against. No block of memory may be left.

#include "counted.h"
#include "input.h"

#include <math.h>
#include <string.h>

enum { MOST_HEXAGONS = 144, KINDS = 3, HEX_LINKS = 6, ACTIONS = 40, SIDES = 8 };

typedef struct HexLink {
    int from, to;
    double cost;
} HexLink;

// A map as the rules see it. Cells are y * width + x.
typedef struct HexWorld {
    AstarOffset offset;
    int width, height, cells;
    double cost[KINDS]; // INFINITY: cannot be entered
    uint8_t ground[MOST_HEXAGONS];
    bool blocked[MOST_HEXAGONS];
    bool walls[MOST_HEXAGONS][SIDES]; // the steps barred, by direction
    int next[MOST_HEXAGONS][SIDES];   // the neighbours; -1: none
    HexLink links[HEX_LINKS];
    int link_count;
} HexWorld;

typedef struct Fuzz {
    Input input;
    HexWorld world;
    AstarGrid *grid;
    AstarWorkspace *workspace;
    AstarOptions options;
    double costs[ASTAR_MAX_TERRAINS];
    AstarFinder *finder;
    AstarFlow *flow; // of the finder; NULL: none yet
    int goal;        // its goal, or where it begins
    bool is_reach;
} Fuzz;

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

// ---- what should be answered ----

static void middle_of(const HexWorld *world, int cell, double *x, double *y)
{
    int column = cell % world->width, row = cell / world->width;
    bool by_row = world->offset == ASTAR_ODD_R || world->offset == ASTAR_EVEN_R;
    bool odd = world->offset == ASTAR_ODD_R || world->offset == ASTAR_ODD_Q;
    double pushed = (by_row ? row : column) % 2 == (odd ? 1 : 0) ? 0.5 : 0;
    *x = by_row ? column + pushed : column * sqrt(0.75);
    *y = by_row ? row * sqrt(0.75) : row + pushed;
}

// The direction of a step between two cells by the angle of their middles, clockwise from north;
// -1: they are no neighbours.
static int direction_of(const HexWorld *world, int from, int to)
{
    static const int directions[12] = {0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7};
    double x, y, to_x, to_y;
    middle_of(world, from, &x, &y);
    middle_of(world, to, &to_x, &to_y);
    if (fabs(hypot(to_x - x, to_y - y) - 1) > 0.01)
        return -1;
    double twelfths = atan2(to_x - x, y - to_y) * 6 / acos(-1);
    return directions[((int)lround(twelfths) + 12) % 12];
}

static void find_neighbours(HexWorld *world)
{
    for (int from = 0; from < world->cells; from++) {
        for (int d = 0; d < SIDES; d++)
            world->next[from][d] = -1;
        for (int to = 0; to < world->cells; to++) {
            int d = direction_of(world, from, to);
            if (d >= 0)
                world->next[from][d] = to;
        }
    }
}

// Steps over open ground: a row is half a cell on to either side.
static double steps_between(const HexWorld *world, int a, int b)
{
    double ax, ay, bx, by;
    middle_of(world, a, &ax, &ay);
    middle_of(world, b, &bx, &by);
    bool by_row = world->offset == ASTAR_ODD_R || world->offset == ASTAR_EVEN_R;
    double across = by_row ? fabs(ax - bx) : fabs(ay - by);
    double rows = (by_row ? fabs(ay - by) : fabs(ax - bx)) / sqrt(0.75);
    return round(rows + fmax(0, across - rows / 2));
}

static double ground_cost(const Fuzz *fuzz, int cell)
{
    int kind = fuzz->world.ground[cell];
    return fuzz->options.costs != NULL && !isnan(fuzz->costs[kind]) ? fuzz->costs[kind]
                                                                    : fuzz->world.cost[kind];
}

static double entry_cost(const Fuzz *fuzz, int cell)
{
    return fuzz->world.blocked[cell] ? INFINITY : ground_cost(fuzz, cell);
}

// The cost of a step to a neighbour or over a link, INFINITY when there is none.
static double step_cost(const Fuzz *fuzz, int from, int to, bool by_link)
{
    const HexWorld *world = &fuzz->world;
    for (int i = 0; by_link && i < world->link_count; i++)
        if (world->links[i].from == from && world->links[i].to == to)
            return isinf(entry_cost(fuzz, to)) ? INFINITY : world->links[i].cost;
    int d = by_link ? -1 : direction_of(world, from, to);
    return d < 0 || world->walls[from][d] ? INFINITY : entry_cost(fuzz, to);
}

static bool improve(double *distances, int cell, double way)
{
    bool is_better = way < distances[cell];
    if (is_better)
        distances[cell] = way;
    return is_better;
}

static void find_distances(const Fuzz *fuzz, int start, double distances[MOST_HEXAGONS])
{
    const HexWorld *world = &fuzz->world;
    for (int i = 0; i < world->cells; i++)
        distances[i] = i == start && isfinite(ground_cost(fuzz, start)) ? 0 : INFINITY;
    for (bool changes = true; changes;) {
        changes = false;
        for (int cell = 0; cell < world->cells; cell++)
            for (int d = 0; d < SIDES && isfinite(distances[cell]); d++) {
                int to = world->next[cell][d];
                if (to >= 0 && !world->walls[cell][d])
                    changes |= improve(distances, to, distances[cell] + entry_cost(fuzz, to));
            }
        for (int i = 0; i < world->link_count; i++) {
            const HexLink *link = &world->links[i];
            changes |= improve(distances, link->to,
                               distances[link->from] + step_cost(fuzz, link->from, link->to, true));
        }
    }
}

// ---- edits ----

static int next_cell(Fuzz *fuzz)
{
    return next_below(&fuzz->input, fuzz->world.cells);
}

static void edit_ground(Fuzz *fuzz)
{
    int cell = next_cell(fuzz), kind = next_below(&fuzz->input, KINDS);
    astar_grid_set(fuzz->grid, cell % fuzz->world.width, cell / fuzz->world.width, kind);
    fuzz->world.ground[cell] = (uint8_t)kind;
}

static void edit_blocks(Fuzz *fuzz)
{
    int cell = next_cell(fuzz), x = cell % fuzz->world.width, y = cell / fuzz->world.width;
    bool blocks = next_below(&fuzz->input, 2) == 0;
    if (blocks)
        REQUIRE(astar_grid_block(fuzz->grid, x, y, 1, 1) == ASTAR_OK);
    else
        astar_grid_unblock(fuzz->grid, x, y, 1, 1);
    fuzz->world.blocked[cell] = blocks;
}

static void edit_walls(Fuzz *fuzz)
{
    HexWorld *world = &fuzz->world;
    int cell = next_cell(fuzz), how = next_byte(&fuzz->input), d = how & 7;
    int x = cell % world->width, y = cell / world->width;
    bool one_way = (how & 8) != 0, builds = (how & 48) != 0;
    if ((astar_grid_sides(fuzz->grid) >> d & 1) == 0) {
        REQUIRE(astar_grid_wall(fuzz->grid, x, y, (AstarSide)d, one_way) == ASTAR_BAD_OPTION);
        return;
    }
    AstarStatus status = (builds ? astar_grid_wall : astar_grid_unwall)(fuzz->grid, x, y,
                                                                        (AstarSide)d, one_way);
    REQUIRE(status == ASTAR_OK);
    world->walls[cell][d] = builds;
    if (!one_way && world->next[cell][d] >= 0)
        world->walls[world->next[cell][d]][(d + 4) & 7] = builds;
    REQUIRE(astar_grid_has_wall(fuzz->grid, x, y, (AstarSide)d) == builds);
}

static void edit_links(Fuzz *fuzz)
{
    HexWorld *world = &fuzz->world;
    int from = next_cell(fuzz), to = next_cell(fuzz), how = next_below(&fuzz->input, 8), i = 0;
    int x0 = from % world->width, y0 = from / world->width;
    int x1 = to % world->width, y1 = to / world->width;
    while (i < world->link_count && (world->links[i].from != from || world->links[i].to != to))
        i++;
    if (how < 3) {
        astar_grid_unlink(fuzz->grid, x0, y0, x1, y1, true);
        if (i < world->link_count)
            world->links[i] = world->links[--world->link_count];
    } else if (from != to && i < HEX_LINKS) {
        REQUIRE(astar_grid_link(fuzz->grid, x0, y0, x1, y1, how - 3, 1, true) == ASTAR_OK);
        world->link_count += i == world->link_count;
        world->links[i] = (HexLink){from, to, how - 3};
    }
}

// ---- units ----

static void let_finder_go(Fuzz *fuzz)
{
    astar_flow_release(fuzz->flow);
    fuzz->flow = NULL;
    astar_finder_release(fuzz->finder);
    fuzz->finder = NULL;
}

static void new_finder(Fuzz *fuzz)
{
    static const double limits[] = {0, 2, 6, 15};
    AstarOptions *options = &fuzz->options;
    int kind = next_byte(&fuzz->input);
    let_finder_go(fuzz);
    *options = astar_options_default();
    options->algorithm = (AstarAlgorithm)(kind % 3); // auto, A*, Dijkstra's algorithm
    if ((kind & 12) == 12) {
        for (int i = 0; i < ASTAR_MAX_TERRAINS; i++)
            fuzz->costs[i] = NAN;
        fuzz->costs[next_below(&fuzz->input, KINDS)] = next_below(&fuzz->input, 2) ? 4 : INFINITY;
        options->costs = fuzz->costs;
    }
    if ((kind & 48) == 48) {
        int more = next_byte(&fuzz->input);
        options->weight = more & 1 ? 1.5 : 1;
        options->max_cost = more & 2 ? limits[more >> 2 & 3] : INFINITY;
        options->range = more & 16 ? more >> 5 & 3 : 0;
        options->partial = (more & 128) != 0;
    }
    REQUIRE(astar_finder_new(fuzz->grid, options, &fuzz->finder) == ASTAR_OK);
}

static void clone_grid(Fuzz *fuzz)
{
    AstarGrid *copy;
    let_finder_go(fuzz);
    REQUIRE(astar_grid_clone(fuzz->grid, &copy) == ASTAR_OK);
    astar_grid_release(fuzz->grid);
    fuzz->grid = copy;
    REQUIRE(astar_finder_new(copy, &fuzz->options, &fuzz->finder) == ASTAR_OK);
}

// ---- questions ----

static int cell_of(const Fuzz *fuzz, const AstarPath *path, int index)
{
    int x, y;
    astar_path_cell(path, index, &x, &y);
    REQUIRE(x >= 0 && y >= 0 && x < fuzz->world.width && y < fuzz->world.height);
    return y * fuzz->world.width + x;
}

// A path is of steps that can be made, and costs what they do.
static void check_path(const Fuzz *fuzz, const AstarPath *path)
{
    double cost = 0;
    for (int i = 0; i + 1 < path->cells; i++)
        cost += step_cost(fuzz, cell_of(fuzz, path, i), cell_of(fuzz, path, i + 1),
                          astar_path_link(path, i, NULL));
    REQUIRE(path->cells > 0 && isfinite(cost) && near(cost, path->cost));
}

// The route to the cell nearest to the goal.
static void check_partial(const Fuzz *fuzz, const AstarPath *path, int goal,
                          const double distances[])
{
    double least = INFINITY;
    int last = cell_of(fuzz, path, path->cells - 1);
    REQUIRE(fuzz->options.partial);
    for (int i = 0; i < fuzz->world.cells; i++)
        if (isfinite(distances[i]))
            least = fmin(least, steps_between(&fuzz->world, i, goal));
    if (isinf(fuzz->options.max_cost))
        REQUIRE(steps_between(&fuzz->world, last, goal) == least);
}

static void check_found(const Fuzz *fuzz, const AstarPath *path, int start, int goal, double best,
                        const double distances[])
{
    const AstarOptions *options = &fuzz->options;
    check_path(fuzz, path);
    REQUIRE(cell_of(fuzz, path, 0) == start);
    REQUIRE(path->cost <= options->max_cost || near(path->cost, options->max_cost));
    if (path->partial) {
        check_partial(fuzz, path, goal, distances);
        return;
    }
    int last = cell_of(fuzz, path, path->cells - 1);
    REQUIRE(steps_between(&fuzz->world, last, goal) <= options->range);
    REQUIRE(path->cost <= best * options->weight || near(path->cost, best * options->weight));
}

static void check_none(const Fuzz *fuzz, AstarStatus status, int start, int goal, double best)
{
    const AstarOptions *options = &fuzz->options;
    if (isinf(ground_cost(fuzz, start))) {
        REQUIRE(status == ASTAR_START_BLOCKED);
        return;
    }
    REQUIRE(!options->partial);
    if (options->range == 0 && isinf(entry_cost(fuzz, goal)) && start != goal)
        REQUIRE(status == ASTAR_GOAL_BLOCKED);
    else if (isinf(best))
        REQUIRE(status == ASTAR_UNREACHABLE || isfinite(options->max_cost));
    else
        REQUIRE(status == ASTAR_MAX_COST && best * options->weight >= options->max_cost);
}

static double best_in_range(const Fuzz *fuzz, int goal, const double distances[])
{
    double best = INFINITY;
    for (int i = 0; i < fuzz->world.cells; i++)
        if (steps_between(&fuzz->world, i, goal) <= fuzz->options.range)
            best = fmin(best, distances[i]);
    return best;
}

// In slices, between which edits may come.
static void ask_path(Fuzz *fuzz)
{
    int start = next_cell(fuzz), goal = next_cell(fuzz), slice = next_below(&fuzz->input, 16);
    int width = fuzz->world.width;
    double distances[MOST_HEXAGONS];
    AstarSearch *search;
    AstarPath path;
    astar_path_init(&path);
    AstarStatus status = astar_search_new(fuzz->workspace, fuzz->finder, start % width,
                                          start / width, goal % width, goal / width, NULL, &search);
    REQUIRE(status == ASTAR_OK);
    status = astar_search_step(search, 1 + (uint64_t)slice, NULL);
    if (status == ASTAR_RUNNING && slice > 8)
        edit_blocks(fuzz);
    while (status == ASTAR_RUNNING)
        status = astar_search_step(search, 1 + (uint64_t)slice, NULL);
    if (status == ASTAR_OK)
        REQUIRE(astar_search_path(search, &path) == ASTAR_OK);
    find_distances(fuzz, start, distances);
    double best = best_in_range(fuzz, goal, distances);
    if (status == ASTAR_OK)
        check_found(fuzz, &path, start, goal, best, distances);
    else
        check_none(fuzz, status, start, goal, best);
    astar_path_destroy(&path);
    astar_search_free(search);
}

static void ask_nearest(Fuzz *fuzz)
{
    enum { MOST = 4 };
    AstarCell goals[MOST];
    int start = next_cell(fuzz), count = 1 + next_below(&fuzz->input, MOST);
    double distances[MOST_HEXAGONS], best = INFINITY;
    size_t index = MOST;
    AstarPath path;
    find_distances(fuzz, start, distances);
    for (int i = 0; i < count; i++) {
        int cell = next_cell(fuzz);
        goals[i] = (AstarCell){cell % fuzz->world.width, cell / fuzz->world.width};
        best = fmin(best, best_in_range(fuzz, cell, distances));
    }
    astar_path_init(&path);
    AstarStatus status = astar_find_nearest(fuzz->workspace, fuzz->finder,
                                            start % fuzz->world.width, start / fuzz->world.width,
                                            goals, (size_t)count, NULL, NULL, &path, &index);
    if (status == ASTAR_OK) {
        check_path(fuzz, &path);
        REQUIRE(path.partial ? fuzz->options.partial : index < (size_t)count);
        double most = best * fuzz->options.weight;
        REQUIRE(path.partial || path.cost <= most || near(path.cost, most));
    } else {
        REQUIRE(isinf(best) || isfinite(fuzz->options.max_cost));
    }
    astar_path_destroy(&path);
}

static void new_flow(Fuzz *fuzz)
{
    astar_flow_release(fuzz->flow);
    fuzz->goal = next_cell(fuzz);
    fuzz->is_reach = next_below(&fuzz->input, 2) == 1;
    AstarFlowGoal goal = {fuzz->goal % fuzz->world.width, fuzz->goal / fuzz->world.width, 0};
    REQUIRE((fuzz->is_reach
                 ? astar_reach_new(fuzz->finder, goal.x, goal.y, INFINITY, &fuzz->flow)
                 : astar_flow_new(fuzz->finder, &goal, 1, INFINITY, &fuzz->flow)) == ASTAR_OK);
}

// What a flow, that edits went on under, tells of a cell.
static void query_flow(Fuzz *fuzz)
{
    if (fuzz->flow == NULL)
        new_flow(fuzz);
    int cell = next_cell(fuzz), from = fuzz->is_reach ? fuzz->goal : cell;
    int x = cell % fuzz->world.width, y = cell / fuzz->world.width;
    double distances[MOST_HEXAGONS], distance;
    find_distances(fuzz, from, distances);
    double best = fuzz->is_reach ? distances[cell] : best_in_range(fuzz, fuzz->goal, distances);
    AstarStatus status = astar_flow_distance(fuzz->flow, x, y, NULL, &distance);
    if (isfinite(fuzz->options.max_cost))
        return; // what of it may be told beyond the limit is not its concern
    REQUIRE((status == ASTAR_OK) == isfinite(best));
    REQUIRE(status != ASTAR_OK || near(distance, best));
}

static void ask_reachable(Fuzz *fuzz)
{
    int a = next_cell(fuzz), b = next_cell(fuzz), width = fuzz->world.width;
    double length = astar_grid_length(fuzz->grid, a % width, a / width, b % width, b / width);
    double ax, ay, bx, by;
    middle_of(&fuzz->world, a, &ax, &ay);
    middle_of(&fuzz->world, b, &bx, &by);
    REQUIRE(near(length, hypot(ax - bx, ay - by)));
    REQUIRE((double)astar_grid_steps(fuzz->grid, a % width, a / width, b % width, b / width) ==
            steps_between(&fuzz->world, a, b));
    REQUIRE(astar_grid_direction(fuzz->grid, a % width, a / width, b % width, b / width) ==
            direction_of(&fuzz->world, a, b));
}

// ---- the whole ----

static void begin(Fuzz *fuzz, const uint8_t *data, size_t size)
{
    memset(fuzz, 0, sizeof *fuzz);
    fuzz->input = (Input){data, data + size};
    HexWorld *world = &fuzz->world;
    int shape = next_byte(&fuzz->input), terrain;
    world->offset = (AstarOffset)(ASTAR_ODD_R + next_below(&fuzz->input, 4));
    world->width = 1 + shape % 12;
    world->height = 1 + shape / 12 % 12;
    world->cells = world->width * world->height;
    find_neighbours(world);
    REQUIRE(astar_grid_new_shaped(&allocator, world->offset, world->width, world->height,
                                  &fuzz->grid) == ASTAR_OK);
    world->cost[0] = 1;
    world->cost[1] = INFINITY;
    world->cost[2] = 3;
    for (int i = 1; i < KINDS; i++)
        REQUIRE(astar_grid_add_terrain(fuzz->grid, world->cost[i], &terrain) == ASTAR_OK);
    uint32_t seed = 1 + (uint32_t)next_byte(&fuzz->input);
    uint32_t density = (uint32_t)next_byte(&fuzz->input);
    for (int cell = 0; cell < world->cells; cell++) {
        draw(&seed);
        int kind = (seed >> 8) % 512 < density ? 1 + (int)(seed >> 20) % 2 : 0;
        astar_grid_set(fuzz->grid, cell % world->width, cell / world->width, kind);
        world->ground[cell] = (uint8_t)kind;
    }
    REQUIRE(astar_workspace_new(&allocator, &fuzz->workspace) == ASTAR_OK);
    new_finder(fuzz);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const actions[])(Fuzz *) = {
        edit_ground, edit_blocks, edit_blocks, edit_walls,    edit_walls, edit_links,
        clone_grid,  new_finder,  ask_path,    ask_path,      ask_path,   ask_nearest,
        new_flow,    query_flow,  query_flow,  ask_reachable,
    };
    static Fuzz fuzz;
    begin(&fuzz, data, size);
    for (int i = 0; i < ACTIONS && fuzz.input.at < fuzz.input.end; i++)
        actions[next_below(&fuzz.input, sizeof actions / sizeof *actions)](&fuzz);
    let_finder_go(&fuzz);
    astar_workspace_free(fuzz.workspace);
    astar_grid_release(fuzz.grid);
    REQUIRE(blocks_held == 0);
    return 0;
}
