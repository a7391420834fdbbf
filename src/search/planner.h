// planner.h -- which way a question is answered.

#ifndef ASTAR_PLANNER_H
#define ASTAR_PLANNER_H

#include "search/asked.h"

// Answers a question as astar_find_path does, NULL: as its finder has it; ASTAR_RUNNING, and the
// path as it was, where that takes a search that is posed.
AstarStatus astar_answer_at_once(AstarAsked *asked);

#endif
