// pushing.h -- a unit decides, and has who stands where it goes decide before it.
//
// This is priority inheritance with backtracking itself. Who is pushed chooses in its pusher's
// name; if it cannot leave, the pusher tries its next best way. The stack of those who push lies in
// the units.

#ifndef ASTAR_PUSHING_H
#define ASTAR_PUSHING_H

#include "crowd/reservations.h"

// Has a unit decide, in its own name or that of who wants its cells. By one of its own goal it is
// not driven away: it only goes first.
void astar_push_unit(AstarPibt *pibt, uint32_t index, uint32_t pusher);
// Goes on with who is being decided: it takes a way, fails, or pushes somebody.
void astar_push_on(AstarPibt *pibt, uint32_t index);

// What a unit must find empty or have emptied: the cells it will cover, and of one that is
// exclusive all that it passes over.
AstarCellArea astar_area_of_way(const AstarPibt *pibt, const AstarPibtUnit *unit, uint32_t to,
                                int way);

#endif
