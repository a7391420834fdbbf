// directions.h -- The eight directions, and sets of them.
//
// Directions are numbered clockwise from north, with y downwards: 0 north, 1 north-east, 2 east,
// ... 7 north-west. Odd directions are diagonal. The two cells beside a diagonal step lie in the
// directions before and after it. A set of directions is a byte with one bit for each, so that
// "beside" is a rotation by one.

#ifndef ASTAR_DIRECTIONS_H
#define ASTAR_DIRECTIONS_H

#include "astar.h"

// The number of directions, and the sets of straight and of diagonal directions.
enum { ASTAR_DIRECTIONS = 8, ASTAR_STRAIGHTS = 0x55, ASTAR_DIAGONAL_MOVES = 0xAA };

// Default length of a diagonal step.
static const double ASTAR_SQRT2 = 1.41421356237309504880;

// The change of x and of y by a step in each direction. The last two entries belong to
// ASTAR_FROM_NOWHERE and ASTAR_FROM_LINK (search/best_first.h), which are not directions.
static const int8_t astar_dx[ASTAR_DIRECTIONS + 2] = {0, 1, 1, 1, 0, -1, -1, -1, 0, 0};
static const int8_t astar_dy[ASTAR_DIRECTIONS + 2] = {-1, -1, 0, 1, 1, 1, 0, -1, 0, 0};

// Returns a set of directions rotated clockwise.
static inline unsigned astar_rotate(unsigned directions, unsigned clockwise)
{
    return (directions << clockwise | directions >> (8 - clockwise)) & 0xFF;
}

// Returns the difference between the numbers of two cells that are joined by a step, on a map with
// 'stride' cells per row.
static inline ptrdiff_t astar_step_offset(int stride, int direction)
{
    return (ptrdiff_t)astar_dy[direction] * stride + astar_dx[direction];
}

// Returns the direction of a step by (dx, dy). Each is -1, 0 or 1, and they are not both 0.
static inline int astar_direction(int dx, int dy)
{
    static const int8_t directions[3][3] = {{7, 0, 1}, {6, -1, 2}, {5, 4, 3}};
    return directions[dy + 1][dx + 1];
}

#endif
