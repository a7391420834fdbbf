// erode.h -- where a square of cells is free, as bits.

#ifndef ASTAR_ERODE_H
#define ASTAR_ERODE_H

#include "base/bits.h"

// Leaves those bits set that are the north-west corner of a size x size square of set bits.
void astar_erode(AstarBits *bits, int height, int size);

// Some cells of a row, from 'first' to 'last'; none where first > last.
typedef struct AstarSpan {
    int first, last;
} AstarSpan;

// Of the squares that cover (x, y) and lie on the grid, those that are free: stores for each row of
// corners, from y - size + 1 (or 0) to y, the corners. Returns how many rows there are.
int astar_erode_around(const AstarBits *bits, int height, int size, int x, int y,
                       AstarSpan spans[ASTAR_MAX_SIZE]);

// The last cell of the stretch of set bits that goes on from x to the east in a row, but at most
// 'limit'; x - 1 where the bit of x is not set.
int astar_stretch_east(const uint64_t *row, int x, int limit);

#endif
