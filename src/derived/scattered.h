// scattered.h -- whether blocks are scattered over the ground, by a sample of it.

#ifndef ASTAR_SCATTERED_H
#define ASTAR_SCATTERED_H

#include "base/bits.h"

enum { ASTAR_SCATTERED_ALL = 1024 };

// Of so many free cells, those past a corner of which a way may turn, if blocks are scattered;
// else 0. Depends on nothing but the bits: the same whoever asks, and when.
uint32_t astar_scattered_turns(const AstarBits *walkable, int height);

#endif
