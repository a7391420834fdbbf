// memory.c -- allocations that fail: at every one of a program's, once or from there on.
//
// A call that meets ASTAR_NO_MEMORY is made again with memory back. It must then do what it would
// have done at first, on the same objects, and in the end no block may be left.

#include "astar.h"
#include "check.h"
#include "path_calls.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 20 };

static AstarWorkspace *workspace; // of the program whose allocations fail

typedef struct Memory {
    long left; // allocations until one fails; -1: none will
    bool for_ever;
    bool failed;
    bool has_failed; // at any time
    long blocks;
    size_t bytes;
    size_t taken; // bytes, those given back among them
} Memory;

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left == 0) {
        memory->failed = memory->has_failed = true;
        if (!memory->for_ever)
            memory->left = -1;
        return NULL;
    }
    if (memory->left > 0)
        memory->left--;
    memory->blocks++;
    memory->bytes += size;
    memory->taken += size;
    return calloc(1, size > 0 ? size : 1);
}

static void give_block(void *context, void *block, size_t size)
{
    Memory *memory = context;
    memory->blocks--;
    memory->bytes -= size;
    free(block);
}

// Whether 'status' is a failure by the allocator; there is memory again then. An edit succeeds even
// where the log of edits cannot grow: that only remembers fewer.
static bool ran_out(Memory *memory, AstarStatus status)
{
    CHECK(memory->failed || status != ASTAR_NO_MEMORY);
    memory->failed = false;
    if (status != ASTAR_NO_MEMORY)
        return false;
    memory->left = -1;
    return true;
}

// Makes a call, again if it fails for want of memory, and checks how it ends.
#define RETRY(memory, call, expected)                                                              \
    do {                                                                                           \
        AstarStatus status_ = (call);                                                              \
        if (ran_out((memory), status_))                                                            \
            status_ = (call);                                                                      \
        CHECK(status_ == (expected));                                                              \
    } while (0)

static double cost_of_cell(void *context, int x, int y, int terrain, double cost)
{
    (void)context;
    (void)terrain;
    return (x + y) % 7 == 0 ? 2 * cost : cost;
}

// Walls with a gap at either end in turn: a route of many turns. A unit of several cells stands as
// a block where it starts.
static void build_walls(AstarGrid *grid, int size, Memory *memory)
{
    for (int x = 2; x < SIDE - size; x += 4)
        RETRY(memory, astar_grid_block(grid, x, x % 8 == 2 ? size : 0, 1, SIDE - size), ASTAR_OK);
    if (size > 1)
        RETRY(memory, astar_grid_block(grid, 0, 0, size, size), ASTAR_OK);
}

// Links, walls and a field to avoid, none of them in the way of the topmost row.
static void add_layers(AstarGrid *grid, const AstarAllocator *allocator, Memory *memory,
                       AstarOptions *options)
{
    for (int y = 1; y < SIDE; y += 2)
        RETRY(memory, astar_grid_link(grid, 0, y, 3, SIDE - y, 2, 7, y % 3 == 0), ASTAR_OK);
    RETRY(memory, astar_grid_wall(grid, 0, 5, ASTAR_SIDE_EAST, false), ASTAR_OK);
    RETRY(memory, astar_field_new(allocator, SIDE, SIDE, &options->avoid), ASTAR_OK);
    astar_field_stamp(options->avoid, 5, 9, 4, 3);
}

// Steps a search to its end after an edit that lets it go on or has it begin anew.
static void search_over_an_edit(AstarFinder *finder, int last, Memory *memory)
{
    AstarGrid *grid = astar_finder_grid(finder);
    AstarSearch *search = NULL;
    RETRY(memory, astar_search_new(workspace, finder, 0, 0, last, last, NULL, &search), ASTAR_OK);
    AstarStatus status;
    do
        status = astar_search_step(search, 1, NULL);
    while (ran_out(memory, status));
    RETRY(memory, astar_grid_block(grid, SIDE - 1, 0, 1, 1), ASTAR_OK);
    do
        status = astar_search_step(search, UINT64_MAX, NULL);
    while (ran_out(memory, status) || status == ASTAR_RUNNING);
    AstarPath path;
    astar_path_init(&path);
    RETRY(memory, astar_find_path(workspace, finder, 0, 0, last, last, NULL, NULL, &path), status);
    astar_path_destroy(&path);
    astar_search_free(search);
    astar_grid_unblock(grid, SIDE - 1, 0, 1, 1);
}

static void step_to_the_end(AstarSearch *search, Memory *memory, AstarPath *path)
{
    AstarStatus status;
    do
        status = astar_search_step(search, 9, NULL);
    while (ran_out(memory, status) || status == ASTAR_RUNNING);
    CHECK(status == ASTAR_OK);
    RETRY(memory, astar_search_path(search, path), ASTAR_OK);
    astar_search_free(search);
}

