// dead_ends.h -- turns that lead nowhere.

#ifndef ASTAR_DEAD_ENDS_H
#define ASTAR_DEAD_ENDS_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/jump_turns.h"
#include "map/grid.h"

// Whether each run that a turn would send out ends within the radius, and at nothing but what is
// left out already.
bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpTurn turn);
// Takes note of the cells that the runs of a turn come to.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn);
// Finds them, as far as the work goes, or what edits have changed of them; ASTAR_RUNNING where it
// is used up before all are known. The bitmaps must be current.
AstarStatus astar_dead_ends_advance(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                    int64_t *work);
// Takes note of the flip of a cell's bit; of many anywhere.
void astar_dead_ends_edited(AstarJumpBitmaps *jump, int x, int y);
void astar_dead_ends_outdate(AstarJumpBitmaps *jump);

void astar_dead_ends_free(AstarJumpBitmaps *jump);
size_t astar_dead_ends_bytes(const AstarJumpBitmaps *jump);

// ---- the copy of the words that a search reads which leaves turns out ----

bool astar_is_stop(const AstarRunBits *runs, AstarJumpTurn at);
// Whether a cell is told that the run from it ends at a turn.
bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at);
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

#endif
