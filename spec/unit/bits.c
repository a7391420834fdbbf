// bits.c -- the matrix of bits against a plain array of bools with a border, one bit at a time.
//
// Of all widths about the ends of words, with random bits. What reads around a cell does so at
// every cell, those at the edges among them, where the border answers.

#include "support.h"

#include "base/directions.h"

#include <string.h>

enum { HEIGHT = 5, WIDEST = 130, CELLS_ACROSS = WIDEST + 2 };

static uint32_t state = 1;

static AstarBits bits;
static int width;
static bool plain[HEIGHT + 2][CELLS_ACROSS]; // with the border: (x, y) at [y + 1][x + 1]

static bool plain_at(int x, int y)
{
    return plain[y + 1][x + 1];
}

// Whether the matrix holds what the array does, border and all, and no more in its last words.
static bool is_same(void)
{
    bool same = true;
    for (int y = -1; y <= HEIGHT; y++)
        for (int bit = 0; bit < (int)bits.stride * 64; bit++) {
            bool value = astar_bits_row(&bits, y)[bit >> 6] >> (bit & 63) & 1;
            same = same && value == (bit < width + 2 && plain[y + 1][bit]);
        }
    for (int y = -1; y <= HEIGHT; y++)
        for (int x = -1; x <= width; x++)
            same = same && astar_bits_get(&bits, x, y) == plain_at(x, y);
    return same;
}

static void put_random(int percent)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < width; x++) {
            plain[y + 1][x + 1] = random_below(&state, 100) < percent;
            astar_bits_put(&bits, x, y, plain_at(x, y));
        }
}

// ---- writing ----

// Some cells of a row; true if any had the other value.
static bool put_plain_row(int x, int y, int count, bool value)
{
    bool changed = false;
    for (int i = 0; i < count; i++) {
        changed = changed || plain_at(x + i, y) != value;
        plain[y + 1][x + i + 1] = value;
    }
    return changed;
}

static void test_put_row(void)
{
    bool same = true;
    for (int i = 0; i < 300; i++) {
        int x = random_below(&state, width), y = random_below(&state, HEIGHT);
        int count = 1 + random_below(&state, width - x);
        bool value = random_below(&state, 2);
        bool changed = astar_bits_put_row(&bits, x, y, count, value);
        same = same && changed == put_plain_row(x, y, count, value);
        // Again, it changes nothing; but for a single bit in it.
        same = same && !astar_bits_put_row(&bits, x, y, count, value);
        astar_bits_put(&bits, x + random_below(&state, count), y, !value);
        same = same && astar_bits_put_row(&bits, x, y, count, value) && is_same();
    }
    CHECK(same);
}

// ---- reading ----

static bool any_plain(int x, int y, int count)
{
    for (int i = 0; i < count; i++)
        if (plain_at(x + i, y))
            return true;
    return false;
}

static void test_any(void)
{
    bool same = true;
    for (int x = 0; x < width; x++)
        for (int count = 0; count <= width - x; count++)
            same = same && astar_any_bit(&bits, x, 2, count) == any_plain(x, 2, count);
    CHECK(same);
}

static unsigned plain_three(int x, int y)
{
    return (unsigned)(plain_at(x - 1, y) | plain_at(x, y) << 1 | plain_at(x + 1, y) << 2);
}

static unsigned plain_around(int x, int y)
{
    unsigned around = 0;
    for (int d = 0; d < ASTAR_DIRECTIONS; d++)
        around |= (unsigned)plain_at(x + astar_dx[d], y + astar_dy[d]) << d;
    return around;
}

static void test_around(void)
{
    bool three = true, nine = true, around = true;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < width; x++) {
            unsigned above = plain_three(x, y - 1), beside = plain_three(x, y);
            unsigned below = plain_three(x, y + 1);
            three = three && astar_bits_three(astar_bits_row(&bits, y), x) == beside;
            nine = nine && astar_bits_nine(&bits, x, y) == (above | beside << 3 | below << 6);
            around = around && astar_bits_around(&bits, x, y) == plain_around(x, y) &&
                     astar_bits_ring(above | beside << 3 | below << 6) == plain_around(x, y);
        }
    CHECK(three);
    CHECK(nine);
    CHECK(around);
}

static void test_width(const AstarAllocator *allocator)
{
    memset(plain, 0, sizeof plain);
    bits = astar_bits_new(allocator, width, HEIGHT);
    CHECK(bits.words != NULL && bits.count == bits.stride * (HEIGHT + 2) && is_same());
    for (int percent = 0; percent <= 100; percent += 25) {
        put_random(percent);
        CHECK(is_same());
        test_any();
        test_around();
    }
    test_put_row();
    astar_bits_free(allocator, &bits);
    CHECK(bits.words == NULL);
}

// ---- words ----

static void test_bits_of_words(void)
{
    for (int i = 0; i < 64; i++) {
        uint64_t bit = (uint64_t)1 << i, below = bit - 1;
        CHECK(astar_lowest_bit(bit) == i && astar_highest_bit(bit) == i);
        CHECK(astar_lowest_bit(~below) == i && astar_highest_bit(bit | below) == i);
        CHECK(astar_count_bits(below) == (uint32_t)i &&
              astar_count_bits(~below) == (uint32_t)(64 - i));
        CHECK(astar_count_bits(bit | 1) == (i > 0 ? 2 : 1));
    }
}

static void test_no_memory(void)
{
    bool has_memory = false;
    const AstarAllocator allocator = allocator_while(&has_memory);
    AstarBits none = astar_bits_new(&allocator, 10, 10);
    CHECK(none.words == NULL);
    astar_bits_free(&allocator, &none);
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    test_bits_of_words();
    test_no_memory();
    for (int i = 0; i < SIDES; i++) {
        width = sides[i];
        test_width(&allocator);
    }
    return report();
}