// What a search is made in steps for besides the way to one goal.
static void step_continuations(AstarFinder *finder, const AstarPath *path, Memory *memory)
{
    const AstarPoint *end = &path->points[path->count - 1];
    const AstarCell goals[] = {{end->x, end->y}, {end->x, end->y - 1}};
    AstarSearch *search = NULL;
    AstarPath found;
    astar_path_init(&found);
    RETRY(memory, astar_search_take_unbuilt(workspace, finder, &search), ASTAR_OK);
    AstarStatus status = astar_search_nearest_in_steps(search, 0, 0, goals, 2, NULL, 0);
    if (ran_out(memory, status)) { // it stays taken, and may be asked again
        astar_search_free(search);
        RETRY(memory, astar_search_take_unbuilt(workspace, finder, &search), ASTAR_OK);
        status = astar_search_nearest_in_steps(search, 0, 0, goals, 2, NULL, 0);
    }
    CHECK(status == ASTAR_RUNNING);
    step_to_the_end(search, memory, &found);
    RETRY(memory, astar_search_take_unbuilt(workspace, finder, &search), ASTAR_OK);
    status = astar_search_repair_in_steps(search, path, 1, true, 0);
    if (ran_out(memory, status)) {
        astar_search_free(search);
        RETRY(memory, astar_search_take_unbuilt(workspace, finder, &search), ASTAR_OK);
        status = astar_search_repair_in_steps(search, path, 1, true, 0);
    }
    CHECK(status == ASTAR_RUNNING);
    step_to_the_end(search, memory, &found);
    CHECK(found.cells == path->cells - 1);
    astar_path_destroy(&found);
}

static void ask_everything(AstarFinder *finder, int size, Memory *memory, double *cost)
{
    int last = SIDE - size;
    AstarPath path, other;
    astar_path_init(&path);
    astar_path_init(&other);
    AstarBaking baking;
    RETRY(memory, astar_finder_bake(finder, 4, &baking), ASTAR_OK);
    RETRY(memory, astar_find_path(workspace, finder, 0, 0, last, last, NULL, NULL, &path),
          ASTAR_OK);
    *cost = path.cost;

    AstarSearch *search = NULL;
    RETRY(memory, astar_search_new(workspace, finder, 0, 0, last, last, NULL, &search), ASTAR_OK);
    for (AstarStatus status = ASTAR_RUNNING; status == ASTAR_RUNNING;) {
        status = astar_search_step(search, 50, NULL);
        if (ran_out(memory, status))
            status = ASTAR_RUNNING;
        else
            CHECK(status == ASTAR_RUNNING || status == ASTAR_OK);
    }
    RETRY(memory, astar_search_path(search, &other), ASTAR_OK);
    CHECK(other.cost == path.cost && other.cells == path.cells);
    astar_search_free(search);

    search_over_an_edit(finder, last, memory);
    step_continuations(finder, &path, memory);
    RETRY(memory, smooth_path(workspace, &path, finder, NULL, &other), ASTAR_OK);
    CHECK(other.count <= path.count && other.cost <= path.cost + 1e-9);
    RETRY(memory, reverse_path(workspace, &path, finder, NULL, &other), ASTAR_OK);
    CHECK(other.cells == path.cells);
    RETRY(memory, repair_path(workspace, &path, finder, 1, false, NULL, &other), ASTAR_OK);
    CHECK(other.cells == path.cells - 1);
    int bad = 0, x, y;
    astar_path_cell(&path, path.cells / 2, &x, &y);
    AstarGrid *grid = astar_finder_grid(finder);
    if (size == 1) { // others do not get past
        RETRY(memory, astar_grid_block(grid, x, y, 1, 1), ASTAR_OK);
        RETRY(memory, repair_path(workspace, &path, finder, 0, false, NULL, &other), ASTAR_OK);
        CHECK(other.cost >= path.cost - 1e-9);
        astar_grid_unblock(grid, x, y, 1, 1);
    }
    RETRY(memory, check_cells_of(workspace, &path, finder, NULL, &bad), ASTAR_OK);
    CHECK(bad == -1);
    bool yes = false;
    RETRY(memory, astar_reachable(workspace, finder, 0, 0, last, 0, NULL, &yes), ASTAR_OK);
    CHECK(yes);
    RETRY(memory, astar_raycast(workspace, finder, 0, 0, last, 0, NULL, &yes, &x, &y), ASTAR_OK);
    CHECK(yes);
    int clearance = 0;
    RETRY(memory, astar_clearance(finder, last, 0, &clearance), ASTAR_OK);
    CHECK(clearance == size);
    astar_path_destroy(&other);
    astar_path_destroy(&path);
}

// Bakes, saves and loads by one method, as far as the ground lets it, and asks for a route.
static void bake_by(AstarFinder *finder, AstarBakingMethod method, int last, Memory *memory,
                    double cost)
{
    AstarBakingOptions options = {method, SIZE_MAX, method == ASTAR_BAKE_LANDMARKS ? 4 : 0};
    AstarBaked *baked = NULL, *loaded = NULL;
    AstarPath path;
    const char *why;
    astar_path_init(&path);
    RETRY(memory, astar_baking_new(finder, &options, &baked), ASTAR_OK);
    RETRY(memory, astar_baking_step(baked, UINT64_MAX), ASTAR_OK);
    RETRY(memory, astar_find_path(workspace, finder, 0, 0, last, last, NULL, NULL, &path),
          ASTAR_OK);
    CHECK(fabs(path.cost - cost) <= 1e-9 * cost);
    size_t length = astar_baked_save(baked, NULL, 0);
    CHECK((length > 0) == (astar_baked_facts(baked).method == method));
    void *bytes = length > 0 ? malloc(length) : NULL;
    if (bytes != NULL) {
        CHECK(astar_baked_save(baked, bytes, length) == length);
        RETRY(memory, astar_baked_load(finder, bytes, length, &why, &loaded), ASTAR_OK);
        CHECK(astar_baked_facts(loaded).bytes == astar_baked_facts(baked).bytes);
    }
    free(bytes);
    astar_baked_free(loaded);
    astar_baked_free(baked);
    astar_path_destroy(&path);
}

