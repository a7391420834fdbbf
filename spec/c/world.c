// world.c -- worlds by the C API: routes against a grid, and all of it again with each of its
// allocations failing, once or for long; what the host's functions return; cells beyond the reach.

#include "astar.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = ASTAR_CHUNK_SIDE, WIDE = 3 * SIDE };

typedef struct Memory {
    long left;   // allocations until one fails; -1: none will
    long more;   // that fail after that one
    long blocks; // that are held
    bool is_overrun;
} Memory;

// What lies behind each block: nobody is to write it.
static const char guard[16] = "beyond the block";

static void *take_block(void *context, size_t size)
{
    Memory *memory = context;
    if (memory->left == 0) {
        if (memory->more-- == 0)
            memory->left = -1;
        return NULL;
    }
    if (memory->left > 0)
        memory->left--;
    memory->blocks++;
    char *block = calloc(1, size + sizeof guard);
    memcpy(block + size, guard, sizeof guard);
    return block;
}

static void give_block(void *context, void *block, size_t size)
{
    Memory *memory = context;
    memory->is_overrun |= memcmp((char *)block + size, guard, sizeof guard) != 0;
    memory->blocks--;
    free(block);
}

// The cells of a world of 3 x 3 chunks, and how the host behaves.
typedef struct Host {
    uint8_t cells[WIDE][WIDE];
    AstarStatus answer;
    int saved;
} Host;

static void fill_host(Host *host, uint32_t seed)
{
    *host = (Host){.answer = ASTAR_OK};
    for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < WIDE; x++)
            host->cells[y][x] = random_below(&seed, 4) == 0   ? 1
                                : random_below(&seed, 5) == 0 ? 2
                                                              : 0;
    host->cells[5][5] = host->cells[WIDE - 5][WIDE - 5] = 0;
}

static AstarStatus load_chunk(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                              AstarChunkState *state)
{
    const Host *host = context;
    bool is_inside = cx >= 0 && cy >= 0 && cx < 3 && cy < 3;
    *state = is_inside ? ASTAR_CHUNK_LOADED : ASTAR_CHUNK_SOLID;
    for (int y = 0; is_inside && y < SIDE; y++)
        memcpy(terrains + y * SIDE, &host->cells[cy * SIDE + y][cx * SIDE], SIDE);
    return host->answer;
}

static AstarStatus save_chunk_of(void *context, int32_t cx, int32_t cy, const uint8_t *terrains)
{
    Host *host = context;
    for (int y = 0; y < SIDE; y++)
        memcpy(&host->cells[cy * SIDE + y][cx * SIDE], terrains + y * SIDE, SIDE);
    host->saved++;
    return host->answer;
}

// A grid of each terrain once: free, a wall, mud.
static AstarGrid *new_palette(void)
{
    AstarGrid *palette;
    int terrain;
    CHECK(astar_grid_new(NULL, 3, 1, &palette) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(palette, INFINITY, &terrain) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(palette, 2, &terrain) == ASTAR_OK);
    CHECK(astar_grid_set(palette, 1, 0, 1) == ASTAR_OK);
    CHECK(astar_grid_set(palette, 2, 0, 2) == ASTAR_OK);
    return palette;
}

static double best_on_grid(const Host *host)
{
    AstarGrid *grid;
    AstarFinder *finder;
    AstarWorkspace *workspace;
    AstarPath path;
    int terrain;
    CHECK(astar_grid_new(NULL, WIDE, WIDE, &grid) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, INFINITY, &terrain) == ASTAR_OK);
    CHECK(astar_grid_add_terrain(grid, 2, &terrain) == ASTAR_OK);
    for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < WIDE; x++)
            CHECK(astar_grid_set(grid, x, y, host->cells[y][x]) == ASTAR_OK);
    CHECK(astar_finder_new(grid, NULL, &finder) == ASTAR_OK);
    CHECK(astar_workspace_new(NULL, &workspace) == ASTAR_OK);
    astar_path_init(&path);
    CHECK(astar_find_path(workspace, finder, 5, 5, WIDE - 5, WIDE - 5, NULL, NULL, &path) ==
          ASTAR_OK);
    double cost = path.cost;
    astar_path_destroy(&path);
    astar_workspace_free(workspace);
    astar_finder_release(finder);
    astar_grid_release(grid);
    return cost;
}

