// flow_repairs.c -- flows that edits are made under tell what flows made anew tell, to the last
// bit.
//
// Over a small random map with links, walls and a field there are several flows: to goals and from
// a start, some that flee or keep steps only, by all corner rules, for units of several sizes.
// Ground, blocks, links, walls and the field change, and between the changes the flows are worked
// out in part, steps cut anywhere, now and then without memory, or with an edit before each step,
// so that they are frozen. Callbacks ask the flow that asks them, edit the map or never return.
// Then distances and steps must be those of a flow just made, and those what a search for a path
// finds. The seed of the map that fails is printed; seeds may be given: the first, and how many.

#include "chance.h"
#include "flow/flow_life.h"
#include "support.h"

#include "flow/flow.h"

#include <setjmp.h>
#include <stdlib.h>

enum {
    MAPS = ALL_OR_FEW(200, 60),
    FLOWS = 4,
    ROUNDS = 50,
    TERRAINS = 4,
    MOST_GOALS = 3,
    MOST_ASKED = 12
};
enum { HASTY_STEPS = 2000 };

static bool has_memory;
static int failed;                                // calls without memory
static int by_links, by_walls, by_field, by_size; // comparisons of flows that were repaired
static int asked_paths, left_early, snapshot, thawed;
static jmp_buf way_out; // of callbacks

typedef struct World World;

typedef struct Asker {
    World *world;
    AstarFinder *finder;
    AstarFlow *flow;
    bool flees, steps_only;
    int depth; // of callbacks that ask the flow
    AstarFlowGoal goals[MOST_GOALS];
    int goal_count; // 0: a reach, from the first one
    uint32_t restarts;
    uint64_t version; // of the finder, when it was compared last
} Asker;

struct World {
    AstarGrid *grid;
    AstarField *field; // that some of them avoid
    AstarWorkspace *workspace;
    Asker askers[FLOWS];
};

// ---- the map ----

static double cost_of(int terrain)
{
    static const double costs[TERRAINS] = {1, 3, 0.5, INFINITY};
    return costs[terrain];
}

static void random_place(const World *world, int *x, int *y)
{
    *x = below(world->grid->width);
    *y = below(world->grid->height);
}

// Edits fail for want of memory only.
static void edited(AstarStatus status)
{
    if (status != ASTAR_NO_MEMORY || has_memory)
        need(status);
}

static void edit_ground(World *world)
{
    AstarGrid *grid = world->grid;
    int x, y, most = below(5) == 0 ? 3 : 1;
    random_place(world, &x, &y);
    int width = 1 + below(most < grid->width - x ? most : grid->width - x);
    int height = 1 + below(most < grid->height - y ? most : grid->height - y);
    int terrain = below(3) == 0 ? TERRAINS - 1 : below(6) == 0 ? below(TERRAINS) : 0;
    switch (below(4)) {
    case 0: edited(astar_grid_block(grid, x, y, width, height)); break;
    case 1: edited(astar_grid_unblock(grid, x, y, width, height)); break;
    default: edited(astar_grid_fill(grid, x, y, width, height, terrain)); break;
    }
}

static void edit_links(World *world)
{
    static const double costs[] = {0, 0, 0, 0x1p-70, 0.25, 1, 4};
    AstarGrid *grid = world->grid;
    uint32_t count = astar_grid_link_count(grid);
    if (count > 0 && below(2) == 0) {
        AstarLink link;
        astar_grid_link_at(grid, (uint32_t)below((int)count), &link);
        astar_grid_unlink(grid, link.x0, link.y0, link.x1, link.y1, below(2) == 0);
        return;
    }
    int x0, y0, x1, y1;
    random_place(world, &x0, &y0);
    random_place(world, &x1, &y1);
    if (x0 != x1 || y0 != y1)
        edited(astar_grid_link(grid, x0, y0, x1, y1, costs[below(7)], 0, below(3) == 0));
}

// Some of the sides no cell of the shape has.
static void edit_walls(World *world)
{
    int x, y;
    random_place(world, &x, &y);
    AstarSide side = (AstarSide)below(ASTAR_DIRECTIONS);
    AstarStatus status = below(2) == 0 ? astar_grid_unwall(world->grid, x, y, side, below(3) == 0)
                                       : astar_grid_wall(world->grid, x, y, side, below(3) == 0);
    if (status != ASTAR_BAD_OPTION)
        edited(status);
}