// Gives up the last reference to a flow, which says it takes so many bytes.
static void release_flow(Memory *memory, AstarFlow *flow, size_t bytes)
{
    size_t before = memory->bytes;
    astar_flow_release(flow);
    CHECK(memory->bytes == before - bytes);
}

// Of a flow that keeps steps only.
static void query_steps(AstarFinder *finder, const AstarFlowGoal *goals, Memory *memory,
                        double cost)
{
    AstarFlow *flow = NULL;
    AstarPath path;
    double distance;
    int x, y;
    astar_path_init(&path);
    RETRY(memory, astar_flow_new(finder, goals, 2, INFINITY, &flow), ASTAR_OK);
    astar_flow_keep_steps_only(flow);
    RETRY(memory, astar_flow_next(flow, 0, 0, NULL, &x, &y), ASTAR_OK);
    size_t bytes = astar_flow_bytes(flow);
    RETRY(memory, astar_flow_complete(flow, NULL), ASTAR_OK);
    CHECK(astar_flow_bytes(flow) + 7 * SIDE * SIDE < bytes);
    RETRY(memory, astar_flow_path(flow, 0, 0, NULL, &path), ASTAR_OK);
    CHECK(fabs(path.cost - cost) < 1e-6);
    CHECK(astar_flow_distance(flow, 0, 0, NULL, &distance) == ASTAR_BAD_OPTION);
    release_flow(memory, flow, astar_flow_bytes(flow));
    astar_path_destroy(&path);
}

static void ask_flows(AstarFinder *finder, int size, Memory *memory, double cost)
{
    const int last = SIDE - size;
    AstarFlow *flow = NULL, *reach = NULL, *flee = NULL;
    AstarPath path;
    astar_path_init(&path);
    AstarGrid *grid = astar_finder_grid(finder);
    if (size > 1) // a flow knows of no unit that stands as a block where it starts
        astar_grid_unblock(grid, 0, 0, size, size);
    const AstarFlowGoal goals[] = {{last, last, 0}, {last, 0, 1000}};
    double distance = 0, before = 0;
    int x, y;
    RETRY(memory, astar_flow_new(finder, goals, 2, INFINITY, &flow), ASTAR_OK);
    RETRY(memory, astar_flow_distance(flow, 0, 0, NULL, &distance), ASTAR_OK);

    CHECK(fabs(distance - cost) < 1e-6);
    query_steps(finder, goals, memory, cost);
    RETRY(memory, astar_flow_next(flow, 0, 0, NULL, &x, &y), ASTAR_OK);
    RETRY(memory, astar_flow_path(flow, 0, 0, NULL, &path), ASTAR_OK);
    CHECK(fabs(path.cost - cost) < 1e-6);
    RETRY(memory, astar_flow_complete(flow, NULL), ASTAR_OK);
    astar_path_cell(&path, path.cells / 2, &x, &y);
    RETRY(memory, astar_grid_block(grid, x, y, 1, 1), ASTAR_OK);
    RETRY(memory, astar_flow_update(flow, NULL), ASTAR_OK);
    RETRY(memory, astar_flow_distance(flow, 0, 0, NULL, &before),
          size == 1 ? ASTAR_OK : ASTAR_UNREACHABLE);
    CHECK(before >= distance || size > 1);
    astar_grid_unblock(grid, x, y, 1, 1);
    RETRY(memory, astar_flow_distance(flow, 0, 0, NULL, &before), ASTAR_OK);
    CHECK(before == distance);
    RETRY(memory, astar_reach_new(finder, 0, 0, INFINITY, &reach), ASTAR_OK);
    if (size > 1) // but a reach does
        RETRY(memory, astar_grid_block(grid, 0, 0, size, size), ASTAR_OK);
    RETRY(memory, astar_flow_distance(reach, last, last, NULL, &before), ASTAR_OK);
    CHECK(fabs(before - cost) < 1e-6);
    if (size > 1) {
        RETRY(memory, astar_grid_block(grid, last, 0, 1, 1), ASTAR_OK);
        RETRY(memory, astar_flow_update(reach, NULL), ASTAR_OK);
        astar_grid_unblock(grid, last, 0, 1, 1);
        astar_grid_unblock(grid, 0, 0, size, size);
    }
    RETRY(memory, astar_flow_flee(flow, -1.2, &flee), ASTAR_OK);
    astar_flow_release(flow); // the other one holds it still
    RETRY(memory, astar_flow_distance(flee, 0, 0, NULL, &before), ASTAR_OK);
    CHECK(before <= -1.2 * distance + 1e-6);
    release_flow(memory, flee, astar_flow_bytes(flee) + astar_flow_bytes(flow));
    release_flow(memory, reach, astar_flow_bytes(reach));
    astar_path_destroy(&path);
    if (size > 1)
        RETRY(memory, astar_grid_block(grid, 0, 0, size, size), ASTAR_OK);
}

