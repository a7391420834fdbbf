// flow_life.h -- flow fields: what they are made of, how they are made and freed.

#ifndef ASTAR_FLOW_LIFE_H
#define ASTAR_FLOW_LIFE_H

#include "finder/frozen_map.h"
#include "map/grid.h"

// A copy of its map on which a flow is worked out, see flow_life.c.
typedef struct AstarFrozenFlow {
    struct AstarFrozenFlow *before; // is over, but at work
    AstarFrozenMap map;
    AstarFlow *twin;  // NULL until the map is copied
    uint32_t at_work; // steps under way
    bool is_over;
} AstarFrozenFlow;

// Begins anew; callbacks' answers are forgotten if 'forgets'. What it flees from must be current.
AstarStatus astar_flow_restart(AstarFlow *flow, bool forgets);
// Has a flow flee from another, whose reference it takes.
void astar_flow_flee_from(AstarFlow *flow, AstarFlow *source);
// Gives back the memory of distances, and of all that goes with them.
void astar_flow_drop_distances(AstarFlow *flow);
// Whether it is worked out on a copy of its map.
bool astar_flow_is_frozen(const AstarFlow *flow);
void astar_frozen_flow_free(AstarFrozenFlow *frozen, const AstarAllocator *allocator);
// Makes its finder one for a unit whose reach begins among blocks of its own, if it does.
AstarStatus astar_flow_stand(AstarFlow *flow);
// Whether that is called for, or was.
bool astar_flow_stands_among_blocks(const AstarFlow *flow);
// A flow without seeds, by a finder that may have one.
AstarStatus astar_flow_make(AstarFinder *finder, double max_cost, AstarFlow **out);
// A flow like another, by a finder on a copy of its map.
AstarStatus astar_flow_twin(const AstarFlow *flow, AstarFinder *finder, AstarFlow **out);
// Whether what such a one has found can be taken when the map is no longer as the copy: it flees
// from none, and begins at no unit among its own blocks.
bool astar_flow_may_have_twin(const AstarFlow *flow);
// Takes what its twin has worked out, all of it; or nothing: ASTAR_RUNNING where that cannot be,
// ASTAR_NO_MEMORY.
AstarStatus astar_flow_adopt(AstarFlow *flow, AstarFlow *twin);

#endif
