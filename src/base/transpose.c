// transpose.c -- a matrix of bits turned, rows becoming columns.
//
// Squares of 64 x 64 bits are turned in six rounds: the halves across the diagonal change places,
// then those of each quarter, and so on down to single bits, a few operations on a whole word each
// (H. S. Warren, Hacker's Delight, section 7-3).

#include "base/transpose.h"

static void turn_square(uint64_t square[64])
{
    uint64_t mask = 0xFFFFFFFF;
    for (int half = 32; half > 0; half >>= 1, mask ^= mask << half)
        for (int i = 0; i < 64; i = ((i | half) + 1) & ~half) {
            uint64_t swap = (square[i] >> half ^ square[i | half]) & mask;
            square[i] ^= swap << half;
            square[i | half] ^= swap;
        }
}

void astar_bits_turn(const AstarBits *from, int rows, AstarBits *to)
{
    size_t height = (size_t)rows + 2, width = to->count / to->stride;
    for (size_t y = 0; y < height; y += 64)
        for (size_t x = 0; x < width; x += 64) {
            uint64_t square[64] = {0};
            for (size_t i = 0; i < 64 && y + i < height; i++)
                square[i] = from->words[(y + i) * from->stride + (x >> 6)];
            turn_square(square);
            for (size_t i = 0; i < 64 && x + i < width; i++)
                to->words[(x + i) * to->stride + (y >> 6)] = square[i];
        }
}
