// own_blocks.h -- how a search by jumps leaves the blocks that its unit stands among.

#ifndef ASTAR_OWN_BLOCKS_H
#define ASTAR_OWN_BLOCKS_H

#include "search/search.h"

// Sets the cost from the start up to which a search by jumps goes by single steps, before its first
// expansion: below 0 where the unit has no blocks in its way, INFINITY where it cannot jump at all.
AstarStatus astar_own_blocks_measure(AstarSearch *search);

#endif
