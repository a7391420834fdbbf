// search_ways.h -- the ways to search for a question that is posed.

#ifndef ASTAR_SEARCH_WAYS_H
#define ASTAR_SEARCH_WAYS_H

#include "search/search.h"

// The algorithm for what is asked, where it is not asked for by name.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs);
// Whether a question for a few goals, or for what is near one, is answered as in back_jumps.c.
bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal);
// The algorithm that answers a posed question, or A* where JPSW would not pay.
AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal);
// The same with that known; what it needs is built.
AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm);
// Makes it ready for the links of its grid; ASTAR_RUNNING where the work is used up before. What
// its algorithm needs is built.
AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work);
// Makes a posed question ready to be searched for: the second half of astar_search_begin.
AstarStatus astar_search_prepare(AstarSearch *search);
// Makes so many expansions.
AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions);
// Notes how far the map has come, see resume.c.
void astar_search_look_at_map(AstarSearch *search);

#endif
