// directions.h -- the eight directions, and sets of them.
//
// Directions go clockwise from north, y down: 0 north, 1 north-east, 2 east, ... 7 north-west. The
// odd ones are diagonal, and the two cells beside a diagonal step are its neighbours in the order.
// Sets of directions are the bits of a byte, so "beside" is a rotation by one.

#ifndef ASTAR_DIRECTIONS_H
#define ASTAR_DIRECTIONS_H

#include "astar.h"

enum { ASTAR_DIRECTIONS = 8, ASTAR_STRAIGHTS = 0x55, ASTAR_DIAGONAL_MOVES = 0xAA };

// The length of a diagonal step unless told otherwise.
static const double ASTAR_SQRT2 = 1.41421356237309504880;

// Two more entries have no movement: they stand for ASTAR_FROM_NOWHERE and ASTAR_FROM_LINK
// (search/best_first.h).
static const int8_t astar_dx[ASTAR_DIRECTIONS + 2] = {0, 1, 1, 1, 0, -1, -1, -1, 0, 0};
static const int8_t astar_dy[ASTAR_DIRECTIONS + 2] = {-1, -1, 0, 1, 1, 1, 0, -1, 0, 0};

static inline unsigned astar_rotate(unsigned directions, unsigned clockwise)
{
    return (directions << clockwise | directions >> (8 - clockwise)) & 0xFF;
}

// What a step adds to the number of a cell, of so many a row.
static inline ptrdiff_t astar_step_offset(int stride, int direction)
{
    return (ptrdiff_t)astar_dy[direction] * stride + astar_dx[direction];
}

// The direction of a step by (dx, dy), each -1, 0 or 1 and not both 0.
static inline int astar_direction(int dx, int dy)
{
    static const int8_t directions[3][3] = {{7, 0, 1}, {6, -1, 2}, {5, 4, 3}};
    return directions[dy + 1][dx + 1];
}

#endif