static void edit_field(World *world)
{
    int x, y;
    random_place(world, &x, &y);
    if (below(12) == 0)
        astar_field_decay(world->field, 0.5);
    else if (below(2) == 0)
        edited(astar_field_stamp(world->field, x, y, below(4), below(3) - 1));
    else
        edited(astar_field_set(world->field, x, y, below(3)));
}

// After that every flow begins anew.
static void edit_costs(World *world)
{
    edited(astar_grid_set_cost(world->grid, 1, 2 + below(3)));
}

static void edit(World *world)
{
    if (below(30) == 0)
        edit_costs(world);
    switch (below(5)) {
    case 0: edit_links(world); break;
    case 1: edit_walls(world); break;
    case 2: edit_field(world); break;
    default: edit_ground(world); break;
    }
}

// ---- units ----

// Does what a callback may do: asks the flow that asks it, edits, or does not return. A flow that
// is only compared has no context.
static void meddle(Asker *asker)
{
    int x, y;
    double distance;
    if (asker == NULL || asker->depth > 1 || below(12) > 0)
        return;
    asker->depth++;
    random_place(asker->world, &x, &y);
    switch (below(8)) {
    case 0: edit(asker->world); break;
    case 1: left_early++; longjmp(way_out, 1);
    case 2: (void)astar_flow_step(asker->flow, UINT64_MAX, asker); break;
    case 3: (void)astar_flow_next(asker->flow, x, y, asker, &x, &y); break;
    case 4: (void)astar_flow_distance(asker->flow, x, y, asker, &distance); break;
    default: (void)astar_flow_step(asker->flow, 1 + (uint64_t)below(9), asker); break;
    }
    asker->depth--;
}

static double costlier_in_columns(void *context, int x, int y, int terrain, double cost)
{
    meddle(context);
    (void)terrain;
    return x % 5 == 0 ? 2 * cost : (x + y) % 11 == 0 ? INFINITY : cost;
}

static double costlier_to_the_south(void *context, int x, int y, int to_x, int to_y, double cost)
{
    meddle(context);
    (void)x;
    return y < to_y && to_x % 3 == 0 ? 1.5 * cost : cost;
}

static AstarOptions random_options(const World *world)
{
    static const double lengths[] = {1, 1.25, 1.5, 1.4, 2};
    AstarOptions options = astar_options_default();
    if (astar_grid_offset(world->grid) == ASTAR_NO_OFFSET) {
        options.diagonals = (AstarDiagonals)below(ASTAR_DIAGONALS_COUNT);
        options.size = below(2) == 0 ? 1 : 1 + below(3);
        if (below(2) == 0)
            options.diagonal_cost = lengths[below(5)];
    }
    if (options.size == 1 && below(2) == 0)
        options.avoid = world->field;
    if (below(5) == 0)
        options.cost = costlier_in_columns;
    if (below(5) == 0)
        options.step_cost = costlier_to_the_south;
    if (below(6) == 0)
        options.max_cost = 1 + below(20);
    return options;
}

static AstarFlow *new_flow_of(const Asker *asker)
{
    const AstarFlowGoal *goals = asker->goals;
    AstarFlow *flow, *flee;
    need(asker->goal_count > 0
             ? astar_flow_new(asker->finder, goals, (size_t)asker->goal_count, INFINITY, &flow)
             : astar_reach_new(asker->finder, goals[0].x, goals[0].y, INFINITY, &flow));
    if (!asker->flees)
        return flow;
    need(astar_flow_flee(flow, -1.25, &flee));
    astar_flow_release(flow);
    return flee;
}

static void begin_asker(World *world, Asker *asker)
{
    AstarOptions options = random_options(world);
    need(astar_finder_new(world->grid, &options, &asker->finder));
    asker->world = world;
    asker->goal_count = below(MOST_GOALS + 1);
    for (int i = 0; i < MOST_GOALS; i++) {
        random_place(world, &asker->goals[i].x, &asker->goals[i].y);
        asker->goals[i].value = below(3) == 0 ? below(5) - 2 : 0;
    }
    asker->flees = asker->goal_count > 0 && below(8) == 0;
    asker->steps_only = below(8) == 0 && !asker->flees;
    asker->flow = new_flow_of(asker);
    if (asker->steps_only)
        astar_flow_keep_steps_only(asker->flow);
}

// ---- worlds ----

// Squares of a field are told apart on a large map only; small ones make for more ties.
static int random_side(void)
{
    return below(6) == 0 ? 50 + below(20) : 1 + below(16);
}

