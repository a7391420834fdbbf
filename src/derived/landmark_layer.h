// landmark_layer.h -- landmarks as a layer of their grid, and those of copies of it.

#ifndef ASTAR_LANDMARK_LAYER_H
#define ASTAR_LANDMARK_LAYER_H

#include "derived/landmarks.h"

// Landmarks without any table yet, of so many whole numbers for each unit of cost; NULL without
// memory.
AstarLandmarks *astar_landmarks_new(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                    double scale);
// Makes those of an equal copy of the grid, NULL at first, what these are: of the same landmarks
// always, and read by nobody. After ASTAR_NO_MEMORY they are NULL.
AstarStatus astar_landmarks_follow(const AstarGrid *replica, const AstarLandmarks *from,
                                   AstarLandmarks **copy);
// Makes landmarks of what a finder of the grid wants of those of a copy of it, which the grid's
// edits since are made up for; '*out' is NULL where those are not known, or costs, links or walls
// changed.
AstarStatus astar_landmarks_copy(const AstarGrid *grid, const AstarLandmarkPlan *plan,
                                 const AstarGrid *replica, const AstarLandmarks *from,
                                 AstarLandmarks **out);

#endif