// A world and what is of it, as far as they could be made.
typedef struct Life {
    AstarWorld *world;
    AstarWorldFinder *finder;
    AstarRouteSearch *search;
    AstarRoute *route;
    AstarPath path;
    int failures;
} Life;

// Makes a call again where it fails for want of memory: that leaves all as it was.
#define UNTIL_DONE(life, call)                                                                     \
    do {                                                                                           \
        AstarStatus done = (call);                                                                 \
        if (done == ASTAR_NO_MEMORY) {                                                             \
            (life)->failures++;                                                                    \
            done = (call);                                                                         \
        }                                                                                          \
        CHECK(done == ASTAR_OK);                                                                   \
    } while (0)

static void make_edits(Life *life, Host *host)
{
    UNTIL_DONE(life, astar_world_set(life->world, 70, 70, 1, host));
    UNTIL_DONE(life, astar_world_load(life->world, 60, 60, 10, 10, host));
    UNTIL_DONE(life, astar_world_block(life->world, 60, 60, 10, 10, true));
    UNTIL_DONE(life, astar_world_block(life->world, 60, 60, 10, 10, false));
    UNTIL_DONE(life, astar_world_wall(life->world, 64, 64, ASTAR_SIDE_EAST, false));
    UNTIL_DONE(life, astar_world_unwall(life->world, 64, 64, ASTAR_SIDE_EAST, false));
    UNTIL_DONE(life, astar_world_link(life->world, 6, 6, 9, 9, 1000, 1, false));
    CHECK(astar_world_unlink(life->world, 6, 6, 9, 9, false));
    UNTIL_DONE(life, astar_world_set(life->world, 70, 70, host->cells[70][70], host));
}

static double live(Memory *memory, AstarFinder *unit, Host *host, int spacing, int *failed)
{
    AstarAllocator allocator = {take_block, give_block, memory};
    AstarWorldOptions options = astar_world_options_default();
    Life life = {.failures = 0};
    options.load = load_chunk;
    options.save = save_chunk_of;
    UNTIL_DONE(&life, astar_world_new(&allocator, astar_finder_grid(unit), &options, &life.world));
    UNTIL_DONE(&life, astar_world_finder_new(life.world, unit, spacing, &life.finder));
    make_edits(&life, host);
    UNTIL_DONE(&life, astar_route_search_new(life.finder, 5, 5, WIDE - 5, WIDE - 5, &life.search));
    UNTIL_DONE(&life, astar_route_search_step(life.search, UINT64_MAX, host));
    UNTIL_DONE(&life, astar_route_search_route(life.search, &life.route));
    astar_path_init(&life.path);
    UNTIL_DONE(&life, astar_route_walk(life.route, 1000, false, host, &life.path));
    double cost = life.path.cost;
    bool is_valid = false;
    UNTIL_DONE(&life, astar_world_changed(life.world, 1, 1));
    UNTIL_DONE(&life, astar_route_check(life.route, host, &is_valid));
    CHECK(is_valid);
    CHECK(astar_route_facts(life.route).cost >= cost - 1e-6);
    astar_path_destroy(&life.path);
    astar_route_free(life.route);
    astar_route_search_free(life.search);
    astar_world_finder_release(life.finder);
    astar_world_release(life.world);
    CHECK(memory->blocks == 0);
    *failed = life.failures;
    return cost;
}

static void check_lives(AstarFinder *unit, int spacing, double most)
{
    static Host host;
    fill_host(&host, 42);
    double best = best_on_grid(&host);
    int failed = 1, points = 0;
    for (long left = 0; failed > 0; left += 1 + left / 6, points++) {
        Memory memory = {.left = left};
        double cost = live(&memory, unit, &host, spacing, &failed);
        CHECK(spacing == 1 ? fabs(cost - best) < 1e-6 * best : cost >= best - 1e-6);
        CHECK(cost <= most * best);
    }
    printf("%d allocations failed\n", points - 1);
}

