// flow_life.h -- How flow fields are created, restarted, computed on snapshots, and freed.

#ifndef ASTAR_FLOW_LIFE_H
#define ASTAR_FLOW_LIFE_H

#include "map/grid.h"
#include "map/snapshot.h"

// The computation of a flow on a snapshot of the map; see flow_life.c.
typedef struct AstarFlowSnapshot {
    struct AstarFlowSnapshot
        *before; // earlier computation that is over but still used by a call in progress
    AstarJobSnapshot *map;
    AstarFlow *twin;  // flow on the snapshot; NULL until the map is copied
    uint32_t at_work; // number of calls in progress that use the computation
    // True if the result of the computation is no longer needed.
    bool is_over;
} AstarFlowSnapshot;

// Restarts a flow. If 'forgets' is true, the function also discards stored results of callbacks. If
// the flow leads away from the goals of a source, the source must be up to date.
AstarStatus astar_flow_restart(AstarFlow *flow, bool forgets);
// Makes a flow lead away from the goals of 'source'. The caller's reference to 'source' now belongs
// to the flow.
void astar_flow_flee_from(AstarFlow *flow, AstarFlow *source);
// Frees the distances of a flow and everything stored with them.
void astar_flow_drop_distances(AstarFlow *flow);
// Returns true if the flow is computed on a snapshot.
bool astar_flow_is_on_snapshot(const AstarFlow *flow);
// Frees a computation on a snapshot.
void astar_flow_snapshot_free(AstarFlowSnapshot *snapshot, const AstarAllocator *allocator);
// If the start of the flow lies on blocks of the unit, replaces the finder of the flow by a copy
// that ignores these blocks.
AstarStatus astar_flow_stand(AstarFlow *flow);
// Returns true if the start of a flow lies on blocks of the unit, or did so before.
bool astar_flow_stands_among_blocks(const AstarFlow *flow);
// Creates a flow without seeds. Returns ASTAR_BAD_OPTION for a finder with a bend_cost.
AstarStatus astar_flow_make(AstarFinder *finder, double max_cost, AstarFlow **out);
// Creates a twin of a flow: a flow with the same goals whose finder belongs to a copy of the map.
AstarStatus astar_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out);
// Returns true if a flow can take the result of a twin even after its map has changed. A flow can
// do so if it does not lead away from goals and if its start does not lie on blocks of the unit.
bool astar_flow_may_have_twin(const AstarFlow *flow);
// Moves the result of a complete twin to the flow. If the flow cannot use the result, returns
// ASTAR_RUNNING and moves nothing. May return ASTAR_NO_MEMORY.
AstarStatus astar_flow_adopt(AstarFlow *flow, AstarFlow *twin);

#endif
