// own_blocks.h -- how a search by jumps leaves the blocks that its unit stands among.

#ifndef ASTAR_OWN_BLOCKS_H
#define ASTAR_OWN_BLOCKS_H

#include "search/search.h"

// Stores the cost from the start up to which a search is to go by single steps, before its first
// expansion: below 0 where the unit has no blocks in its way, INFINITY where it cannot jump at all.
AstarStatus astar_own_blocks_measure(const AstarSearch *search, double *up_to);

#endif