// Blocks in layers: some bar the way, but not who ignores them.
static void ask_in_layers(AstarGrid *grid, const AstarOptions *given, Memory *memory, double cost)
{
    AstarOptions options = *given;
    AstarFinder *finder = NULL;
    AstarGrid *copy = NULL;
    AstarPath path;
    int layer = 0, last = SIDE - options.size, swamp;
    astar_path_init(&path);
    RETRY(memory, astar_grid_layer(grid, "red", 3, &layer), ASTAR_OK);
    RETRY(memory, astar_grid_block_layer(grid, layer, 0, SIDE / 2, SIDE, 1), ASTAR_OK);
    RETRY(memory, astar_grid_add_terrain(grid, 2, &swamp), ASTAR_OK);
    RETRY(memory, astar_grid_clone(grid, &copy), ASTAR_OK);
    options.ignore = UINT64_C(1) << layer;
    RETRY(memory, astar_finder_new(copy, &options, &finder), ASTAR_OK);
    RETRY(memory, astar_find_path(workspace, finder, 0, 0, last, last, NULL, NULL, &path),
          ASTAR_OK);
    CHECK(path.cost == cost);
    astar_path_destroy(&path);
    astar_finder_release(finder);
    astar_grid_release(copy);
    CHECK(astar_grid_unblock_layer(grid, layer, 0, SIDE / 2, SIDE, 1) == ASTAR_OK);
}

// The same questions in a clone, and bakings.
static void live_in_copy(AstarGrid *grid, const AstarOptions *options, Memory *memory, double cost)
{
    AstarGrid *copy = NULL;
    AstarFinder *finder = NULL;
    double cost_in_copy = 0;
    int last = SIDE - options->size;
    RETRY(memory, astar_grid_clone(grid, &copy), ASTAR_OK);
    RETRY(memory, astar_finder_new(copy, options, &finder), ASTAR_OK);
    ask_everything(finder, options->size, memory, &cost_in_copy);
    CHECK(cost == cost_in_copy);
    bake_by(finder, ASTAR_BAKE_LABELS, last, memory, cost);
    bake_by(finder, ASTAR_BAKE_HIERARCHY, last, memory, cost);
    bake_by(finder, ASTAR_BAKE_LANDMARKS, last, memory, cost);
    astar_finder_release(finder);
    astar_grid_release(copy);
}

// A whole program's life; the cost of its route. A life whose allocation has failed already has no
// use for its later part, in which it would spend most of its time.
static double live(Memory *memory, const AstarOptions *given, bool is_uniform, bool is_layered)
{
    AstarOptions copied = *given, *options = &copied;
    const AstarAllocator allocator = {take_block, give_block, memory};
    AstarGrid *grid = NULL;
    AstarFinder *finder = NULL;
    int swamp;
    double cost = 0;
    RETRY(memory, astar_workspace_new(&allocator, &workspace), ASTAR_OK);
    RETRY(memory, astar_grid_new(&allocator, SIDE, SIDE, &grid), ASTAR_OK);
    RETRY(memory, astar_grid_add_terrain(grid, 3, &swamp), ASTAR_OK);
    if (!is_uniform)
        astar_grid_fill(grid, 0, SIDE / 2, SIDE, 3, swamp);
    build_walls(grid, options->size, memory);
    if (is_layered)
        add_layers(grid, &allocator, memory, options);
    RETRY(memory, astar_finder_new(grid, options, &finder), ASTAR_OK);
    ask_everything(finder, options->size, memory, &cost);
    ask_flows(finder, options->size, memory, cost);
    ask_in_layers(grid, options, memory, cost);
    astar_grid_set(grid, 0, 5, swamp);
    astar_grid_set(grid, 0, 5, 0);
    if (!memory->has_failed)
        live_in_copy(grid, options, memory, cost);
    astar_finder_release(finder);
    size_t field = options->avoid != NULL ? astar_field_bytes(options->avoid) : 0;
    // What they say they take.
    CHECK(memory->bytes == astar_grid_bytes(grid) + field + astar_workspace_bytes(workspace));
    astar_workspace_free(workspace);
    CHECK(memory->bytes == astar_grid_bytes(grid) + field);
    astar_grid_release(grid);
    astar_field_release(options->avoid);
    CHECK(memory->blocks == 0 && memory->bytes == 0);
    return cost;
}

// Every third allocation, from another one in each of 52 lives. Odd, or the failures that last
// would never meet every other one; and less than the lives, or some would never be met.
enum { STRIDE = ALL_OR_FEW(3, 31) };

// Lives once for every allocation the program makes, which fails; how many there are.
static int fail_everywhere(const AstarOptions *options, bool is_uniform, bool is_layered,
                           bool for_ever)
{
    Memory plenty = {.left = -1};
    double right = live(&plenty, options, is_uniform, is_layered);
    static int lives;
    for (int n = lives++ % STRIDE;; n += STRIDE) {
        Memory memory = {.left = n, .for_ever = for_ever};
        CHECK(live(&memory, options, is_uniform, is_layered) == right);
        if (!memory.has_failed)
            return n;
    }
}

