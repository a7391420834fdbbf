// frozen_map.h -- A snapshot of the map and the field that a finder reads.

#ifndef ASTAR_FROZEN_MAP_H
#define ASTAR_FROZEN_MAP_H

#include "map/clone.h"
#include "map/field.h"
#include "map/grid.h"

typedef struct AstarFrozenMap {
    // Snapshot of the map, made in steps; unused if 'view' is set.
    AstarSnapshot map;
    AstarFieldCopy field; // copy of the field to avoid, made in steps
    // View of a published map, entered, in place of a snapshot; NULL: none.
    AstarGrid *view;
} AstarFrozenMap;

// Begins to copy what a finder reads. After ASTAR_NO_MEMORY the caller must free 'frozen' as well.
AstarStatus astar_frozen_map_begin(AstarFrozenMap *frozen, const AstarFinder *finder);
// Continues copying. Returns ASTAR_OK once the copies agree with the present map and field, and
// stores in '*out' a finder like 'finder' on the copies. Returns ASTAR_RUNNING when the expansions
// are used up.
AstarStatus astar_frozen_map_advance(AstarFrozenMap *frozen, AstarFinder *finder,
                                     uint64_t expansions, AstarFinder **out);
size_t astar_frozen_map_bytes(const AstarFrozenMap *frozen);
void astar_frozen_map_free(AstarFrozenMap *frozen);

#endif
