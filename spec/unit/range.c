// range.c -- many goals with a range: held against marking them one by one, and the memory it
// takes.

#include "../c/check.h"

#include "rules/heuristic.h"
#include "search/goal.h"
#include "search/search.h"

// ---- cells within range ----

enum { MOST_SIDE = 24, MOST_CELLS = MOST_SIDE * MOST_SIDE, MOST_GOALS = 60 };

typedef struct Told {
    double values[MOST_CELLS];
    int64_t last;
} Told;

static AstarStatus note_told(void *context, uint32_t cell, const AstarSeed *goal)
{
    Told *told = context;
    CHECK((int64_t)cell > told->last); // in order, each once
    told->last = cell;
    told->values[cell] = goal->value;
    return ASTAR_OK;
}

static AstarStatus refuse_third(void *context, uint32_t cell, const AstarSeed *goal)
{
    (void)cell;
    (void)goal;
    return ++*(int *)context == 3 ? ASTAR_NO_MEMORY : ASTAR_OK;
}

// The least value of the goals that some cell which a unit covers at (x, y) is within reach of.
static double least_in_range(const AstarGrid *grid, const AstarSeed *goals, int count, int reach,
                             AstarBody body, int x, int y)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        int goal_x, goal_y;
        astar_cell_xy(grid, goals[i].cell, &goal_x, &goal_y);
        for (int covered = 0; covered < body.width * body.height; covered++)
            if (astar_cells_apart(grid->shape, goal_x, goal_y, x + covered % body.width,
                                  y + covered / body.width) <= reach)
                least = fmin(least, goals[i].value);
    }
    return least;
}

static AstarGrid *new_grid(const AstarAllocator *allocator, int width, int height)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(allocator, width, height, &grid) == ASTAR_OK);
    return grid;
}

static AstarGrid *new_hexagons(uint32_t *seed)
{
    static const AstarOffset offsets[] = {ASTAR_ODD_R, ASTAR_EVEN_R, ASTAR_ODD_Q, ASTAR_EVEN_Q};
    int width = 1 + random_below(seed, MOST_SIDE), height = 1 + random_below(seed, MOST_SIDE);
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new_shaped(NULL, offsets[random_below(seed, 4)], width, height, &grid) ==
          ASTAR_OK);
    return grid;
}

static void test_sweep(uint32_t seed, bool is_hexagonal)
{
    static Told told;
    AstarSeed goals[MOST_GOALS];
    AstarGrid *grid = is_hexagonal ? new_hexagons(&seed)
                                   : new_grid(NULL, 1 + random_below(&seed, MOST_SIDE),
                                              1 + random_below(&seed, MOST_SIDE));
    int count = random_below(&seed, MOST_GOALS), reach = random_below(&seed, 1 << seed % 6);
    bool is_one = is_hexagonal || reach == 0;
    AstarBody body = {is_one ? 1 : 1 + random_below(&seed, 4),
                      is_one ? 1 : 1 + random_below(&seed, 4)};
    AstarRange range = {0};
    CHECK(astar_range_begin(&range, &grid->allocator, grid, (size_t)count, reach) == ASTAR_OK);
    for (int i = 0; i < count; i++) {
        uint32_t cell = (uint32_t)random_below(&seed, (int)grid->cells);
        goals[i] = (AstarSeed){cell, random_below(&seed, 20)};
        astar_range_add(&range, goals[i].cell, goals[i].value);
    }
    for (int pass = 0; pass < 1 + (reach > 0); pass++) { // at once, and in slices
        AstarStatus status = ASTAR_RUNNING;
        told.last = -1;
        for (uint32_t cell = 0; cell < grid->cells; cell++)
            told.values[cell] = INFINITY;
        if (pass == 0)
            status = astar_range_sweep(&range, grid, reach, body, note_told, &told);
        else
            astar_range_begin_sweep(&range, grid);
        while (status == ASTAR_RUNNING) {
            int64_t slice = random_below(&seed, 300);
            status = astar_range_sweep_on(&range, grid, reach, body, note_told, &told, &slice);
        }
        CHECK(status == ASTAR_OK);
        for (uint32_t cell = 0; cell < grid->cells; cell++) {
            int x, y;
            astar_cell_xy(grid, cell, &x, &y);
            CHECK(told.values[cell] == least_in_range(grid, goals, count, reach, body, x, y));
        }
    }
    int calls = 0;
    AstarStatus stopped = astar_range_sweep(&range, grid, reach, body, refuse_third, &calls);
    CHECK(calls < 3 || (calls == 3 && stopped == ASTAR_NO_MEMORY));
    astar_range_free(&range, &grid->allocator);
    astar_grid_release(grid);
}

