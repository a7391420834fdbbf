// pages.c -- what is written on pages, held against a plain array: maps of any size one after
// another, memory that runs out, and what is kept at rest.

#include "support.h"

#include "base/pages.h"

#include <math.h>
#include <string.h>

enum { MOST_SIDE = 150 };

typedef struct Written {
    uint8_t states[MOST_SIDE * MOST_SIDE];
    double values[MOST_SIDE * MOST_SIDE];
} Written;

static void check_all(const AstarPages *pages, const Written *written, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int cell = y * width + x;
            CHECK(astar_pages_state(pages, x, y) == written->states[cell]);
            CHECK(written->states[cell] == 0 ||
                  astar_pages_value(pages, x, y) == written->values[cell]);
            CHECK(written->states[cell] != 0 || isinf(astar_pages_value(pages, x, y)));
        }
}

// Writes a cell as far as there is memory.
static void write_cell(AstarPages *pages, const AstarAllocator *allocator, Written *written,
                       int width, int x, int y, uint32_t *seed)
{
    AstarPage *page = astar_page_for(pages, allocator, x, y);
    if (page == NULL)
        return;
    unsigned place = astar_page_place(x, y);
    int cell = y * width + x;
    written->states[cell] = page->states[place] = (uint8_t)(1 + random_below(seed, 255));
    written->values[cell] = page->values[place] = random_below(seed, 1000);
}

static void test_map(AstarPages *pages, const AstarAllocator *allocator, bool *has_memory,
                     uint32_t *seed)
{
    static Written written;
    int width = 1 + random_below(seed, MOST_SIDE), height = 1 + random_below(seed, MOST_SIDE);
    int count = random_below(seed, 3) == 0 ? width * height : random_below(seed, 40);
    memset(&written, 0, sizeof written);
    *has_memory = true;
    CHECK(astar_pages_begin(pages, allocator, width, height));
    for (int i = 0; i < count; i++) {
        *has_memory = random_below(seed, 8) != 0;
        write_cell(pages, allocator, &written, width, random_below(seed, width),
                   random_below(seed, height), seed);
    }
    check_all(pages, &written, width, height);
    if (random_below(seed, 2) == 0)
        astar_pages_rest(pages, allocator);
}

static void test_maps(void)
{
    bool has_memory = true;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarPages pages = {0};
    uint32_t seed = 5;
    for (int i = 0; i < 300; i++)
        test_map(&pages, &allocator, &has_memory, &seed);
    astar_pages_free(&pages, &allocator);
    CHECK(astar_pages_bytes(&pages) == 0);
}

static void test_no_memory(void)
{
    bool has_memory = false;
    AstarAllocator allocator = {allocate_if, release_any, &has_memory};
    AstarPages pages = {0};
    CHECK(!astar_pages_begin(&pages, &allocator, 100, 100));
    astar_pages_rest(&pages, &allocator);
    has_memory = true;
    CHECK(astar_pages_begin(&pages, &allocator, 100, 100));
    has_memory = false;
    CHECK(astar_page_for(&pages, &allocator, 50, 50) == NULL);
    CHECK(astar_pages_state(&pages, 50, 50) == 0);
    CHECK(!astar_pages_begin(&pages, &allocator, 1000, 1000));
    astar_pages_free(&pages, &allocator);
}

// Touches every block of a map; how many bytes that takes.
static size_t bytes_of_flood(AstarPages *pages, const AstarAllocator *allocator, int side)
{
    CHECK(astar_pages_begin(pages, allocator, side, side));
    for (int y = 0; y < side; y += ASTAR_PAGE_SIDE)
        for (int x = 0; x < side; x += ASTAR_PAGE_SIDE)
            CHECK(astar_page_for(pages, allocator, x, y) != NULL);
    return astar_pages_bytes(pages);
}

// What a map of middling size takes stays; much more than that goes.
static void test_rest(void)
{
    AstarAllocator allocator = astar_allocator(NULL);
    AstarPages pages = {0};
    size_t small = bytes_of_flood(&pages, &allocator, 1024);
    CHECK(small < 1024 * 1024 * 10);
    astar_pages_rest(&pages, &allocator);
    CHECK(astar_pages_bytes(&pages) == small);
    CHECK(bytes_of_flood(&pages, &allocator, 1024) == small);
    size_t large = bytes_of_flood(&pages, &allocator, 4096);
    astar_pages_rest(&pages, &allocator);
    CHECK(large > 4096 * 4096 * 9 && astar_pages_bytes(&pages) < 40 * 1024 * 1024);
    CHECK(bytes_of_flood(&pages, &allocator, 1024) < 40 * 1024 * 1024);
    astar_pages_free(&pages, &allocator);
}

int main(void)
{
    test_maps();
    test_no_memory();
    test_rest();
    return report();
}