// Steps a search while there is no memory, again and again: it goes on once there is.
static void check_famine(AstarFinder *unit, double most)
{
    static Host host;
    fill_host(&host, 42);
    for (int y = 0; y < WIDE; y++)
        for (int x = 0; x < WIDE; x++)
            host.cells[y][x] = host.cells[y][x] == 1; // floods over ground of one cost take none
    double best = best_on_grid(&host);
    int failed = 1;
    for (long left = 0; failed > 0; left += 1 + left / 8) {
        Memory memory = {.left = -1, .more = 300};
        AstarAllocator allocator = {take_block, give_block, &memory};
        AstarWorldOptions options = astar_world_options_default();
        AstarWorld *world;
        AstarWorldFinder *finder;
        AstarRouteSearch *search;
        AstarRoute *route;
        options.load = load_chunk;
        CHECK(astar_world_new(&allocator, astar_finder_grid(unit), &options, &world) == ASTAR_OK);
        CHECK(astar_world_finder_new(world, unit, 16, &finder) == ASTAR_OK);
        CHECK(astar_route_search_new(finder, 5, 5, WIDE - 5, WIDE - 5, &search) == ASTAR_OK);
        memory.left = left;
        AstarStatus status;
        failed = -1;
        do {
            failed++;
            status = astar_route_search_step(search, UINT64_MAX, &host);
        } while (status == ASTAR_NO_MEMORY);
        memory.left = -1;
        CHECK(status == ASTAR_OK && astar_route_search_route(search, &route) == ASTAR_OK);
        double cost = astar_route_facts(route).cost;
        CHECK(cost >= best - 1e-6 && cost <= most * best);
        astar_route_free(route);
        astar_route_search_free(search);
        astar_world_finder_release(finder);
        astar_world_release(world);
        CHECK(memory.blocks == 0 && !memory.is_overrun);
    }
}

// One whose weight is raised after so many floods is as good as the last weight says.
static void check_raised(AstarFinder *hasty, uint32_t seed, int floods, double weight)
{
    static Host host;
    fill_host(&host, seed);
    double best = best_on_grid(&host);
    AstarWorldOptions options = astar_world_options_default();
    AstarWorld *world;
    AstarWorldFinder *finder;
    AstarRouteSearch *search;
    AstarRoute *route;
    options.load = load_chunk;
    CHECK(astar_world_new(NULL, astar_finder_grid(hasty), &options, &world) == ASTAR_OK);
    CHECK(astar_world_finder_new(world, hasty, 16, &finder) == ASTAR_OK);
    CHECK(astar_route_search_new(finder, 5, 5, WIDE - 5, WIDE - 5, &search) == ASTAR_OK);
    for (int i = 0; i < floods; i++)
        CHECK(astar_route_search_step(search, 1, &host) == ASTAR_RUNNING);
    astar_route_search_raise(search, weight);
    CHECK(astar_route_search_step(search, UINT64_MAX, &host) == ASTAR_OK);
    CHECK(astar_route_search_route(search, &route) == ASTAR_OK);
    double cost = astar_route_facts(route).cost;
    CHECK(cost >= best - 1e-6 && cost <= weight * best);
    astar_route_free(route);
    astar_route_search_free(search);
    astar_world_finder_release(finder);
    astar_world_release(world);
}

enum { ROOMS = 60, ROOMS_A_ROW = 8, BETWEEN_ROOMS = 8 };

static AstarCell room_at(int number)
{
    return (AstarCell){number % ROOMS_A_ROW * BETWEEN_ROOMS, number / ROOMS_A_ROW * BETWEEN_ROOMS};
}