// ---- questions that are the first of their grids, and so make a search ----

enum { QUERIES = 11, GOALS = 300 };

static bool is_far(void *context, int x, int y, int terrain)
{
    (void)context;
    (void)terrain;
    return x == SIDE - 1 && y > SIDE / 2;
}

// Goals on a wall, so many that the whole map is measured.
static AstarStatus find_among_many(AstarFinder *finder, AstarPath *out)
{
    AstarCell goals[GOALS];
    size_t index;
    for (int i = 0; i < GOALS; i++)
        goals[i] = (AstarCell){SIDE - 6, SIDE / 2 + i % 7};
    return astar_find_nearest(workspace, finder, 0, 0, goals, GOALS, NULL, NULL, out, &index);
}

static AstarStatus ask(int query, AstarFinder *finder, const AstarPath *path, AstarPath *out)
{
    const int last = SIDE - 1;
    const AstarCell goals[] = {{last, last}, {last, 0}};
    bool yes;
    int x, y;
    size_t index;
    switch (query) {
    case 0: return astar_find_path(workspace, finder, 0, 0, last, last, NULL, NULL, out);
    case 1: return astar_reachable(workspace, finder, 0, 0, last, last, NULL, &yes);
    case 2: return astar_raycast(workspace, finder, 0, 0, last, last, NULL, &yes, &x, &y);
    case 3: return check_cells_of(workspace, path, finder, NULL, &x);
    case 4: return smooth_path(workspace, path, finder, NULL, out);
    case 5: return reverse_path(workspace, path, finder, NULL, out);
    case 6: return repair_path(workspace, path, finder, 1, true, NULL, out);
    case 7: return astar_find_nearest(workspace, finder, 0, 0, goals, 2, NULL, NULL, out, &index);
    case 8: return astar_find_where(workspace, finder, 0, 0, is_far, NULL, NULL, out);
    default: return find_among_many(finder, out);
    }
}

// Asks a copy of a grid of some shape about a path of that grid; whether an allocation failed.
static bool ask_first(AstarOffset offset, int query, long at, bool for_ever)
{
    Memory memory = {.left = -1, .for_ever = for_ever};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL, *copy = NULL;
    AstarFinder *finder = NULL, *second = NULL;
    AstarPath path, out, again;
    astar_path_init(&path);
    astar_path_init(&out);
    astar_path_init(&again);
    CHECK((offset == ASTAR_NO_OFFSET
               ? astar_grid_new(&allocator, SIDE, SIDE, &grid)
               : astar_grid_new_shaped(&allocator, offset, SIDE, SIDE, &grid)) == ASTAR_OK);
    build_walls(grid, 1, &memory);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_workspace_new(&allocator, &workspace) == ASTAR_OK);
    CHECK(astar_find_path(workspace, finder, 0, 0, SIDE - 1, SIDE - 1, NULL, NULL, &path) ==
          ASTAR_OK);
    CHECK(astar_grid_clone(grid, &copy) == ASTAR_OK);
    astar_workspace_free(workspace); // the next question makes its search
    CHECK(astar_workspace_new(&allocator, &workspace) == ASTAR_OK);
    AstarOptions options = astar_options_default();
    options.partial = query == 9;
    options.range = query == 10 ? 3 : 0;
    CHECK(astar_finder_new(copy, &options, &second) == ASTAR_OK);
    memory.left = at;
    RETRY(&memory, ask(query, second, &path, &out), ASTAR_OK);
    bool has_failed = memory.left < 0;
    memory.left = -1;
    CHECK(ask(query, second, &path, &again) == ASTAR_OK);
    CHECK(out.cost == again.cost && out.cells == again.cells);
    astar_path_destroy(&again);
    astar_path_destroy(&out);
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(second);
    astar_grid_release(copy);
    astar_finder_release(finder);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
    return has_failed;
}

// Asks each question until none of its allocations fails; how many there are.
static int fail_first(AstarOffset offset, bool for_ever)
{
    int points = 0;
    for (int query = 0; query < QUERIES; query++) {
        long at = 0;
        while (ask_first(offset, query, at, for_ever))
            at += ALL_OR_FEW(1, 3);
        CHECK(at > 0);
        points += (int)at;
    }
    return points;
}

// ---- crowds ----

enum { CROWD = 24, CROWD_BEATS = 30 };

// Saves a crowd; what comes of it is that which is loaded.
static AstarCrowd *save_and_load(AstarCrowd *crowd, AstarFinder *large, Memory *memory)
{
    static unsigned char bytes[4096];
    AstarFinder *finders[] = {astar_crowd_finder(crowd), large};
    AstarCrowd *loaded = NULL;
    size_t length;
    RETRY(memory, astar_crowd_save(crowd, bytes, sizeof bytes, &length), ASTAR_OK);
    RETRY(memory, astar_crowd_load(bytes, length, finders, 2, &loaded), ASTAR_OK);
    astar_crowd_release(crowd);
    return loaded;
}

