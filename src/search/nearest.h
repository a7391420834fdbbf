// nearest.h -- the goal that is cheapest to reach, of many.

#ifndef ASTAR_NEAREST_H
#define ASTAR_NEAREST_H

#include "search/search.h"

// Answers the question with a search that was taken: ASTAR_OK when its path can be read, and which
// of the cells it leads to.
AstarStatus astar_search_nearest(AstarSearch *search, int sx, int sy, const AstarGoals *goals,
                                 const AstarQuestion *question, void *context, size_t *index);

#endif