// A chunk of rooms with no way out.
static AstarStatus load_rooms(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                              AstarChunkState *state)
{
    (void)context;
    *state = cx == 0 && cy == 0 ? ASTAR_CHUNK_LOADED : ASTAR_CHUNK_SOLID;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            terrains[y * SIDE + x] = x % BETWEEN_ROOMS < 3 && y % BETWEEN_ROOMS < 3 ? 0 : 1;
    return ASTAR_OK;
}

// Rooms of a chunk joined one to the next by links that cost as much as thousands of millions of
// steps: more than 32 bits count, and no search may count them one by one.
static void check_costly_links(void)
{
    AstarGrid *palette = new_palette();
    AstarOptions options = astar_options_default();
    AstarWorldOptions world_options = astar_world_options_default();
    AstarFinder *unit;
    AstarWorld *world;
    AstarWorldFinder *finder;
    AstarRouteSearch *search;
    AstarRoute *route;
    options.weight = 2;
    world_options.load = load_rooms;
    CHECK(astar_grid_set_cost(palette, 0, ASTAR_COST_MIN) == ASTAR_OK);
    CHECK(astar_finder_new(palette, &options, &unit) == ASTAR_OK);
    CHECK(astar_world_new(NULL, palette, &world_options, &world) == ASTAR_OK);
    CHECK(astar_world_finder_new(world, unit, 16, &finder) == ASTAR_OK);
    for (int i = 0; i + 1 < ROOMS; i++) {
        AstarCell from = room_at(i), to = room_at(i + 1);
        CHECK(astar_world_link(world, from.x + 1, from.y + 1, to.x + 1, to.y + 1, ASTAR_COST_MAX, 0,
                               true) == ASTAR_OK);
    }
    AstarCell last = room_at(ROOMS - 1);
    CHECK(astar_route_search_new(finder, 0, 0, last.x, last.y, &search) == ASTAR_OK);
    CHECK(astar_route_search_step(search, UINT64_MAX, NULL) == ASTAR_OK);
    CHECK(astar_route_search_route(search, &route) == ASTAR_OK);
    CHECK(fabs(astar_route_facts(route).cost - (ROOMS - 1) * ASTAR_COST_MAX) < 1);
    astar_route_free(route);
    astar_route_search_free(search);
    astar_world_finder_release(finder);
    astar_world_release(world);
    astar_finder_release(unit);
    astar_grid_release(palette);
}

// A host that has something stand in its chunks: a block on the first cell, a wall east of the
// last, and a second cell that may be left only to the east.
typedef struct Furnisher {
    AstarWorld *world;
    uint8_t cells[SIDE * SIDE], exits[SIDE * SIDE];
} Furnisher;

static AstarStatus load_furnished(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                                  AstarChunkState *state)
{
    Furnisher *host = context;
    *state = ASTAR_CHUNK_LOADED;
    memset(terrains, 0, SIDE * SIDE);
    return astar_world_furnish(host->world, cx, cy, host->cells, host->exits);
}

