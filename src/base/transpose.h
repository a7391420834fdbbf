// transpose.h -- Transposing a matrix of bits.

#ifndef ASTAR_TRANSPOSE_H
#define ASTAR_TRANSPOSE_H

#include "base/bits.h"

// Number of rows that are transposed at a time.
enum { ASTAR_TURNED_ROWS = 512 };
// Transposes ASTAR_TURNED_ROWS rows of 'from', beginning with row y, into columns of 'to',
// including the border. 'from' has 'rows' rows in all. y must be a multiple of ASTAR_TURNED_ROWS.
void astar_bits_turn_rows(const AstarBits *from, int rows, AstarBits *to, int y);
// Transposes only one square of 64 x 64 bits. The first bit of the square is bit x of row y. Both x
// and y include the border and are multiples of 64.
void astar_bits_turn_square(const AstarBits *from, int rows, AstarBits *to, int x, int y);

#endif
