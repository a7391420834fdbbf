// run.h -- a question as it is asked: noted, refused, or answered without a search.

#ifndef ASTAR_RUN_H
#define ASTAR_RUN_H

#include "search/search.h"

// ASTAR_OK, or why the algorithm asked for can answer no such question about the grid as it is.
AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQuestion *question);
// Takes note of a question, and forgets the one before.
void astar_search_note(AstarSearch *search, int sx, int sy, int gx, int gy,
                       const AstarQuestion *question);
// What the ground alone tells of it: ASTAR_RUNNING, or final.
AstarStatus astar_search_look_at_ground(const AstarSearch *search);
// Answers one that is noted where no search is needed; ASTAR_RUNNING where one is, and what it is
// to look for, ASTAR_OK where the work is used up before.
AstarStatus astar_search_start_noted(AstarSearch *search, int64_t *work);
AstarStatus astar_answer_unsearched(AstarSearch *search, AstarVerdict *verdict, AstarGoal *goal,
                                    int64_t *work);
// Notes it and answers: the first half of astar_search_begin.
AstarStatus astar_search_start(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question);
// Whether callbacks and limits leave it to the search to tell if the goal can be reached.
bool astar_only_trying_tells(const AstarSearch *search);

// run.c: what a question needs of the map, built as far as the work goes.

// Builds what a question needs of the components, and what an algorithm needs; ASTAR_RUNNING where
// the work is used up before.
AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work);
// The same whatever the question.
AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work);
AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work);

// frozen.c: searches that go on though their map was edited in between.

// Whether a search can go on, before a step of it: ASTAR_OK, ASTAR_GRID_CHANGED, or, which leave
// all as it was, ASTAR_NO_MEMORY and ASTAR_RUNNING, where the work is used up before that is known.
AstarStatus astar_resume(AstarSearch *search, int64_t *work);
// What the outcome of a step is worth after the edits there were.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

// run.c: the ways to search for one that is started.

// The algorithm for what is asked, where it is not asked for by name.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs);
// Whether a question for a few goals, or for what is near one, is answered as in jps.c.
bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal);
// The algorithm that answers a started question, or A* where JPSW would not pay.
AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal);
// The same with that known; what it needs is built.
AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm);
// Makes it ready for the links of its grid; ASTAR_RUNNING where the work is used up before. What
// its algorithm needs is built.
AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work);
// Makes a started question ready to be searched for: the second half of astar_search_begin.
AstarStatus astar_search_prepare(AstarSearch *search);
// Makes so many expansions.
AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions);
// Notes how far the map has come, see frozen.c.
void astar_search_look_at_map(AstarSearch *search);

// suppose.c: questions about a map on which a few more cells are blocked.

// Whether components alone tell what is reached by a unit's steps on a map.
bool astar_components_tell(const AstarFinder *finder);
// Answers astar_search_reachable of a finder that supposes blocks, where that is told without a
// search; else ASTAR_RUNNING.
AstarStatus astar_suppose_reachable(AstarFinder *finder, int sx, int sy, int gx, int gy,
                                    bool *exists);

#endif
