// components.c -- two cells have the same label exactly where flood fill gets from one to the
// other.
//
// On random maps of sides about those of tiles, from empty to full, checkerboards and combs among
// them, as they are built and after each of many flips. (That repairs give what is built anew is
// repairs.c's to show.) And so with a patch, which leaves alone what it adds to.

#include "flood.h"

#include "derived/component_patch.h"
#include "derived/layer.h"
#include "map/grid.h"

#include <string.h>

enum { MAPS = 120, FLIPS = 40, MOST_CELLS = 130 * 130 };

static uint32_t state;

static AstarGrid *grid;
static AstarBits bits;
static int labels[MOST_CELLS], stack[MOST_CELLS];

static void need(AstarStatus status)
{
    if (status == ASTAR_OK)
        return;
    printf("%s\n", astar_status_text(status));
    exit(1);
}

// Whether the labels tell cells apart as flood fill does.
static bool agrees(AstarComponents *components, bool diagonal)
{
    static uint32_t label_of[MOST_CELLS + 1];
    static int flooded[MOST_CELLS * 4 + 20 * 20 * 9];
    int count = flood(&bits, grid->width, grid->height, diagonal, labels, stack);
    for (int i = 0; i <= count; i++)
        label_of[i] = UINT32_MAX;
    memset(flooded, 0, sizeof flooded);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            int component = labels[astar_cell(grid, x, y)];
            if (component == 0)
                continue;
            uint32_t label = astar_components_label(components, x, y);
            if (label_of[component] == UINT32_MAX && flooded[label] == 0) {
                label_of[component] = label;
                flooded[label] = component;
            }
            if (label_of[component] != label || flooded[label] != component)
                return false;
        }
    return true;
}

// ---- maps ----

static bool value_of(int kind, int percent, int x, int y)
{
    switch (kind) {
    case 0: return (x + y) % 2 == 0;                       // as many components as there can be
    case 1: return x % 2 == 0 || y == 0;                   // one, of many parts in each tile
    case 2: return y % 2 == 0 || (x == 0) == (y % 4 == 1); // a long corridor
    default: return random_below(&state, 100) < percent;
    }
}

static void new_map(void)
{
    static const int lengths[] = {1, 2, 5, 15, 16, 17, 31, 32, 33, 48, 62, 64, 66, 130};
    int width = lengths[random_below(&state, 14)], height = lengths[random_below(&state, 14)];
    need(astar_grid_new(NULL, width, height, &grid));
    bits = astar_bits_new(&grid->allocator, width, height);
    need(bits.words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY);
    int kind = random_below(&state, 8), percent = random_below(&state, 101);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            astar_bits_put(&bits, x, y, value_of(kind, percent, x, y));
}

static void flip(AstarComponents *components)
{
    int x = random_below(&state, grid->width), y = random_below(&state, grid->height);
    astar_bits_put(&bits, x, y, !astar_bits_get(&bits, x, y));
    astar_components_edited(components, x, y, 1, 1);
}

// Brings components up to date and compares them.
static bool is_right(AstarComponents *components, bool diagonal)
{
    need(astar_components_advance(components, &bits, &(int64_t){ASTAR_ALL_WORK}));
    return !components->stale && agrees(components, diagonal);
}

static bool test_map(bool diagonal)
{
    AstarComponents *components;
    need(astar_components_new(grid, diagonal, &components));
    bool right = is_right(components, diagonal);
    int every = 1 + grid->width * grid->height / 500;
    for (int i = 0; i < FLIPS && right; i++) {
        flip(components);
        if (i % every == 0)
            right = is_right(components, diagonal);
    }
    astar_components_free(components);
    return right;
}

// Sets some of the clear bits in a rectangle.
static void set_some(int x, int y, int width, int height)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            if (random_below(&state, 2) == 0)
                astar_bits_put(&bits, column, row, true);
}

// Bits are set in a rectangle: a patch tells cells apart by them, what it adds to as before.
static bool test_patch(bool diagonal)
{
    AstarComponents *components, *patched;
    need(astar_components_new(grid, diagonal, &components));
    need(astar_components_advance(components, &bits, &(int64_t){ASTAR_ALL_WORK}));
    AstarBits before = bits;
    bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    need(bits.words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY);
    for (size_t i = 0; i < bits.count; i++)
        bits.words[i] = before.words[i];
    int x = random_below(&state, grid->width), y = random_below(&state, grid->height);
    int width = 1 + random_below(&state, grid->width - x < 20 ? grid->width - x : 20);
    int height = 1 + random_below(&state, grid->height - y < 20 ? grid->height - y : 20);
    set_some(x, y, width, height);
    need(astar_component_patch_new(components, &before, &bits, x, y, width, height, &patched));
    bool right = agrees(patched, diagonal);
    right = right && astar_components_bytes(patched) <=
                         sizeof *patched + sizeof *patched->patch + (size_t)(width * height) * 72;
    astar_bits_free(&grid->allocator, &bits);
    bits = before;
    right = right && agrees(components, diagonal);
    astar_components_free(patched);
    astar_components_free(components);
    return right;
}

int main(void)
{
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        state = seed;
        new_map();
        for (int diagonal = 0; diagonal <= 1; diagonal++) {
            bool right = test_patch(diagonal) && test_map(diagonal);
            CHECK(right);
            if (!right)
                printf("the map of seed %u differs\n", (unsigned)seed);
        }
        astar_bits_free(&grid->allocator, &bits);
        astar_grid_release(grid);
    }
    return report();
}
