// landmark_baking.h -- landmarks that were saved, or measured by another thread; else they are
// measured by astar_finder_bake.

#ifndef ASTAR_LANDMARK_BAKING_H
#define ASTAR_LANDMARK_BAKING_H

#include "base/bytes.h"
#include "unit/finder.h"

// Gives a finder that is up to date the landmarks of what follows a head. ASTAR_BAD_DATA, and why,
// leaves it as it was.
AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarReader *reader, const char **why);
// Gives a finder those of another, on a copy of its map, brought up to date; '*taken' is false
// where there are none, or that cannot be, and the finder has what it had.
AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken);

#endif