static void check_furniture(AstarFinder *unit, long left)
{
    Memory memory = {.left = -1};
    AstarAllocator allocator = {take_block, give_block, &memory};
    AstarWorldOptions options = astar_world_options_default();
    Furnisher host = {.cells = {2}};
    uint8_t cells[SIDE * SIDE], exits[SIDE * SIDE];
    unsigned east = 1u << ASTAR_SIDE_EAST;
    int last = SIDE - 1;
    uint8_t terrain;
    host.cells[SIDE * SIDE - 1] = 1 << ASTAR_SIDE_EAST;
    host.exits[1] = (uint8_t)~east;
    options.load = load_furnished;
    CHECK(astar_world_new(&allocator, astar_finder_grid(unit), &options, &host.world) == ASTAR_OK);
    CHECK(astar_world_block(host.world, 5, 0, 1, 1, true) == ASTAR_NOT_LOADED);
    CHECK(astar_world_wall(host.world, last, 0, ASTAR_SIDE_EAST, false) == ASTAR_NOT_LOADED);
    CHECK(astar_world_restrict(host.world, 0, 0, 2, 1, east) == ASTAR_NOT_LOADED);
    CHECK(astar_world_exits(host.world, 1, 0) == 0xFF);
    memory.left = left;
    while (astar_world_load(host.world, 0, 0, 1, 1, &host) != ASTAR_OK)
        CHECK(!astar_world_is_blocked(host.world, 0, 0)); // all that stands in it or nothing
    memory.left = -1;
    CHECK(astar_world_has_wall(host.world, last, last, ASTAR_SIDE_EAST));
    CHECK(astar_world_exits(host.world, 0, 0) == 0xFF);
    CHECK(astar_world_exits(host.world, 1, 0) == east);
    CHECK(astar_world_block(host.world, 5, 0, 1, 1, true) == ASTAR_OK);
    CHECK(astar_world_restrict(host.world, 2, 0, 1, 1, 0) == ASTAR_OK);
    CHECK(astar_world_restrict(host.world, 2, 0, 1, 1, 0x100) == ASTAR_BAD_OPTION);
    CHECK(astar_world_get(host.world, SIDE, SIDE, &host, &terrain) == ASTAR_OK);
    CHECK(astar_world_is_blocked(host.world, 0, 0) && astar_world_is_blocked(host.world, 5, 0));
    CHECK(astar_world_has_wall(host.world, last, last, ASTAR_SIDE_EAST));
    CHECK(astar_world_block(host.world, 0, 0, 1, 1, false) == ASTAR_OK);
    CHECK(astar_world_changed(host.world, 0, 0) == ASTAR_OK); // it is not the first time it comes
    CHECK(astar_world_get(host.world, 0, 0, &host, &terrain) == ASTAR_OK);
    CHECK(!astar_world_is_blocked(host.world, 0, 0));
    CHECK(astar_world_exits(host.world, 2, 0) == 0); // the world has kept what is newer
    CHECK(astar_world_unrestrict(host.world, 0, 0, 3, 1) == ASTAR_OK);
    CHECK(!astar_world_furniture(host.world, 0, 0, cells, exits));
    CHECK(astar_world_furniture(host.world, 1, 1, cells, exits));
    CHECK(memcmp(cells, host.cells, sizeof cells) == 0);
    CHECK(memcmp(exits, host.exits, sizeof exits) == 0);
    CHECK(!astar_world_furniture(host.world, 7, 7, cells, exits));
    CHECK(cells[0] == 0 &&
          astar_world_furnish(host.world, 7, 7, host.cells, host.exits) == ASTAR_OK);
    CHECK(!astar_world_is_blocked(host.world, 7 * SIDE, 7 * SIDE)); // it is not being loaded
    astar_world_release(host.world);
    CHECK(memory.blocks == 0 && !memory.is_overrun);
}

// A row of open chunks, so long that squares of the upper level are crossed.
static AstarStatus load_row(void *context, int32_t cx, int32_t cy, uint8_t *terrains,
                            AstarChunkState *state)
{
    bool is_inside = cy == 0 && cx >= 0 && cx < 17;
    (void)context;
    *state = is_inside ? ASTAR_CHUNK_LOADED : ASTAR_CHUNK_SOLID;
    memset(terrains, 0, SIDE * SIDE);
    return ASTAR_OK;
}

