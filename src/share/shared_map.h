// shared_map.h -- a map that one thread edits and others read, as it was published last.

#ifndef ASTAR_SHARED_MAP_H
#define ASTAR_SHARED_MAP_H

#include "map/replica.h"

// Copies of a map at most; and marks of readers, each thread's with a lane to itself as long as
// there are enough.
enum { ASTAR_REPLICAS = 8, ASTAR_LANES = 16 };

#endif
