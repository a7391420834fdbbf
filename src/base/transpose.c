// transpose.c -- Transposing a matrix of bits.
//
// A square of 64 x 64 bits is transposed in six rounds. The first round swaps two quarters across
// the diagonal, the next round does the same within each quarter, and so on down to single bits.
// Each round takes a few operations per word (H. S. Warren, Hacker's Delight, section 7-3). The
// results are written to rows that are far apart in memory. Squares are therefore processed in
// blocks as wide and high as a cache line has bits, so that each line is read and written once.

#include "base/transpose.h"

#include "base/bits.h"

enum { BLOCK = ASTAR_TURNED_ROWS }; // bits per side of a block: a cache line of each row

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

void astar_bits_turn_square(const AstarBits *from, int rows, AstarBits *to, int x, int y)
{
    size_t first_x = (size_t)x, first_y = (size_t)y, columns = to->count / to->stride;
    uint64_t square[64] = {0};
    for (size_t i = 0; i < 64 && first_y + i < (size_t)rows + 2; i++)
        square[i] = from->words[(first_y + i) * from->stride + (first_x >> 6)];
    turn_square(square);
    for (size_t i = 0; i < 64 && first_x + i < columns; i++)
        to->words[(first_x + i) * to->stride + (first_y >> 6)] = square[i];
}

void astar_bits_turn_rows(const AstarBits *from, int rows, AstarBits *to, int y)
{
    int height = rows + 2, width = (int)(to->count / to->stride);
    for (int block_x = 0; block_x < width; block_x += BLOCK)
        for (int square_y = y; square_y < y + BLOCK && square_y < height; square_y += 64)
            for (int x = block_x; x < block_x + BLOCK && x < width; x += 64)
                astar_bits_turn_square(from, rows, to, x, square_y);
}