// Units of two sizes go to a few goals, some change their minds, the map is edited, some leave, and
// all are saved and loaded: where they are in the end, as a number. Their distances have room for
// some goals at a time only.
static uint64_t go_about(AstarCrowd **of, AstarFinder *large, Memory *memory)
{
    AstarCrowd *crowd = *of;
    AstarGrid *grid = astar_finder_grid(large);
    AstarUnit units[CROWD];
    AstarUnitFacts facts;
    uint64_t hash = 1;
    for (int i = 0; i < CROWD; i++)
        RETRY(memory,
              astar_crowd_add(crowd, i % 4 == 3 ? large : NULL, i % 8 * 2, i / 8 * 2, 1 + i % 2,
                              &units[i]),
              ASTAR_OK);
    for (int beat = 0; beat < CROWD_BEATS; beat++) {
        int i = beat * 7 % CROWD;
        if (astar_crowd_has(crowd, units[i]))
            RETRY(memory, astar_crowd_go(crowd, units[i], SIDE - 3 - beat % 5, SIDE - 3), ASTAR_OK);
        if (beat % 8 == 3)
            RETRY(memory, astar_grid_block(grid, beat % 9, SIDE - 6, 2, 1), ASTAR_OK);
        if (beat % 8 == 5)
            RETRY(memory, astar_grid_wall(grid, 9, beat % SIDE, ASTAR_SIDE_EAST, false), ASTAR_OK);
        if (beat % 8 == 6)
            astar_crowd_remove(crowd, units[beat % CROWD]);
        if (beat % 8 == 7)
            crowd = *of = save_and_load(crowd, large, memory);
        RETRY(memory, astar_crowd_beat(crowd), ASTAR_OK);
        for (int j = 0; j < CROWD; j++)
            if (astar_crowd_unit(crowd, units[j], &facts))
                hash = (hash * 4099 + (uint64_t)facts.x) * 4099 + (uint64_t)facts.y;
    }
    uint32_t cursor = 0, count = 0;
    for (AstarUnitPlace place; astar_crowd_next_place(crowd, &cursor, &place); count++)
        CHECK(astar_crowd_unit(crowd, place.unit, &facts) && place.x == facts.at_x &&
              place.y == facts.at_y && place.heading == facts.heading);
    CHECK(count == astar_crowd_count(crowd));
    return hash;
}

// The same with memory failing at one allocation, or from there on until somebody is told.
static bool fail_crowd_at(long at, bool for_ever, uint64_t *hash)
{
    Memory memory = {.left = at, .for_ever = for_ever};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL;
    AstarFinder *small = NULL, *large = NULL;
    AstarCrowd *crowd = NULL;
    AstarOptions of_large = astar_options_default();
    AstarCrowdOptions options = astar_crowd_options_default();
    of_large.size = 2;
    options.bytes = 2000;
    options.expansions = 600;
    RETRY(&memory, astar_grid_new(&allocator, SIDE, SIDE, &grid), ASTAR_OK);
    RETRY(&memory, astar_finder_new(grid, NULL, &small), ASTAR_OK);
    RETRY(&memory, astar_finder_new(grid, &of_large, &large), ASTAR_OK);
    RETRY(&memory, astar_crowd_new(small, &options, &crowd), ASTAR_OK);
    *hash = go_about(&crowd, large, &memory);
    bool has_failed = memory.left < 0 && at >= 0;
    astar_crowd_release(crowd);
    astar_finder_release(large);
    astar_finder_release(small);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
    return has_failed;
}

// Each beat is the one it would have been; how many allocations there are.
static int fail_crowd(bool for_ever)
{
    uint64_t expected, hash;
    fail_crowd_at(-1, for_ever, &expected);
    long at = for_ever;
    for (; fail_crowd_at(at, for_ever, &hash); at += ALL_OR_FEW(1, 3))
        CHECK(hash == expected);
    CHECK(hash == expected && at > 20);
    return (int)at;
}

// ---- plans for a crowd ----

enum { PLAN_SIDE = 6, PLANNED = 16 };

// A crowd whose units are to change places, row by row.
static AstarCrowd *crowd_of_two_bands(AstarFinder *finder, Memory *memory)
{
    AstarCrowd *crowd = NULL;
    AstarUnit unit;
    RETRY(memory, astar_crowd_new(finder, NULL, &crowd), ASTAR_OK);
    for (int i = 0; i < PLANNED; i++) {
        int x = i % 4 < 2 ? i % 2 : PLAN_SIDE - 1 - i % 2, y = i / 4;
        RETRY(memory, astar_crowd_add(crowd, NULL, x, y, 1, &unit), ASTAR_OK);
        RETRY(memory, astar_crowd_go(crowd, unit, PLAN_SIDE - 1 - x, y), ASTAR_OK);
    }
    return crowd;
}

