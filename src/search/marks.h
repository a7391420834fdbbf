// marks.h -- estimates by landmarks: which of them a search goes by, and whether they still hold.

#ifndef ASTAR_MARKS_H
#define ASTAR_MARKS_H

#include "search/search.h"

// Chooses those that a search that begins is to go by, if any.
void astar_marks_choose(AstarSearch *search);
// Notes how far the map has come.
void astar_marks_look(AstarSearch *search);
// Whether a search begun now would have the same estimates, as far as this one has come.
bool astar_marks_are_same(const AstarSearch *search);
// Whether the finder was baked since the search began, which had better begin anew.
bool astar_marks_are_old(const AstarSearch *search);

// The greater of an estimate for a cell and theirs.
static inline double astar_marks_improve(const AstarMarks *marks, uint32_t cell, double h)
{
    int32_t most = 0;
    for (int i = 0; i < marks->count; i++) {
        int32_t distance = (int32_t)marks->distances[i][(size_t)cell * marks->stride];
        int32_t farther = (distance - marks->bounds[i]) * marks->signs[i];
        most = farther > most ? farther : most;
    }
    double other = most * marks->worth;
    return other > h ? other : h;
}

#endif
