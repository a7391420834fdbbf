// resume.h -- searches that go on though their map was edited in between.

#ifndef ASTAR_RESUME_H
#define ASTAR_RESUME_H

#include "search/search.h"

// The cells to which an edit may make a difference: units that hold on to a cell cover others to
// the south and east of it, and what is next to a cell counts for it.
AstarEdit astar_edited_area(const AstarSearch *search, const AstarEdit *edit);
// Stores the next tile of the field to avoid that has changed since the search looked, '*tile'
// being 0 at first; false after the last.
bool astar_next_field_change(const AstarSearch *search, uint32_t *tile, AstarEdit *change);

// Notes how far the map has come, as a search begins.
void astar_resume_look(AstarSearch *search);
// Whether a search can go on, before a step of it: ASTAR_OK, ASTAR_GRID_CHANGED, or, which leave
// all as it was, ASTAR_NO_MEMORY and ASTAR_RUNNING, where the work is used up before that is known.
AstarStatus astar_resume(AstarSearch *search, int64_t *work);
// What the outcome of a step is worth after the edits there were.
AstarStatus astar_resume_trust(AstarSearch *search, AstarStatus status);

#endif