static void begin_world(World *out)
{
    World world = {.grid = NULL};
    AstarAllocator allocator = allocator_while(&has_memory);
    int width = random_side(), height = width > 20 ? 50 + below(20) : random_side();
    AstarOffset offset = below(8) == 0 ? ASTAR_ODD_R : ASTAR_NO_OFFSET;
    need(offset == ASTAR_NO_OFFSET
             ? astar_grid_new(&allocator, width, height, &world.grid)
             : astar_grid_new_shaped(&allocator, offset, width, height, &world.grid));
    need(astar_field_new_shaped(&allocator, offset, width, height, &world.field));
    need(astar_workspace_new(&allocator, &world.workspace));
    for (int i = 1, terrain; i < TERRAINS; i++)
        need(astar_grid_add_terrain(world.grid, cost_of(i), &terrain));
    for (int i = below((int)world.grid->cells / 4 + 2); i > 0; i--)
        edit_ground(&world);
    for (int i = below(2) == 0 ? below(12) : 0; i > 0; i--)
        edit_links(&world);
    for (int i = below(2) == 0 ? below(12) : 0; i > 0; i--)
        edit_walls(&world);
    *out = world;
    for (int i = 0; i < FLOWS; i++)
        begin_asker(out, &out->askers[i]);
}

static void free_world(World *world)
{
    for (int i = 0; i < FLOWS; i++) {
        astar_flow_release(world->askers[i].flow);
        astar_finder_release(world->askers[i].finder);
    }
    astar_workspace_free(world->workspace);
    astar_field_release(world->field);
    astar_grid_release(world->grid);
}

// ---- answers ----

// Of reasons that there is none, one that was repaired may still say that it left out cells.
static bool same_at(AstarFlow *flow, AstarFlow *fresh, int x, int y)
{
    double distance = 0, right = 0;
    int next_x = -1, next_y = -1, right_x = -1, right_y = -1;
    bool has_told = astar_flow_next(flow, x, y, NULL, &next_x, &next_y) == ASTAR_OK;
    bool is_to_tell = astar_flow_next(fresh, x, y, NULL, &right_x, &right_y) == ASTAR_OK;
    if (has_told != is_to_tell || next_x != right_x || next_y != right_y)
        return false;
    if (astar_flow_keeps_steps_only(flow))
        return true;
    has_told = astar_flow_distance(flow, x, y, NULL, &distance) == ASTAR_OK;
    is_to_tell = astar_flow_distance(fresh, x, y, NULL, &right) == ASTAR_OK;
    return has_told == is_to_tell && distance == right;
}

// The least that paths to the goals cost, or the one from the start; INFINITY: there is none.
static double cost_by_paths(const World *world, const Asker *asker, int x, int y)
{
    AstarPath path;
    double best = INFINITY;
    int count = asker->goal_count > 0 ? asker->goal_count : 1;
    AstarQueryOptions query = astar_query_default(asker->finder);
    astar_path_init(&path);
    for (int i = 0; i < count; i++) {
        const AstarFlowGoal *goal = &asker->goals[i];
        bool from_goal = asker->goal_count == 0;
        AstarStatus status = astar_find_path(
            world->workspace, asker->finder, from_goal ? goal->x : x, from_goal ? goal->y : y,
            from_goal ? x : goal->x, from_goal ? y : goal->y, &query, NULL, &path);
        if (status == ASTAR_OK)
            best = fmin(best, path.cost + (from_goal ? 0 : goal->value));
    }
    astar_path_destroy(&path);
    return best;
}

// Paths are asked for by units that stand on no blocks: to a flow those under a unit count.
static bool agrees_with_paths(const World *world, Asker *asker, int x, int y)
{
    const AstarOptions *options = astar_finder_options(asker->finder);
    int size = options->size;
    const AstarFlowGoal *first = &asker->goals[0];
    int from_x = asker->goal_count > 0 ? x : first->x,
        from_y = asker->goal_count > 0 ? y : first->y;
    double distance = INFINITY;
    if (asker->flees || asker->steps_only || isfinite(options->max_cost) ||
        from_x + size > world->grid->width || from_y + size > world->grid->height)
        return true;
    for (int row = from_y; row < from_y + size; row++)
        for (int column = from_x; column < from_x + size; column++)
            if (astar_grid_is_blocked(world->grid, column, row))
                return true;
    AstarStatus status = astar_flow_distance(asker->flow, x, y, NULL, &distance);
    double best = cost_by_paths(world, asker, x, y);
    asked_paths++;
    return (status == ASTAR_OK) == isfinite(best) && near(distance, best);
}

