// barren_turn.h -- whether a turn leads nowhere, and which cells can be seen from it.

#ifndef ASTAR_BARREN_TURN_H
#define ASTAR_BARREN_TURN_H

#include "derived/hidden_turns.h"

// How far the runs of a barren turn come; at twice as many steps some more turns are barren, and
// they see many more cells.
enum { ASTAR_BARREN_RADIUS = 12 };

// Whether each run that a turn would send out ends within the radius, and at nothing but what is
// hidden already.
bool astar_is_barren_turn(const AstarJumpBitmaps *jump, AstarJumpTurn turn);

// Takes note of the cells that the runs of a turn come to.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn);

#endif
