// zigzags.h -- routes that turn no more often than they need to, where that costs nothing.

#ifndef ASTAR_ZIGZAGS_H
#define ASTAR_ZIGZAGS_H

#include "unit/finder.h"

// Takes zigzags out of a path by steps that the finder, whose tables are current, has found: its
// cost stays the same, bit for bit. For finders without callbacks.
void astar_take_out_zigzags(AstarPath *path, const AstarFinder *finder);

#endif
