// pruned_runs.h -- what the runs of a search read that leaves some turns out.

#ifndef ASTAR_PRUNED_RUNS_H
#define ASTAR_PRUNED_RUNS_H

#include "derived/jump_words.h"

// A turn, or a cell on the way to one, and the direction of the runs.
typedef struct AstarJumpTurn {
    int direction, x, y;
} AstarJumpTurn;

static inline AstarJumpTurn astar_step_back(AstarJumpTurn at)
{
    at.x -= astar_straight_dx((AstarStraight)at.direction);
    at.y -= astar_straight_dy((AstarStraight)at.direction);
    return at;
}

bool astar_is_stop(const AstarRunBits *runs, AstarJumpTurn at);
// Whether a cell is told that the run from it ends at a turn.
bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at);

// ---- of a map's AstarDeadEnds ----

// Takes memory for the copy; false: there is none.
bool astar_pruned_new(AstarJumpBitmaps *jump);
void astar_pruned_free(AstarJumpBitmaps *jump);
size_t astar_pruned_bytes(const AstarJumpBitmaps *jump);

// Shows a turn to the free cells from one back to the last stop before it, or hides it from them.
void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown);

// The copy is made in so many parts.
int astar_pruned_parts(const AstarJumpBitmaps *jump);
void astar_pruned_copy_part(AstarJumpBitmaps *jump, int part);
// Copies what the flip of a cell has changed; how many cells.
int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip);

// dead_end_turn.c: whether a turn leads nowhere, and which cells can be seen from it.

// How far the runs of a dead end come; at twice as many steps some more turns are dead ends, and
// they see many more cells.
enum { ASTAR_DEAD_END_RADIUS = 12 };

// Whether each run that a turn would send out ends within the radius, and at nothing but what is
// left out already.
bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpTurn turn);

// Takes note of the cells that the runs of a turn come to.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn);

#endif
