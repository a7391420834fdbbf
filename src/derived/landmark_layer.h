// landmark_layer.h -- landmarks as a layer of their grid, and those of copies of it.

#ifndef ASTAR_LANDMARK_LAYER_H
#define ASTAR_LANDMARK_LAYER_H

#include "derived/baked_head.h"
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

// landmark_repair.c: keeps the distances of landmarks good while the map is edited.

// What an edit does to one table; how many of its distances were lowered, if only to see that they
// are too many.
int64_t astar_landmarks_repair_table(const AstarGrid *grid, AstarLandmarks *landmarks,
                                     const AstarEdit *edit, int table);
// The same of all tables; of the layer.
void astar_landmarks_repair(const AstarGrid *grid, void *landmarks, const AstarEdit *edit);

// landmark_file.c: landmarks as bytes.

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
