// dead_end_turn.h -- whether a turn leads nowhere, and which cells can be seen from it.

#ifndef ASTAR_DEAD_END_TURN_H
#define ASTAR_DEAD_END_TURN_H

#include "derived/pruned_runs.h"

// How far the runs of a dead end come; at twice as many steps some more turns are dead ends, and
// they see many more cells.
enum { ASTAR_DEAD_END_RADIUS = 12 };

// Whether each run that a turn would send out ends within the radius, and at nothing but what is
// left out already.
bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpTurn turn);

// Takes note of the cells that the runs of a turn come to.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn);

#endif
