// landmark_repair.h -- keeps the distances of landmarks good while the map is edited.

#ifndef ASTAR_LANDMARK_REPAIR_H
#define ASTAR_LANDMARK_REPAIR_H

#include "derived/layer.h"

// Of the layer.
void astar_landmarks_repair(const AstarGrid *grid, void *landmarks, const AstarEdit *edit);

#endif
