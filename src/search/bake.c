// bake.c -- what can be worked out once, for all queries to come.
//
// Landmarks make an expansion dearer, for each node found reads their distances; on maps where the
// plain estimate is nearly right they cost more than they save. So they are kept only where they
// make a search expand far fewer cells, which is the same on every machine.

#include "search/jps.h"
#include "unit/finder.h"

// By how much they must cut the expansions to be kept.
static const double LEAST_GAIN = 1.4;

AstarStatus astar_finder_bake(AstarFinder *finder, int landmarks, AstarBaking *out)
{
    if (landmarks < 0 || landmarks > ASTAR_MAX_PIVOTS)
        return ASTAR_BAD_OPTION;
    AstarGrid *grid = finder->grid;
    *out = (AstarBaking){0, 0, 1};
    AstarStatus status = astar_finder_update(finder);
    if (status != ASTAR_OK)
        return status;
    AstarLandmarks measured = {NULL, 0, 0};
    AstarNeeds needs = astar_finder_needs(finder) | astar_needs_of_question(&finder->question);
    if (landmarks > 0 && astar_honours(ASTAR_JPS, needs)) {
        status = astar_landmarks_measure(grid, finder->walkable, finder->rule,
                                         finder->whole.straight, finder->whole.diagonal, landmarks,
                                         &measured);
        if (status != ASTAR_OK && status != ASTAR_BAD_COST)
            return status;
    }
    AstarLandmarks before = finder->landmarks;
    finder->landmarks = measured;
    if (measured.distances != NULL)
        status = astar_landmarks_gain(grid, finder->walkable, finder->rule, finder->whole.straight,
                                      finder->whole.diagonal, &measured, &out->gain);
    if (status == ASTAR_NO_MEMORY) {
        astar_landmarks_free(&finder->landmarks, grid);
        finder->landmarks = before;
        return status;
    }
    finder->bakings++;
    astar_landmarks_free(&before, grid);
    if (out->gain < LEAST_GAIN)
        astar_landmarks_free(&finder->landmarks, grid);
    out->bytes = astar_landmarks_bytes(&finder->landmarks, grid);
    out->pivots = out->bytes > 0 ? landmarks : 0;
    return ASTAR_OK;
}
