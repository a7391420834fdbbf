// frozen_map.h -- the map and the field that a finder reads, as they are at one moment.

#ifndef ASTAR_FROZEN_MAP_H
#define ASTAR_FROZEN_MAP_H

#include "map/clone.h"
#include "map/field.h"
#include "map/grid.h"

typedef struct AstarFrozenMap {
    AstarSnapshot map;    // being made, of a map of one's own
    AstarFieldCopy field; // the same of the field
    AstarGrid *view;      // in place of that map, entered; NULL: none
} AstarFrozenMap;

// Begins to copy what a finder reads; ASTAR_NO_MEMORY, what has begun is to be freed then, too.
AstarStatus astar_frozen_map_begin(AstarFrozenMap *frozen, const AstarFinder *finder);
// Goes on copying: ASTAR_OK once all is of one moment, this one, with a finder like that one on
// what was copied; ASTAR_RUNNING where the expansions are used up before.
AstarStatus astar_frozen_map_advance(AstarFrozenMap *frozen, AstarFinder *finder,
                                     uint64_t expansions, AstarFinder **out);
size_t astar_frozen_map_bytes(const AstarFrozenMap *frozen);
void astar_frozen_map_free(AstarFrozenMap *frozen);

#endif