// Makes a plan, one allocation failing; false when there were fewer. The plan is always the same.
static bool resolve_once(long at, bool for_ever, uint64_t *cost)
{
    Memory memory = {.left = -1};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL;
    AstarFinder *finder = NULL;
    AstarResolving *resolving = NULL;
    AstarResolvingOptions options = astar_resolving_options_default();
    CHECK(astar_grid_new(&allocator, PLAN_SIDE, PLAN_SIDE, &grid) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    memory.left = at;
    memory.for_ever = for_ever;
    AstarCrowd *crowd = crowd_of_two_bands(finder, &memory);
    options.improve = 4000;
    RETRY(&memory, astar_crowd_resolving(crowd, NULL, 0, &options, &resolving), ASTAR_OK);
    AstarStatus status;
    do
        status = astar_resolving_step(resolving, 500);
    while (status == ASTAR_RUNNING || ran_out(&memory, status));
    CHECK(status == ASTAR_OK && astar_resolving_facts(resolving).has_plan);
    if (*cost == 0)
        *cost = astar_resolving_facts(resolving).cost;
    CHECK(astar_resolving_facts(resolving).cost == *cost);
    while (astar_resolving_facts(resolving).is_followed)
        RETRY(&memory, astar_crowd_beat(crowd), ASTAR_OK);
    CHECK(astar_crowd_under_way(crowd) == 0);
    bool is_over = memory.left > 0;
    astar_resolving_release(resolving);
    astar_crowd_release(crowd);
    astar_finder_release(finder);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
    return !is_over;
}

static int fail_plans(void)
{
    uint64_t cost = 0;
    int points = 0;
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (long at = for_ever; resolve_once(at, for_ever != 0, &cost); at += ALL_OR_FEW(1, 3))
            points++;
    CHECK(points > ALL_OR_FEW(100, 30));
    return points;
}

// ---- what small maps take ----

// What the grid and a finder take after a query; what searches write is the workspace's.
static size_t bytes_after_query(int side, const AstarOptions *options, bool is_uniform)
{
    Memory memory = {.left = -1};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL;
    AstarFinder *finder = NULL;
    AstarPath path;
    int swamp;
    astar_path_init(&path);
    CHECK(astar_grid_new(&allocator, side, side, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 3, &swamp) == ASTAR_OK);
    if (!is_uniform)
        CHECK(astar_grid_fill(grid, 1, 1, side - 2, 1, swamp) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 3, 1, 1, side - 2) == ASTAR_OK);
    CHECK(astar_finder_new(grid, options, &finder) == ASTAR_OK);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    CHECK(astar_find_path(workspace, finder, 0, 2, side - 1, 2, NULL, NULL, &path) == ASTAR_OK);
    astar_workspace_free(workspace);
    astar_path_destroy(&path);
    size_t bytes = memory.bytes, of_grid = astar_grid_bytes(grid);
    astar_finder_release(finder);
    CHECK(memory.bytes <= of_grid);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
    return bytes;
}

static void check_small_grids(void)
{
    for (int kind = 0; kind < 8; kind++) {
        AstarOptions options = astar_options_default();
        options.diagonals = (AstarDiagonals)(kind % 4);
        size_t bytes = bytes_after_query(8, &options, kind < 4);
        // Each terrain takes 16 bytes for the box around its cells, and 56 for its costs.
        CHECK(bytes < 4384);
        if (kind == 2 || kind == 6)
            printf("8 x 8 cells of %s take %d bytes\n", kind < 4 ? "one cost" : "two costs",
                   (int)bytes);
    }
}

// ---- a unit wider than a cell, which its map holds as blocks ----

// What queries of a unit take that goes one step to the east each time, but for the first.
static size_t taken_on_own_blocks(int side, AstarAlgorithm algorithm)
{
    enum { SIZE = 3, STEPS = 20 };
    Memory memory = {.left = -1};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    AstarGrid *grid = NULL;
    AstarFinder *finder = NULL;
    AstarPath path;
    AstarOptions options = astar_options_default();
    size_t before = 0, bytes = 0;
    options.size = SIZE;
    options.algorithm = algorithm;
    astar_path_init(&path);
    CHECK(astar_grid_new(&allocator, side, side, &grid) == ASTAR_OK);
    CHECK(astar_grid_block(grid, 12, 12, 1, 6) == ASTAR_OK);
    CHECK(astar_finder_new(grid, &options, &finder) == ASTAR_OK);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    for (int x = 0; x < STEPS; x++) {
        CHECK(astar_grid_block(grid, x, 5, SIZE, SIZE) == ASTAR_OK);
        CHECK(astar_find_path(workspace, finder, x, 5, 15, 20, NULL, NULL, &path) == ASTAR_OK);
        CHECK(astar_grid_unblock(grid, x, 5, SIZE, SIZE) == ASTAR_OK);
        before = x == 0 ? memory.taken : before; // the log of edits has all its room in time
        bytes = x == STEPS / 2 ? memory.bytes : bytes;
    }
    size_t taken = memory.taken - before;
    CHECK(memory.bytes - bytes <= 16 * 256); // of the log
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_path_destroy(&path);
    astar_grid_release(grid);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
    return taken;
}

static void check_own_blocks(void)
{
    for (int algorithm = 0; algorithm < 2; algorithm++) {
        AstarAlgorithm name = algorithm == 0 ? ASTAR_AUTO : ASTAR_ASTAR;
        size_t small = taken_on_own_blocks(32, name), large = taken_on_own_blocks(600, name);
        // The map is larger by three levels of squares, each with sixteen parts beside what is
        // lifted.
        CHECK(small <= large && large - small <= 19 * 4096);
        printf("a unit of 3 x 3 cells on its own blocks takes %d bytes a query, on 600 x 600 %d\n",
               (int)(small / 19), (int)(large / 19));
    }
}

