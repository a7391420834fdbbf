// jps.c -- the nodes of searches by jumps, held against a plain array: grids of any size one
// after another, memory that runs out, and what is kept at rest.

#include "support.h"

#include "search/jump_nodes.h"

#include <string.h>

enum { MOST_SIDE = 120 };

static AstarGrid *new_grid(int width, int height)
{
    AstarGrid *grid = NULL;
    CHECK(astar_grid_new(NULL, width, height, &grid) == ASTAR_OK);
    return grid;
}

// Writes the node of a cell as far as there is memory.
static void write_node(AstarJumpNodes *nodes, const AstarAllocator *allocator, uint32_t *written,
                       uint32_t cell, uint32_t value)
{
    int x, y;
    astar_cell_xy(nodes->grid, cell, &x, &y);
    AstarJumpNode *node = astar_jump_node(nodes, cell);
    CHECK((node != NULL) == (written[cell] != 0));
    if (node == NULL)
        node = astar_jump_nodes_add(nodes, allocator, astar_jump_slot(nodes, cell, x, y), cell);
    if (node == NULL)
        return;
    node->g.whole = value;
    written[cell] = value;
    if (value % 3 == 0)
        node->cell |= ASTAR_JUMP_CLOSED;
}

static void check_nodes(const AstarJumpNodes *nodes, const uint32_t *written)
{
    for (uint32_t cell = 0; cell < nodes->grid->cells; cell++) {
        const AstarJumpNode *node = astar_jump_node(nodes, cell);
        CHECK((node != NULL) == (written[cell] != 0));
        CHECK(node == NULL || node->g.whole == written[cell]);
    }
}

static void test_grids(void)
{
    static uint32_t written[MOST_SIDE * MOST_SIDE];
    bool has_memory = true;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarJumpNodes nodes = {0};
    uint32_t seed = 3;
    for (int i = 0; i < 200; i++) {
        int width = 1 + random_below(&seed, MOST_SIDE), height = 1 + random_below(&seed, MOST_SIDE);
        AstarGrid *grid = new_grid(width, height);
        int count = random_below(&seed, 4) == 0 ? 2 * width * height : random_below(&seed, 100);
        memset(written, 0, sizeof written);
        has_memory = true;
        CHECK(astar_jump_nodes_begin(&nodes, &allocator, grid));
        for (int j = 0; j < count; j++) {
            has_memory = random_below(&seed, 4) != 0;
            write_node(&nodes, &allocator, written, (uint32_t)random_below(&seed, width * height),
                       (uint32_t)(1 + random_below(&seed, 1000)));
        }
        check_nodes(&nodes, written);
        if (random_below(&seed, 2) == 0)
            astar_jump_nodes_rest(&nodes, &allocator);
        astar_grid_release(grid);
    }
    astar_jump_nodes_free(&nodes, &allocator);
    CHECK(astar_jump_nodes_bytes(&nodes) == 0);
}

static void test_no_memory(void)
{
    bool has_memory = false;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarJumpNodes nodes = {0};
    AstarGrid *grid = new_grid(10, 10);
    CHECK(!astar_jump_nodes_begin(&nodes, &allocator, grid));
    astar_jump_nodes_rest(&nodes, &allocator);
    has_memory = true;
    CHECK(astar_jump_nodes_begin(&nodes, &allocator, grid));
    has_memory = false;
    CHECK(astar_jump_nodes_add(&nodes, &allocator, astar_jump_slot(&nodes, 5, 5, 0), 5) == NULL);
    CHECK(astar_jump_node(&nodes, 5) == NULL);
    astar_jump_nodes_free(&nodes, &allocator);
    astar_grid_release(grid);
}

