// build.h -- what a question needs of the map, built as far as the work goes.

#ifndef ASTAR_BUILD_H
#define ASTAR_BUILD_H

#include "search/search.h"

// Builds what a question needs of the components, and what an algorithm needs; ASTAR_RUNNING where
// the work is used up before.
AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work);
// The same whatever the question.
AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work);
AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work);

#endif