// ---- baking that is given up ----

// Free cells, among which obstacles of one cell stand in every third row and column.
static AstarFinder *new_strewn(const AstarAllocator *allocator, int side, AstarGrid **grid)
{
    AstarFinder *finder = NULL;
    CHECK(astar_grid_new(allocator, side, side, grid) == ASTAR_OK);
    for (int y = 1; y < side; y += 3)
        for (int x = 1 + y % 2; x < side; x += 3)
            CHECK(astar_grid_block(*grid, x, y, 1, 1) == ASTAR_OK);
    CHECK(astar_finder_new(*grid, NULL, &finder) == ASTAR_OK);
    return finder;
}

// Begins to bake, gives up after so many steps, and clears away in slices, each of which frees few
// bytes, until it is done or 'most' were made. Returns how many bytes the first ones freed; true in
// '*done' where baking has come to its end.
static size_t give_up_baking(AstarFinder *finder, Memory *memory, AstarBakingMethod method,
                             int steps, int most, bool *done)
{
    enum { BYTES_A_SLICE = 1024 * 1024 };
    AstarBakingOptions options = {method, SIZE_MAX, 0};
    AstarBaked *baked = NULL;
    size_t begun = memory->bytes;
    AstarStatus status = ASTAR_RUNNING;
    CHECK(astar_baking_new(finder, &options, &baked) == ASTAR_OK);
    for (int i = 0; i < steps && status == ASTAR_RUNNING; i++)
        status = astar_baking_step(baked, 64);
    *done = status != ASTAR_RUNNING;
    size_t before = memory->bytes, last = before;
    for (int i = 0; i < most && !astar_baking_clear(baked, 1); i++) {
        CHECK(last - memory->bytes <= BYTES_A_SLICE);
        last = memory->bytes;
    }
    size_t cleared = before - memory->bytes;
    astar_baked_free(baked);
    CHECK(*done || most < 1000 || last - memory->bytes <= BYTES_A_SLICE);
    CHECK(*done || memory->bytes <= begun + BYTES_A_SLICE); // what questions find there stays
    return cleared;
}

static void check_given_up(void)
{
    Memory memory = {.left = -1};
    const AstarAllocator allocator = {take_block, give_block, &memory};
    const AstarBakingMethod methods[] = {ASTAR_BAKE_LABELS, ASTAR_BAKE_HIERARCHY, ASTAR_BAKE_AUTO};
    size_t most_cleared = 0;
    for (int i = 0; i < ALL_OR_FEW(3, 2); i++) {
        bool done = false;
        for (int steps = 0; !done; steps = ALL_OR_FEW(4, 16) * steps + 1) {
            AstarGrid *grid = NULL;
            AstarFinder *finder = new_strewn(&allocator, 120, &grid);
            size_t cleared = give_up_baking(finder, &memory, methods[i], steps, 100000, &done);
            most_cleared = cleared > most_cleared ? cleared : most_cleared;
            give_up_baking(finder, &memory, methods[i], steps, 3, &done);
            astar_finder_release(finder);
            astar_grid_release(grid);
            CHECK(memory.blocks == 0 && memory.bytes == 0);
        }
    }
    CHECK(most_cleared > 2 * 1024 * 1024);
    printf("%d kB of a baking that was given up freed in slices\n", (int)(most_cleared / 1024));
}

int main(void)
{
    check_small_grids();
    check_own_blocks();
    check_given_up();
    int points = fail_first(ASTAR_NO_OFFSET, false) + fail_first(ASTAR_NO_OFFSET, true);
    points += fail_first(ASTAR_EVEN_Q, false);
    points += fail_crowd(false) + fail_crowd(true) + fail_plans();
    for (int kind = 0; kind < 26; kind++) {
        AstarOptions options = astar_options_default();
        options.diagonals = kind < 8 ? (AstarDiagonals)(kind % 4) : options.diagonals;
        options.cost = (kind >= 4 && kind < 8) || kind == 16 ? cost_of_cell : NULL;
        options.algorithm = kind == 8 || kind == 17    ? ASTAR_ASTAR
                            : kind == 9                ? ASTAR_DIJKSTRA
                            : kind == 10               ? ASTAR_JPS
                            : kind == 21 || kind == 22 ? ASTAR_JPSW
                                                       : ASTAR_AUTO;
        options.partial = kind == 11;
        if (kind == 13)
            options.algorithm = ASTAR_ASTAR;
        if (kind == 14)
            options.cost = cost_of_cell;
        options.size = kind >= 15 && kind < 25 ? 2 : 1;
        options.any_angle = kind == 2 || (kind >= 18 && kind < 23);
        options.bends = kind >= 23 ? ASTAR_BENDS_FEWEST : ASTAR_BENDS_ANY;
        options.heading = kind == 24 ? ASTAR_HEADING_WEST : ASTAR_NO_HEADING;
        bool is_uniform = kind % 2 == 0, is_layered = kind >= 12 && kind < 15;
        points += fail_everywhere(&options, is_uniform, is_layered, false);
        points += fail_everywhere(&options, is_uniform, is_layered, true);
    }
    CHECK(points > 100);
    printf("%d allocations failed\n", points);
    return report();
}