// Many nodes get their room a little at a time, with memory that runs out, and one who looks at
// them in between finds all.
static void test_crowds(void)
{
    static uint32_t written[600 * 600];
    bool has_memory = true;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarJumpNodes nodes = {0};
    AstarGrid *grid = new_grid(600, 600);
    uint32_t seed = 9;
    int crowded = 0, longest = 0, parts = 0;
    for (int round = 0; round < 2; round++) {
        memset(written, 0, sizeof written);
        has_memory = true;
        CHECK(astar_jump_nodes_begin(&nodes, &allocator, grid));
        for (int i = 0; i < 600 * 600; i++) {
            has_memory = random_below(&seed, 10) != 0;
            if (nodes.count >= nodes.crowd) {
                parts += astar_jump_nodes_make_room(&nodes, &allocator);
                crowded++;
                if (random_below(&seed, 2000) == 0) {
                    astar_jump_nodes_finish_table(&nodes);
                    check_nodes(&nodes, written);
                }
                continue;
            }
            longest = parts > longest ? parts : longest;
            parts = 0;
            write_node(&nodes, &allocator, written, (uint32_t)random_below(&seed, 600 * 600),
                       (uint32_t)(1 + random_below(&seed, 1000)));
        }
        check_nodes(&nodes, written);
    }
    CHECK(crowded > 1000 && longest > 500);                  // else nothing was tested
    CHECK(astar_jump_nodes_begin(&nodes, &allocator, grid)); // in the midst of it, too
    astar_jump_nodes_free(&nodes, &allocator);
    CHECK(astar_jump_nodes_bytes(&nodes) == 0);
    astar_grid_release(grid);
}

// How many slots are looked at for a cell's node.
static size_t looks_for(const AstarJumpNodes *nodes, int x, int y)
{
    const uint32_t *slot = astar_jump_slot(nodes, astar_cell(nodes->grid, x, y), x, y);
    size_t looks = 1;
    for (uint32_t at = astar_jump_home(nodes, x, y); &nodes->table[at] != slot; looks++)
        at = astar_jump_next_slot(nodes, at);
    return looks;
}

// Along the borders of patches all cells of a tile have nodes, and those are found soon.
static void test_borders(void)
{
    enum { SIDE = 512, PATCH = 20, BORDER = 2 };
    bool has_memory = true;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarJumpNodes nodes = {0};
    AstarGrid *grid = new_grid(SIDE, SIDE);
    size_t looks = 0;
    CHECK(astar_jump_nodes_begin(&nodes, &allocator, grid));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            if (x % PATCH >= BORDER && y % PATCH >= BORDER)
                continue;
            uint32_t cell = astar_cell(grid, x, y);
            looks += looks_for(&nodes, x, y);
            CHECK(astar_jump_nodes_add(&nodes, &allocator, astar_jump_slot(&nodes, cell, x, y),
                                       cell) != NULL);
        }
    CHECK(looks < 3 * nodes.count);
    astar_jump_nodes_free(&nodes, &allocator);
    astar_grid_release(grid);
}

static void fill(AstarJumpNodes *nodes, const AstarAllocator *allocator, const AstarGrid *grid,
                 uint32_t count)
{
    CHECK(astar_jump_nodes_begin(nodes, allocator, grid));
    for (uint32_t cell = 0; cell < count; cell++) {
        int x, y;
        astar_cell_xy(grid, cell, &x, &y);
        CHECK(astar_jump_nodes_add(nodes, allocator, astar_jump_slot(nodes, cell, x, y), cell) !=
              NULL);
    }
}

// What most searches need is kept, of more no more than that; and what is kept serves the next.
static void test_rest(void)
{
    bool has_memory = true;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarJumpNodes nodes = {0};
    AstarGrid *grid = new_grid(1500, 1500);
    const uint32_t counts[] = {20000, 100000, grid->cells, 100, 20000, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        has_memory = true;
        fill(&nodes, &allocator, grid, counts[i]);
        size_t before = astar_jump_nodes_bytes(&nodes);
        has_memory = i != 5; // none to keep either
        astar_jump_nodes_rest(&nodes, &allocator);
        size_t kept = astar_jump_nodes_bytes(&nodes);
        CHECK(kept <= 768 * 1024 && (counts[i] > 20000 || kept == before));
        CHECK(i != 5 || kept == 0);
    }
    has_memory = true;
    fill(&nodes, &allocator, grid, 5000);
    for (uint32_t cell = 0; cell < 6000; cell++)
        CHECK((astar_jump_node(&nodes, cell) != NULL) == (cell < 5000));
    astar_jump_nodes_free(&nodes, &allocator);
    astar_grid_release(grid);
}

int main(void)
{
    test_grids();
    test_no_memory();
    test_crowds();
    test_borders();
    test_rest();
    return report();
}
