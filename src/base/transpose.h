// transpose.h -- a matrix of bits turned, rows becoming columns.

#ifndef ASTAR_TRANSPOSE_H
#define ASTAR_TRANSPOSE_H

#include "base/bits.h"

// Writes the bits of 'rows' rows, each of which becomes a column, and the border around them.
void astar_bits_turn(const AstarBits *from, int rows, AstarBits *to);
// The same of no more than a rectangle of cells, and what lies about it.
void astar_bits_turn_area(const AstarBits *from, int rows, AstarBits *to, int x, int y, int width,
                          int height);

#endif
