// flood.h -- the connected components of set bits, by flood fill.

#ifndef FLOOD_H
#define FLOOD_H

#include "support.h"

#include "base/directions.h"

// Gives the set cells their components' numbers from 1 on, clear ones 0, in rows of 'width'.
// 'stack' has room for all cells. Returns how many components there are.
static inline int flood(const AstarBits *bits, int width, int height, bool diagonal, int *labels,
                        int *stack)
{
    int label = 0;
    for (int cell = 0; cell < width * height; cell++)
        labels[cell] = 0;
    for (int seed = 0; seed < width * height; seed++) {
        if (labels[seed] != 0 || !astar_bits_get(bits, seed % width, seed / width))
            continue;
        int count = 0;
        labels[seed] = ++label;
        for (stack[count++] = seed; count > 0;) {
            int cell = stack[--count];
            for (int d = 0; d < ASTAR_DIRECTIONS; d += diagonal ? 1 : 2) {
                int x = cell % width + astar_dx[d], y = cell / width + astar_dy[d];
                if (!is_set(bits, width, height, x, y) || labels[y * width + x] != 0)
                    continue;
                labels[y * width + x] = label;
                stack[count++] = y * width + x;
            }
        }
    }
    return label;
}

#endif
