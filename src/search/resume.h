// resume.h -- searches that go on though their map was edited in between.

#ifndef ASTAR_RESUME_H
#define ASTAR_RESUME_H

#include "search/search.h"

// Notes how far the map has come, as a search begins.
void astar_resume_look(AstarSearch *search);
// Whether a search can go on, before a step of it: ASTAR_RUNNING, ASTAR_GRID_CHANGED, or
// ASTAR_NO_MEMORY, which leaves all as it was.
AstarStatus astar_resume(AstarSearch *search);
// What the outcome of a step is worth after the edits there were.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

#endif