// ---- nearest cells ----

static void test_near(uint32_t seed)
{
    static AstarNear nears[MOST_CELLS];
    static const AstarDiagonals rules[] = {ASTAR_ALWAYS, ASTAR_NEVER};
    static const double lengths[] = {1, 1.2, 1.4, 1.41421356237309504880, 1.7, 2};
    uint32_t from[MOST_GOALS];
    AstarGrid *grid = new_grid(NULL, 1 + random_below(&seed, MOST_SIDE),
                               1 + random_below(&seed, MOST_SIDE));
    AstarOptions options = astar_options_default();
    options.diagonals = rules[random_below(&seed, 2)];
    options.diagonal_cost = lengths[random_below(&seed, 6)];
    AstarFinder *finder = NULL;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    CHECK(astar_finder_update(finder) == ASTAR_OK);
    int count = random_below(&seed, MOST_GOALS);
    AstarNearMeasuring measuring = {0};
    int64_t work = ASTAR_ALL_WORK, slice = 1;
    while (measuring.cleared < grid->height)
        astar_near_clear_row(nears, grid, &measuring, &work);
    for (int i = 0; i < count; i++) {
        from[i] = (uint32_t)random_below(&seed, (int)grid->cells);
        astar_near_put(nears, from[i]);
    }
    while (!astar_near_measure(nears, grid, &finder->costs.distance, &measuring, &slice))
        slice = 1 + random_below(&seed, 3000);
    for (uint32_t cell = 0; cell < grid->cells; cell++) {
        AstarNear nearest = {INFINITY, 0};
        for (int i = 0; i < count; i++) {
            int x, y, from_x, from_y;
            astar_cell_xy(grid, cell, &x, &y);
            astar_cell_xy(grid, from[i], &from_x, &from_y);
            AstarNear each = {astar_estimate(&finder->costs.distance, x - from_x, y - from_y),
                              from[i]};
            if (astar_is_nearer(&each, &nearest))
                nearest = each;
        }
        CHECK(nears[cell].distance == nearest.distance && nears[cell].cell == nearest.cell);
    }
    astar_finder_release(finder);
    astar_grid_release(grid);
}

// Whether 'all' has of each rectangle of a body's cells that begins at a cell, or ends at it,
// the nearest that 'each' has.
static bool is_widened(const AstarGrid *grid, const AstarNear *each, const AstarNear *all,
                       AstarBody body, int sign)
{
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            AstarNear nearest = {INFINITY, 0};
            for (int i = 0; i < body.width * body.height; i++) {
                int at_x = x + sign * (i % body.width), at_y = y + sign * (i / body.width);
                if (astar_inside(grid, at_x, at_y) &&
                    astar_is_nearer(&each[astar_cell(grid, at_x, at_y)], &nearest))
                    nearest = each[astar_cell(grid, at_x, at_y)];
            }
            const AstarNear *near = &all[astar_cell(grid, x, y)];
            if (near->distance != nearest.distance || near->cell != nearest.cell)
                return false;
        }
    return true;
}

static void test_widened(uint32_t seed)
{
    static AstarNear each[MOST_CELLS], all[MOST_CELLS];
    AstarGrid *grid = new_grid(NULL, 1 + random_below(&seed, MOST_SIDE),
                               1 + random_below(&seed, MOST_SIDE));
    AstarBody body = {1 + random_below(&seed, 9), 1 + random_below(&seed, 9)};
    bool covered = random_below(&seed, 2) == 0;
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        each[cell] = all[cell] = random_below(&seed, 3) == 0
                                     ? (AstarNear){INFINITY, 0}
                                     : (AstarNear){random_below(&seed, 20),
                                                   (uint32_t)random_below(&seed, 30)};
    AstarNearMeasuring measuring = {0};
    int64_t slice = 1;
    while (!astar_near_widen(all, grid, body, covered, &measuring, &slice))
        slice = 1 + random_below(&seed, 3000);
    CHECK(is_widened(grid, each, all, body, covered ? -1 : 1));
    astar_grid_release(grid);
}

// ---- memory ----

enum { SIDE = 512, CELLS = SIDE * SIDE, GOALS = 3000, MOST_BYTES = 160 };

// Memory that ends at some bytes a cell.
typedef struct Pool {
    size_t left;
    long taken; // blocks, ever
} Pool;

static void *take_block(void *context, size_t size)
{
    Pool *pool = context;
    if (size > pool->left)
        return NULL;
    pool->left -= size;
    pool->taken++;
    return calloc(1, size);
}

static void give_block(void *context, void *block, size_t size)
{
    Pool *pool = context;
    pool->left += size;
    free(block);
}

