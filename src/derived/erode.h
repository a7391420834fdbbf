// erode.h -- where a square of cells is free, as bits.

#ifndef ASTAR_ERODE_H
#define ASTAR_ERODE_H

#include "base/bits.h"

// Leaves those bits set that are the north-west corner of a size x size square of set bits.
void astar_erode(AstarBits *bits, int height, int size);

// The same of up to 64 rows from y on, of one word of each; 'bits' stay as they are.
void astar_erode_words(const AstarBits *bits, int height, int size, int y, int rows, size_t word,
                       uint64_t eroded[64]);

// The last cell of the stretch of set bits that goes on from x to the east in a row, but at most
// 'limit'; x - 1 where the bit of x is not set.
int astar_stretch_east(const uint64_t *row, int x, int limit);

#endif
