// planner.h -- which way a question is answered.

#ifndef ASTAR_PLANNER_H
#define ASTAR_PLANNER_H

#include "search/asked.h"

// Answers a question as astar_find_path does; ASTAR_RUNNING, and the path as it was, where that
// takes a search that is posed. Without a workspace, NULL, what needs no search is answered.
AstarStatus astar_answer_at_once(AstarWorkspace *workspace, AstarFinder *finder, int sx, int sy,
                                 int gx, int gy, const AstarQuestion *question,
                                 const AstarAllocator *allocator, AstarPath *path);

#endif
