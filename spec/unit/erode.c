// walkable.c -- where squares are free, by looking at every cell of every square.
//
// All sizes from 1 to 8 and some that cross words or the whole map, on random maps of sides about
// the ends of words; and after each flip of a bit a word of some rows.

#include "support.h"

#include "layers/walkable.h"

#include <string.h>

enum { FLIPS = 60 };

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 31, 64, 65, 100, ASTAR_MAX_SIZE};
enum { SIZES = sizeof sizes / sizeof *sizes };

static uint32_t state = 1;

static AstarBits bits, eroded;
static int width, height;

// Few bits clear where squares are large, so that some are free.
static void put_random_map(AstarBody body)
{
    int in = 1 + random_below(&state, 2 * body.width * body.height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            astar_bits_put(&bits, x, y, random_below(&state, in + 1) > 0);
}

static bool is_free(AstarBody body, int x, int y)
{
    if (body.width > width - x || body.height > height - y)
        return false;
    for (int row = y; row < y + body.height; row++)
        for (int column = x; column < x + body.width; column++)
            if (!astar_bits_get(&bits, column, row))
                return false;
    return true;
}

// ---- the whole map ----

static bool erodes(AstarBody body)
{
    memcpy(eroded.words, bits.words, bits.count * sizeof *bits.words);
    astar_erode(&eroded, height, body);
    bool same = true;
    for (int y = -1; y <= height; y++)
        for (int x = -1; x <= width; x++)
            same = same &&
                   astar_bits_get(&eroded, x, y) == (x >= 0 && y >= 0 && is_free(body, x, y));
    return same;
}

// ---- a word of some rows ----

static bool erodes_words(AstarBody body)
{
    uint64_t words[64];
    int y = random_below(&state, height), most = height - y < 64 ? height - y : 64;
    int rows = 1 + random_below(&state, most);
    size_t word = (size_t)random_below(&state, (int)bits.stride);
    astar_erode_words(&bits, height, body, y, rows, word, words);
    bool same = true;
    for (int row = 0; row < rows; row++)
        for (int bit = 0; bit < 64; bit++) {
            int x = (int)(64 * word) + bit - 1;
            bool inside = x >= 0 && x < width;
            same = same && (words[row] >> bit & 1) == (inside && is_free(body, x, y + row));
        }
    return same;
}

// With the bit set squares close, with it clear there are none.
static bool flips(AstarBody body)
{
    bool same = true;
    int flipped = width * height * body.width * body.height < 100000 ? FLIPS : 4;
    for (int i = 0; i < flipped && same; i++) {
        int x = random_below(&state, width), y = random_below(&state, height);
        astar_bits_put(&bits, x, y, !astar_bits_get(&bits, x, y));
        same = erodes_words(body);
    }
    return same;
}

// ---- stretches ----

static int plain_stretch(int x, int y, int limit)
{
    while (x <= limit && is_set(&bits, width, height, x, y))
        x++;
    return x - 1;
}

static bool stretches(void)
{
    bool same = true;
    for (int y = 0; y < height; y++)
        for (int i = 0; i < 20; i++) {
            int x = random_below(&state, width), limit = x + random_below(&state, width - x);
            same = same && astar_stretch_east(astar_bits_row(&bits, y), x, limit) ==
                               plain_stretch(x, y, limit);
        }
    return same;
}

static void test_map(const AstarAllocator *allocator)
{
    bits = astar_bits_new(allocator, width, height);
    eroded = astar_bits_new(allocator, width, height);
    CHECK(bits.words != NULL && eroded.words != NULL);
    for (int i = 0; i < 2 * SIZES; i++) { // squares, then bodies whose sides differ
        int other = i < SIZES ? i : random_below(&state, SIZES);
        AstarBody body = {sizes[i % SIZES], sizes[other]};
        put_random_map(body);
        bool same = erodes(body) && flips(body) && stretches();
        CHECK(same);
        if (!same)
            printf("size %d x %d differs on %d x %d\n", body.width, body.height, width, height);
    }
    astar_bits_free(allocator, &bits);
    astar_bits_free(allocator, &eroded);
}

// Squares wider than two words, on a map little higher than they are, with few bits clear.
static void test_large(const AstarAllocator *allocator)
{
    static const int large[] = {127, 128, 129, 191, 192, 200, ASTAR_MAX_SIZE};
    for (int i = 0; i < 7; i++) {
        width = 300;
        height = large[i] + 3;
        bits = astar_bits_new(allocator, width, height);
        eroded = astar_bits_new(allocator, width, height);
        CHECK(bits.words != NULL && eroded.words != NULL);
        put_random_bits(&bits, width, height, 100, &state);
        astar_bits_put(&bits, random_below(&state, width), random_below(&state, 3), false);
        astar_bits_put(&bits, random_below(&state, width), height - 2, false);
        AstarBody body = {large[i], large[i]};
        CHECK(erodes(body));
        CHECK(erodes_words(body));
        body.width = 1 + random_below(&state, large[i]);
        CHECK(erodes(body));
        CHECK(erodes_words(body));
        astar_bits_free(allocator, &bits);
        astar_bits_free(allocator, &eroded);
    }
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    test_large(&allocator);
    for (int i = 0; i < SIDES; i++)
        for (int j = 0; j < 4; j++) {
            width = sides[i];
            height = sides[random_below(&state, SIDES)];
            test_map(&allocator);
        }
    return report();
}
