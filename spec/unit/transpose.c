// transpose.c -- a matrix transposed holds the bit of (x, y) at (y, x), and nothing else.
//
// Of all pairs of sides about the ends of words, from random bits, over what was there before.

#include "base/transpose.h"
#include "support.h"

#include "base/bits.h"

#include <string.h>

static uint32_t state = 1;

// Every word of the transposed matrix: its cells, the border and what fills the last word.
static bool is_transposed(const AstarBits *from, int width, int height, const AstarBits *to)
{
    bool same = true;
    for (int row = -1; row <= width; row++)
        for (int bit = 0; bit < (int)to->stride * 64; bit++) {
            int x = row, y = bit - 1;
            bool value = astar_bits_row(to, row)[bit >> 6] >> (bit & 63) & 1;
            same = same && value == is_set(from, width, height, x, y);
        }
    return same;
}

static void test_sides(const AstarAllocator *allocator, int width, int height)
{
    AstarBits from = astar_bits_new(allocator, width, height);
    AstarBits to = astar_bits_new(allocator, height, width);
    CHECK(from.words != NULL && to.words != NULL);
    put_random_bits(&from, width, height, random_below(&state, 101), &state);
    memset(to.words, 0xA5, to.count * sizeof *to.words);
    for (int y = 0; y < height + 2; y += ASTAR_TURNED_ROWS)
        astar_bits_turn_rows(&from, height, &to, y);
    bool same = is_transposed(&from, width, height, &to);
    if (!same)
        printf("%d x %d differs\n", width, height);
    CHECK(same);
    astar_bits_free(allocator, &from);
    astar_bits_free(allocator, &to);
}

int main(void)
{
    const AstarAllocator allocator = astar_allocator(NULL);
    for (int i = 0; i < SIDES; i++)
        for (int j = 0; j < SIDES; j++)
            test_sides(&allocator, sides[i], sides[j]);
    return report();
}
