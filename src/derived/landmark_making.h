// landmark_making.h -- landmarks being measured, a part at a time, while the map may be edited.

#ifndef ASTAR_LANDMARK_MAKING_H
#define ASTAR_LANDMARK_MAKING_H

#include "derived/landmarks.h"

typedef struct AstarLandmarkMaking AstarLandmarkMaking;

AstarStatus astar_landmark_making_new(const AstarGrid *grid, AstarLandmarkMaking **out);
// NULL is fine.
void astar_landmark_making_free(AstarLandmarkMaking *making);
// Measures on the distances of 'plan->count' landmarks in the largest connected component, and what
// they gain, as the plan's layers, which are current, are now. ASTAR_RUNNING where the work is used
// up before; ASTAR_BAD_COST where distances do not fit whole numbers, and where there is no ground.
// Where costs, links or walls change meanwhile, it begins anew; after a few times, in one go.
AstarStatus astar_landmark_making_advance(AstarLandmarkMaking *making,
                                          const AstarLandmarkPlan *plan, int64_t *work);
// The landmarks that are done, once, good for the map as it is.
AstarLandmarks *astar_landmark_making_take(AstarLandmarkMaking *making);
// About how many times fewer cells a search expands with them.
double astar_landmark_making_gain(const AstarLandmarkMaking *making);

#endif
