// baking.h -- baking by another thread, on a copy of the map.

#ifndef ASTAR_BAKING_H
#define ASTAR_BAKING_H

#include "unit/finder.h"

// Whether another thread can bake in place of this: it has not begun.
bool astar_baking_may_have_twin(const AstarBaked *baked);
AstarFinder *astar_baking_finder(const AstarBaked *baked);
// Begins a twin by a finder of a copy of the map: made by steps as any, but nothing of it is put in
// force.
AstarStatus astar_baking_twin(AstarFinder *finder, const AstarBakingOptions *options,
                              AstarBaked **out);
const AstarBakingOptions *astar_baking_options(const AstarBaked *baked);
// Puts in force what a twin has left, once done. ASTAR_RUNNING, and all is as it was, where that
// cannot be.
AstarStatus astar_baking_adopt(AstarBaked *baked, AstarBaked *twin);

#endif
