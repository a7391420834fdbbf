// transpose.h -- Transposing a matrix of bits.

#ifndef ASTAR_TRANSPOSE_H
#define ASTAR_TRANSPOSE_H

#include "base/bits.h"

// Number of rows that are transposed at a time.
enum { ASTAR_TURNED_ROWS = 512 };
// Transposes ASTAR_TURNED_ROWS of the 'rows' rows of 'from', beginning with row y, into columns of
// 'to', with the border around them. y must be a multiple of ASTAR_TURNED_ROWS.
void astar_bits_turn_rows(const AstarBits *from, int rows, AstarBits *to, int y);
// Transposes a square of 64 x 64 bits only. Its first bit is bit x of row y, counting the border; x
// and y are multiples of 64.
void astar_bits_turn_square(const AstarBits *from, int rows, AstarBits *to, int x, int y);

#endif
