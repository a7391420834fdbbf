// components.c -- two cells have the same label exactly where flood fill gets from one to the
// other.
//
// On random maps of sides about those of tiles, from empty to full, checkerboards and combs among
// them, as they are built and after each of many flips. (That repairs give what is built anew is
// repairs.c's to show.) And so with a patch, which leaves alone what it adds to; and on a few maps
// of several levels of squares, of which rectangles are edited.

#include "flood.h"

#include "layers/components.h"
#include "layers/layer.h"
#include "map/grid.h"

#include <string.h>

enum { MAPS = 120, FLIPS = 40, LARGE_MAPS = 8, ROUNDS = 12, MOST_CELLS = 300 * 300 };

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

static void new_map(int width, int height)
{
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

// Flips some of the bits in a rectangle, or clears all.
static void change_some(const AstarRectangle *r, bool is_barred)
{
    for (int row = r->y; row < r->y + r->height; row++)
        for (int column = r->x; column < r->x + r->width; column++)
            if (is_barred || random_below(&state, 2) == 0)
                astar_bits_put(&bits, column, row,
                               !is_barred && !astar_bits_get(&bits, column, row));
}

static bool overlay_agrees(const AstarComponents *components, const AstarBits *given,
                           const AstarComponentOverlay *changed, bool diagonal)
{
    AstarComponents *over;
    need(astar_components_over(components, given, changed, &over));
    bool right = agrees(over, diagonal) && astar_components_bytes(over) > sizeof *over;
    int cells = grid->width * grid->height, x, y;
    for (int cell = random_below(&state, cells); cell < cells && right; cell += 1 + cells / 7) {
        uint64_t count = 0;
        for (int i = 0; i < cells && astar_bits_get(&bits, cell % grid->width, cell / grid->width);
             i++) {
            x = i % grid->width;
            y = i / grid->width;
            count += astar_bits_get(&bits, x, y) &&
                     astar_components_join(over, cell % grid->width, cell / grid->width, x, y);
        }
        right = count == 0 ||
                count == astar_components_count(over, cell % grid->width, cell / grid->width);
    }
    astar_components_free(over);
    return right;
}

// Bits change in rectangles: an overlay tells cells apart by them, what it is over as before.
static bool test_overlay(bool diagonal, bool is_barred)
{
    AstarComponents *components;
    need(astar_components_new(grid, diagonal, &components));
    need(astar_components_advance(components, &bits, &(int64_t){ASTAR_ALL_WORK}));
    AstarBits before = bits;
    bits = astar_bits_new(&grid->allocator, grid->width, grid->height);
    need(bits.words != NULL ? ASTAR_OK : ASTAR_NO_MEMORY);
    for (size_t i = 0; i < bits.count; i++)
        bits.words[i] = before.words[i];
    AstarRectangle changed[3];
    for (int i = 0; i < 3; i++) {
        int x = random_below(&state, grid->width), y = random_below(&state, grid->height);
        int most = random_below(&state, 4) == 0 ? 60 : 3;
        int across = grid->width - x, down = grid->height - y;
        changed[i] = (AstarRectangle){x, y, 1 + random_below(&state, across < most ? across : most),
                                      1 + random_below(&state, down < most ? down : most)};
        change_some(&changed[i], is_barred);
    }
    AstarComponentOverlay overlay = {.changed = changed, .count = 3, .is_barred = is_barred};
    bool right = overlay_agrees(components, is_barred ? &before : &bits, &overlay, diagonal);
    astar_bits_free(&grid->allocator, &bits);
    bits = before;
    right = right && agrees(components, diagonal);
    astar_components_free(components);
    return right;
}

// Tells little by little, too, as a job does that is broken off.
static bool test_large_map(bool diagonal)
{
    AstarComponents *components;
    need(astar_components_new(grid, diagonal, &components));
    bool right = is_right(components, diagonal);
    for (int round = 0; round < ROUNDS && right; round++) {
        for (int i = random_below(&state, 3); i >= 0; i--) {
            int x = random_below(&state, grid->width - 60),
                y = random_below(&state, grid->height - 60);
            AstarRectangle r = {x, y, 1 + random_below(&state, 60), 1 + random_below(&state, 60)};
            change_some(&r, random_below(&state, 3) == 0);
            astar_components_edited(components, r.x, r.y, r.width, r.height);
        }
        if (round % 2 == 0) {
            (void)astar_components_advance(components, &bits, &(int64_t){2000});
            flip(components);
        }
        right = is_right(components, diagonal);
    }
    astar_components_free(components);
    return right;
}

static void free_map(void)
{
    astar_bits_free(&grid->allocator, &bits);
    astar_grid_release(grid);
}

int main(void)
{
    static const int lengths[] = {1, 2, 5, 15, 16, 17, 31, 32, 33, 48, 62, 64, 66, 130};
    for (uint32_t seed = 1; seed <= MAPS; seed++) {
        state = seed;
        int width = lengths[random_below(&state, 14)], height = lengths[random_below(&state, 14)];
        new_map(width, height);
        for (int diagonal = 0; diagonal <= 1; diagonal++) {
            bool right = test_overlay(diagonal, false) && test_overlay(diagonal, true) &&
                         test_map(diagonal);
            CHECK(right);
            if (!right)
                printf("the map of seed %u differs\n", (unsigned)seed);
        }
        free_map();
    }
    for (uint32_t seed = 1; seed <= LARGE_MAPS; seed++) {
        state = seed;
        new_map(300 - (int)seed, 257 + (int)seed);
        CHECK(test_large_map(false) && test_large_map(true));
        free_map();
    }
    return report();
}