static int cross_row(Memory *memory, AstarFinder *unit, int spacing)
{
    AstarAllocator allocator = {take_block, give_block, memory};
    AstarWorldOptions options = astar_world_options_default();
    Life life = {.failures = 0};
    options.load = load_row;
    UNTIL_DONE(&life, astar_world_new(&allocator, astar_finder_grid(unit), &options, &life.world));
    size_t empty = astar_world_bytes(life.world);
    UNTIL_DONE(&life, astar_world_finder_new(life.world, unit, spacing, &life.finder));
    UNTIL_DONE(&life, astar_route_search_new(life.finder, 0, 9, 17 * SIDE - 1, 9, &life.search));
    UNTIL_DONE(&life, astar_route_search_step(life.search, UINT64_MAX, NULL));
    UNTIL_DONE(&life, astar_route_search_route(life.search, &life.route));
    double cost = astar_route_facts(life.route).cost;
    CHECK(cost >= 17 * SIDE - 1 && cost < 1.02 * 17 * SIDE);
    astar_route_free(life.route);
    astar_route_search_free(life.search);
    astar_world_finder_release(life.finder);
    for (int cx = -9; cx < 27; cx++) // all that it holds is let go
        for (int cy = -9; cy < 9; cy++)
            CHECK(astar_world_changed(life.world, cx, cy) == ASTAR_OK);
    CHECK(astar_world_bytes(life.world) == empty);
    astar_world_release(life.world);
    CHECK(memory->blocks == 0);
    return life.failures;
}

// Over squares of both levels, or chunk by chunk.
static void check_crossings(AstarFinder *unit, int spacing)
{
    int failed = 1;
    for (long left = 0; failed > 0; left += 1 + left / 3) {
        Memory memory = {.left = left};
        failed = cross_row(&memory, unit, spacing);
    }
}

static void check_hosts(AstarFinder *unit)
{
    static Host host;
    AstarWorldOptions options = astar_world_options_default();
    AstarWorld *world;
    AstarWorldFinder *finder;
    AstarRouteSearch *search;
    uint8_t terrain;
    fill_host(&host, 7);
    options.load = load_chunk;
    CHECK(astar_world_new(NULL, astar_finder_grid(unit), &options, &world) == ASTAR_OK);
    CHECK(astar_world_finder_new(world, unit, 16, &finder) == ASTAR_OK);
    CHECK(astar_route_search_new(finder, 5, 5, WIDE - 5, WIDE - 5, &search) == ASTAR_OK);
    host.answer = ASTAR_BAD_DATA;
    CHECK(astar_route_search_step(search, 10, &host) == ASTAR_BAD_DATA);
    CHECK(astar_route_search_status(search) == ASTAR_RUNNING);
    CHECK(astar_world_get(world, 5, 5, &host, &terrain) == ASTAR_BAD_DATA);
    host.answer = ASTAR_OK;
    CHECK(astar_route_search_step(search, UINT64_MAX, &host) == ASTAR_OK);
    CHECK(astar_world_save(world, &host) == ASTAR_BAD_OPTION);
    host.cells[70][70] = 77;
    CHECK(astar_world_changed(world, 1, 1) == ASTAR_OK);
    CHECK(astar_world_get(world, 70, 70, &host, &terrain) == ASTAR_BAD_DATA);
    astar_route_search_free(search);
    astar_world_finder_release(finder);
    astar_world_release(world);
}