// A map in two halves, goals all over the eastern one or the whole.
static AstarFinder *new_halves(Pool *pool, int range, bool partial, AstarCell goals[GOALS])
{
    AstarAllocator allocator = {take_block, give_block, pool};
    AstarGrid *grid = new_grid(&allocator, SIDE, SIDE);
    CHECK(astar_grid_block(grid, SIDE / 2, 0, 1, SIDE) == ASTAR_OK);
    uint32_t seed = 7;
    for (int i = 0; i < GOALS; i++) {
        goals[i].x = SIDE - 1 - random_below(&seed, SIDE / 4);
        goals[i].y = random_below(&seed, SIDE);
    }
    AstarOptions options = astar_options_default();
    options.range = range;
    options.partial = partial;
    AstarFinder *finder = NULL;
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    astar_grid_release(grid);
    return finder;
}

static void test_flow_memory(void)
{
    static AstarCell cells[GOALS];
    static AstarFlowGoal goals[GOALS];
    Pool pool = {.left = (size_t)CELLS * MOST_BYTES};
    AstarFinder *finder = new_halves(&pool, SIDE, false, cells);
    for (int i = 0; i < GOALS; i++)
        goals[i] = (AstarFlowGoal){cells[i].x, cells[i].y, i % 7 + 1};
    AstarFlow *flow = NULL;
    double distance = 0;
    CHECK(astar_flow_new(finder, goals, GOALS, INFINITY, &flow) == ASTAR_OK);
    if (flow != NULL) {
        CHECK(astar_flow_distance(flow, 3, 5, NULL, &distance) == ASTAR_OK && distance == 1);
        CHECK(astar_flow_bytes(flow) <= (size_t)CELLS * 64);
    }
    astar_flow_release(flow);
    astar_finder_release(finder);
    CHECK(pool.left == (size_t)CELLS * MOST_BYTES);
}

// Asks twice: with the memory there is, and with no more than a path needs.
static void test_nearest_memory(int range, bool partial, AstarStatus expected)
{
    static AstarCell goals[GOALS];
    Pool pool = {.left = (size_t)CELLS * MOST_BYTES};
    const AstarAllocator allocator = {take_block, give_block, &pool};
    AstarFinder *finder = new_halves(&pool, range, partial, goals);
    AstarWorkspace *workspace = NULL;
    AstarPath path;
    astar_path_init(&path);
    size_t index, again;
    CHECK(astar_workspace_new(&allocator, &workspace) == ASTAR_OK);
    CHECK(astar_find_nearest(workspace, finder, 3, 5, goals, GOALS, NULL, NULL, &path, &index) ==
          expected);
    double cost = path.cost;
    long taken = pool.taken;
    CHECK(astar_find_nearest(workspace, finder, 3, 5, goals, GOALS, NULL, NULL, &path, &again) ==
          expected);
    CHECK(again == index && path.cost == cost && pool.taken <= taken + 12);
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    CHECK(pool.left == (size_t)CELLS * MOST_BYTES);
}

// So many edits of the whole map that their cells, added up, are more than 32 bits count: none.
static void test_edits(void)
{
    enum { WIDE = 4096, EDITS = 256 };
    AstarGrid *grid = new_grid(NULL, WIDE, WIDE);
    AstarFinder *finder = NULL;
    AstarFlow *flow = NULL;
    int swamp;
    double distance = 0;
    const AstarFlowGoal goal = {0, 0, 0};
    CHECK(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_flow_new(finder, &goal, 1, INFINITY, &flow) == ASTAR_OK);
    CHECK(astar_flow_distance(flow, 9, 0, NULL, &distance) == ASTAR_OK && distance == 9);
    for (int i = 0; i < EDITS; i++)
        astar_grid_fill(grid, 0, 0, WIDE, WIDE, i % 2 == 0 ? swamp : 0);
    CHECK(astar_flow_distance(flow, 9, 0, NULL, &distance) == ASTAR_OK && distance == 9);
    astar_flow_release(flow);
    astar_finder_release(finder);
    astar_grid_release(grid);
}

int main(void)
{
    for (uint32_t seed = 1; seed <= 400; seed++) {
        test_sweep(seed, false);
        test_sweep(seed, true);
        test_near(seed);
        test_widened(seed);
    }
    test_flow_memory();
    test_nearest_memory(0, false, ASTAR_UNREACHABLE);
    test_nearest_memory(SIDE / 16, false, ASTAR_UNREACHABLE);
    test_nearest_memory(SIDE, false, ASTAR_OK);
    test_nearest_memory(0, true, ASTAR_OK);
    test_nearest_memory(SIDE / 16, true, ASTAR_OK);
    if (sizeof(size_t) == 4)
        test_edits();
    return report();
}
