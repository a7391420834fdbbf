// frozen_map.h -- the map and the field that a finder reads, as they are at one moment.

#ifndef ASTAR_FROZEN_MAP_H
#define ASTAR_FROZEN_MAP_H

#include "map/replica.h"
#include "unit/finder.h"

typedef struct AstarFrozenMap {
    AstarSnapshot map;    // being made, of a map of one's own
    AstarFieldCopy field; // the same of the field
    AstarGrid *view;      // in place of that map, entered; NULL: none
} AstarFrozenMap;

// Begins to copy what a finder reads; ASTAR_NO_MEMORY, what has begun is to be freed then, too.
AstarStatus astar_frozen_map_begin(AstarFrozenMap *frozen, const AstarFinder *finder);
// Goes on copying: ASTAR_OK once all is of one moment, this one; ASTAR_RUNNING where the work is
// used up before.
AstarStatus astar_frozen_map_advance(AstarFrozenMap *frozen, int64_t *work);
// A finder like another on what was copied.
AstarStatus astar_frozen_map_finder(const AstarFrozenMap *frozen, AstarFinder *like,
                                    AstarFinder **out);
size_t astar_frozen_map_bytes(const AstarFrozenMap *frozen);
void astar_frozen_map_free(AstarFrozenMap *frozen);

#endif
