// resume.h -- searches that go on though their map was edited in between.

#ifndef ASTAR_RESUME_H
#define ASTAR_RESUME_H

#include "search/search.h"

// Whether a search can go on, before a step of it: ASTAR_OK, ASTAR_GRID_CHANGED, or, which leave
// all as it was, ASTAR_NO_MEMORY and ASTAR_RUNNING, where the work is used up before that is known.
AstarStatus astar_resume(AstarSearch *search, int64_t *work);
// What the outcome of a step is worth after the edits there were.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

#endif
