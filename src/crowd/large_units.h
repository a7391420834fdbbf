// large_units.h -- how large units get past each other, and out of each other's way.
//
// Large units seldom fit past each other where they meet: each has to be aside before. So where one
// of two is large they keep right, from a few steps off; and who makes way for a large one goes
// straight on before it, for the units in front of it then go side by side, and do not want the
// same cells.

#ifndef ASTAR_LARGE_UNITS_H
#define ASTAR_LARGE_UNITS_H

#include "crowd/ways.h"

// Where somebody comes against a unit it turns half right, and before them right; where another is
// on its right it waits, while there is time, and gets into that one's lane behind it. Whether so:
// not always, or some would turn to and fro before each other for ever.
bool astar_keep_right(const AstarPibt *pibt, uint32_t index, uint64_t *sorted, int count,
                      int *nearer);
// Who is pushed goes on the way it is pushed, or about so; but one on its way only where a large
// one pushes it, and its own way is another.
uint64_t astar_give_way(const AstarPibtUnit *unit, int push, const AstarWayKeys *ways,
                        uint64_t sorted);

#endif
