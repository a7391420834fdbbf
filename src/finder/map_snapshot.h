// map_snapshot.h -- A snapshot of the map and the field that a finder reads.

#ifndef ASTAR_MAP_SNAPSHOT_H
#define ASTAR_MAP_SNAPSHOT_H

#include "map/clone.h"
#include "map/field.h"
#include "map/grid.h"

typedef struct AstarMapSnapshot {
    // Snapshot of the map, made in steps. The snapshot is unused if 'view' is set.
    AstarSnapshot map;
    AstarFieldCopy field; // copy of the field to avoid, made in steps
    // A view of a published map, which is entered and is used in place of a snapshot. NULL if there
    // is no view.
    AstarGrid *view;
} AstarMapSnapshot;

// Begins to copy the map and the field that a finder reads. After ASTAR_NO_MEMORY the caller must
// free 'snapshot' as well.
AstarStatus astar_map_snapshot_begin(AstarMapSnapshot *snapshot, const AstarFinder *finder);
// Continues copying. Returns ASTAR_OK once the copies agree with the present map and field. In this
// case '*out' is a finder on the copies with the options of 'finder'. Returns ASTAR_RUNNING when
// the expansions are used up.
AstarStatus astar_map_snapshot_advance(AstarMapSnapshot *snapshot, AstarFinder *finder,
                                       uint64_t expansions, AstarFinder **out);
size_t astar_map_snapshot_bytes(const AstarMapSnapshot *snapshot);
void astar_map_snapshot_free(AstarMapSnapshot *snapshot);

#endif
