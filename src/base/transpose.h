// transpose.h -- a matrix of bits turned, rows becoming columns.

#ifndef ASTAR_TRANSPOSE_H
#define ASTAR_TRANSPOSE_H

#include "base/bits.h"

// Writes the bits of so many of 'rows' rows from one on, which is a multiple of that number: each
// becomes a column; and the border around them.
enum { ASTAR_TURNED_ROWS = 512 };
void astar_bits_turn_rows(const AstarBits *from, int rows, AstarBits *to, int y);
// The same of a square of 64 x 64 bits only, whose first is bit x of row y, the border counted;
// both are multiples of 64.
void astar_bits_turn_square(const AstarBits *from, int rows, AstarBits *to, int x, int y);

#endif
