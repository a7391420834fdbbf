// landmark_repair.h -- keeps the distances of landmarks good while the map is edited.

#ifndef ASTAR_LANDMARK_REPAIR_H
#define ASTAR_LANDMARK_REPAIR_H

#include "derived/landmarks.h"

// What an edit does to one table; how many of its distances were lowered, if only to see that they
// are too many.
int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                     const AstarEdit *edit, int table);
// The same of all tables; of the layer.
void astar_landmarks_repair(const AstarGrid *grid, void *landmarks, const AstarEdit *edit);

#endif