static void count_repaired(const World *world, Asker *asker)
{
    const AstarOptions *options = astar_finder_options(asker->finder);
    uint64_t version = astar_finder_version(asker->finder);
    if (asker->flow->stepped.restarts == asker->restarts && asker->version != version) {
        by_links += astar_grid_has_links(world->grid);
        by_walls += astar_grid_has_walls(world->grid);
        by_field += options->avoid != NULL;
        by_size += options->size > 1;
    }
    asker->restarts = asker->flow->stepped.restarts;
    asker->version = version;
}

static bool is_as_made_anew(const World *world, Asker *asker)
{
    AstarFlow *fresh = new_flow_of(asker);
    int width = world->grid->width, cells = (int)world->grid->cells;
    bool asks_all = cells < 300 || below(10) == 0, right = true;
    int count = asks_all ? cells : 1 + below(MOST_ASKED);
    for (int i = 0; i < count && right; i++) {
        int cell = asks_all ? i : below(cells);
        right = same_at(asker->flow, fresh, cell % width, cell / width);
    }
    for (int i = 0; i < 2 && right; i++) {
        int x, y;
        random_place(world, &x, &y);
        right = agrees_with_paths(world, asker, x, y);
    }
    astar_flow_release(fresh);
    count_repaired(world, asker);
    return right;
}

// ---- what is done between edits ----

static AstarStatus ask_something(const World *world, Asker *asker)
{
    int x, y;
    double distance;
    AstarFlow *flow = asker->flow;
    random_place(world, &x, &y);
    switch (below(6)) {
    case 0: return astar_flow_distance(flow, x, y, asker, &distance);
    case 1: return astar_flow_next(flow, x, y, asker, &x, &y);
    case 2: return astar_flow_update(flow, asker);
    case 3: return astar_flow_complete(flow, asker);
    default: return astar_flow_step(flow, 1 + (uint64_t)below(30), asker);
    }
}

// Some memory runs out in the midst of it, that of callbacks' questions, too.
static void work_a_little(const World *world, Asker *asker)
{
    asker->depth = 0;
    if (setjmp(way_out) == 0) {
        has_memory = below(8) > 0;
        failed += ask_something(world, asker) == ASTAR_NO_MEMORY;
    }
    has_memory = true;
}

// Steps to the end with an edit before each.
static void step_under_edits(World *world, Asker *asker)
{
    AstarStatus status = ASTAR_RUNNING;
    bool is_repriced = below(2) == 0;
    uint64_t most = 1 + (uint64_t)below(below(2) == 0 ? 2 : 40);
    for (int i = 0; i < HASTY_STEPS && status != ASTAR_OK; i++) {
        bool was_frozen = astar_flow_is_on_snapshot(asker->flow);
        has_memory = below(30) > 0;
        edit(world);
        if (is_repriced)
            edit_costs(world);
        if (below(3) == 0)
            work_a_little(world, asker);
        has_memory = below(8) > 0;
        asker->depth = 2; // its callbacks only answer
        status = astar_flow_step(asker->flow, most, NULL);
        has_memory = true;
        snapshot += !was_frozen && astar_flow_is_on_snapshot(asker->flow);
        thawed += was_frozen && !astar_flow_is_on_snapshot(asker->flow);
    }
}

static bool test_map(uint32_t seed)
{
    chance = seed;
    has_memory = true;
    World world;
    begin_world(&world);
    bool right = true;
    for (int i = 0; i < ROUNDS && right; i++) {
        for (int edits = below(3); edits > 0; edits--)
            edit(&world);
        Asker *asker = &world.askers[below(FLOWS)];
        for (int works = below(4); works > 0; works--)
            work_a_little(&world, asker);
        if (below(10) == 0)
            step_under_edits(&world, asker);
        if (below(3) == 0)
            right = is_as_made_anew(&world, asker);
    }
    free_world(&world);
    return right;
}

int main(int count, char **arguments)
{
    uint32_t first = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 1;
    uint32_t maps = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : MAPS;
    for (uint32_t seed = first; seed < first + maps; seed++) {
        bool right = test_map(seed);
        if (!right)
            printf("the map of seed %u differs\n", (unsigned)seed);
        CHECK(right);
    }
    int least = (int)maps / 2;
    CHECK(by_links > least && by_walls > least && by_field > least / 4 && by_size > least);
    CHECK(failed > least && asked_paths > least && left_early > 0);
    CHECK(snapshot > least / 10 && thawed > least / 10);
    if (getenv("COUNTS"))
        printf(
            "links %d walls %d field %d size %d failed %d paths %d left %d frozen %d thawed %d\n",
            by_links, by_walls, by_field, by_size, failed, asked_paths, left_early, snapshot,
            thawed);
    return report();
}
