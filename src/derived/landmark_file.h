// landmark_file.h -- landmarks as bytes.

#ifndef ASTAR_LANDMARK_FILE_H
#define ASTAR_LANDMARK_FILE_H

#include "derived/baked_head.h"
#include "derived/landmarks.h"

// Whether a table is left of which no edit has made more than can be made up for.
bool astar_landmarks_can_be_saved(const AstarLandmarks *landmarks);
// Saves those as the map is now.
void astar_landmarks_save(const AstarGrid *grid, const AstarLandmarks *landmarks,
                          AstarArchive *archive);
// The landmarks that are saved behind a head that fits the map, of a plan but for how many there
// are and what they count: an estimate by them is never too high, whatever the bytes are.
// ASTAR_BAD_DATA, and why, where one could be.
AstarStatus astar_landmarks_load(const AstarGrid *grid, AstarLandmarkPlan *plan,
                                 AstarArchive *archive, const char **why, AstarLandmarks **out);

#endif
