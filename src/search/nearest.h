// nearest.h -- the goal that is cheapest to reach, of many.

#ifndef ASTAR_NEAREST_H
#define ASTAR_NEAREST_H

#include "search/search.h"

// What a search for one of many goals is to find.
typedef struct AstarGoals {
    const AstarCell *cells; // 'count' of them, inside the grid
    size_t count;
    AstarGoalTest test; // or NULL; in place of the cells
} AstarGoals;

// Answers the question with a search that was taken: ASTAR_OK when its path can be read, and which
// of the cells it leads to.
AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                 const AstarQuestion *question, void *context, size_t *index);

#endif
