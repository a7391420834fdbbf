// transpose.c -- a matrix of bits turned, rows becoming columns.
//
// Squares of 64 x 64 bits are turned in six rounds: the halves across the diagonal change places,
// then those of each quarter, and so on down to single bits, a few operations on a whole word each
// (H. S. Warren, Hacker's Delight, section 7-3). Rows that are far apart in memory are written side
// by side, so squares are taken in blocks as wide and high as a cache line has bits: each line is
// read, and written, once.

#include "base/transpose.h"

enum { BLOCK = 512 }; // bits a side: a line of each row

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

// Turns the square whose first bit is bit x of row y, both counted with the border.
static void turn_square_at(const AstarBits *from, size_t rows, AstarBits *to, size_t x, size_t y)
{
    size_t columns = to->count / to->stride;
    uint64_t square[64] = {0};
    for (size_t i = 0; i < 64 && y + i < rows; i++)
        square[i] = from->words[(y + i) * from->stride + (x >> 6)];
    turn_square(square);
    for (size_t i = 0; i < 64 && x + i < columns; i++)
        to->words[(x + i) * to->stride + (y >> 6)] = square[i];
}

// Turns the squares about the bits (x0, y0) to (x1, y1), by blocks whose lines stay in the cache.
static void turn_squares(const AstarBits *from, size_t rows, AstarBits *to, size_t x0, size_t y0,
                         size_t x1, size_t y1)
{
    for (size_t block_y = y0 & ~(size_t)63; block_y <= y1; block_y += BLOCK)
        for (size_t block_x = x0 & ~(size_t)63; block_x <= x1; block_x += BLOCK)
            for (size_t y = block_y; y < block_y + BLOCK && y <= y1; y += 64)
                for (size_t x = block_x; x < block_x + BLOCK && x <= x1; x += 64)
                    turn_square_at(from, rows, to, x, y);
}

void astar_bits_turn(const AstarBits *from, int rows, AstarBits *to)
{
    turn_squares(from, (size_t)rows + 2, to, 0, 0, to->count / to->stride - 1, (size_t)rows + 1);
}

void astar_bits_turn_area(const AstarBits *from, int rows, AstarBits *to, int x, int y, int width,
                          int height)
{
    turn_squares(from, (size_t)rows + 2, to, (size_t)x + 1, (size_t)y + 1, (size_t)(x + width),
                 (size_t)(y + height));
}