static void check_cells(AstarFinder *unit)
{
    int far = ASTAR_WORLD_REACH - 1;
    uint8_t terrain;
    AstarWorld *world;
    AstarWorldFinder *finder;
    AstarRouteSearch *search;
    CHECK(astar_world_new(NULL, astar_finder_grid(unit), NULL, &world) == ASTAR_OK);
    CHECK(astar_world_finder_new(world, unit, 0, &finder) == ASTAR_BAD_OPTION);
    CHECK(astar_world_finder_new(world, unit, 16, &finder) == ASTAR_OK);
    CHECK(astar_world_get(world, far + 1, 0, NULL, &terrain) == ASTAR_BAD_CELL);
    CHECK(astar_world_get(world, far, -far, NULL, &terrain) == ASTAR_OK && terrain == 255);
    CHECK(astar_world_set(world, 0, -far - 2, 0, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_world_fill(world, far, 0, 2, 1, 0, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_world_fill(world, 0, 0, 0, 1, 0, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_world_set(world, 0, 0, 3, NULL) == ASTAR_BAD_OPTION);
    CHECK(astar_world_set(world, 0, 0, 0, NULL) == ASTAR_NOT_LOADED);
    CHECK(astar_world_put(world, 20000000, 0, NULL, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_world_changed(world, 0, -20000000) == ASTAR_BAD_CELL);
    CHECK(astar_world_block(world, far, 0, 2, 1, true) == ASTAR_BAD_CELL);
    CHECK(astar_world_block(world, 0, 0, 0, 1, true) == ASTAR_BAD_CELL);
    CHECK(!astar_world_is_blocked(world, far + 5, 0));
    CHECK(astar_world_link(world, 0, 0, far + 1, 0, 1, 0, false) == ASTAR_BAD_CELL);
    CHECK(astar_world_link(world, 0, 0, 0, 0, 1, 0, false) == ASTAR_BAD_OPTION);
    CHECK(astar_world_link(world, 0, 0, 1, 0, -1, 0, false) == ASTAR_BAD_COST);
    CHECK(!astar_world_unlink(world, 0, 0, 1, 0, false));
    CHECK(astar_world_wall(world, far + 1, 0, ASTAR_SIDE_WEST, false) == ASTAR_BAD_CELL);
    CHECK(astar_world_wall(world, far, 0, ASTAR_SIDE_EAST, false) == ASTAR_NOT_LOADED);
    CHECK(astar_world_load(world, far, 0, 1, 1, NULL) == ASTAR_NOT_LOADED);
    CHECK(astar_world_load(world, far, 0, 2, 1, NULL) == ASTAR_BAD_CELL);
    CHECK(astar_world_put(world, far / SIDE, 0, NULL, NULL) == ASTAR_OK);
    CHECK(astar_world_wall(world, far, 0, ASTAR_SIDE_EAST, false) == ASTAR_OK);
    CHECK(astar_world_has_wall(world, far, 0, ASTAR_SIDE_EAST));
    CHECK(astar_world_wall(world, 0, 0, ASTAR_SIDE_NORTH_EAST, false) == ASTAR_BAD_OPTION);
    CHECK(!astar_world_has_wall(world, 0, 0, ASTAR_SIDE_EAST));
    CHECK(astar_route_search_new(finder, far + 1, 0, 0, 0, &search) == ASTAR_BAD_CELL);
    bool stopped;
    int32_t x, y;
    CHECK(astar_world_raycast(finder, far + 1, 0, 0, 0, NULL, &stopped, &x, &y) == ASTAR_BAD_CELL);
    CHECK(astar_world_raycast(finder, 0, 0, 0, far + 1, NULL, &stopped, &x, &y) == ASTAR_BAD_CELL);
    CHECK(astar_world_raycast(finder, 3, 4, 9, 9, NULL, &stopped, &x, &y) == ASTAR_OK);
    CHECK(stopped && x == 3 && y == 4);
    CHECK(astar_route_search_new(finder, 0, 0, 1, 1, &search) == ASTAR_OK);
    CHECK(astar_route_search_step(search, 1, NULL) == ASTAR_NOT_LOADED);
    astar_route_search_free(search);
    astar_world_finder_release(finder);
    astar_world_release(world);
}

int main(void)
{
    AstarGrid *palette = new_palette();
    AstarFinder *unit, *hasty;
    AstarOptions options = astar_options_default();
    options.weight = 1.2;
    CHECK(astar_finder_new(palette, NULL, &unit) == ASTAR_OK);
    CHECK(astar_finder_new(palette, &options, &hasty) == ASTAR_OK);
    check_lives(unit, 16, 1.02);
    check_lives(unit, 5, 1.02);
    check_lives(hasty, 16, 1.2);
    check_famine(unit, 1.02);
    check_famine(hasty, 1.2);
    for (int floods = 0; floods < 5; floods++) {
        check_raised(hasty, 42, floods, 1.21);
        check_raised(hasty, 43, floods, 2);
    }
    check_costly_links();
    for (long left = 0; left < 6; left++)
        check_furniture(unit, left);
    check_crossings(unit, 16);
    check_crossings(unit, 1);
    check_hosts(unit);
    check_cells(unit);
    astar_finder_release(unit);
    astar_finder_release(hasty);
    astar_grid_release(palette);
    return report();
}
