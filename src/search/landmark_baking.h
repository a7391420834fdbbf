// landmark_baking.h -- landmarks of a finder: measured a part at a time, saved before, or measured
// by another thread. astar_finder_bake measures them at once.

#ifndef ASTAR_LANDMARK_BAKING_H
#define ASTAR_LANDMARK_BAKING_H

#include "base/archive.h"
#include "derived/landmark_making.h"
#include "unit/finder.h"

// Measures on what is to be in the place of a finder's landmarks, and then puts it there.
// ASTAR_RUNNING where the work is used up before; '*making', NULL at first, is the caller's to
// free.
AstarStatus astar_finder_advance_landmarks(AstarFinder *finder, int count,
                                           AstarLandmarkMaking **making, int64_t *work,
                                           AstarBaking *out);
// Gives a finder that is up to date the landmarks of what follows a head. ASTAR_BAD_DATA, and why,
// leaves it as it was.
AstarStatus astar_finder_load_landmarks(AstarFinder *finder, AstarArchive *archive,
                                        const char **why);
// Gives a finder those of another, on a copy of its map, brought up to date; '*taken' is false
// where there are none, or that cannot be, and the finder has what it had.
AstarStatus astar_finder_take_landmarks(AstarFinder *finder, const AstarFinder *twin, bool *taken);

#endif
