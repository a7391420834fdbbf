// dead_ends.h -- Dead ends of jump point search: jump points that lead nowhere, so that searches
// for other goals need not follow them.

#ifndef ASTAR_DEAD_ENDS_H
#define ASTAR_DEAD_ENDS_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/jump_turns.h"
#include "map/grid.h"

// Returns true if a jump point is a dead end: all jumps from it end within the radius, and at
// nothing but obstacles and dead ends.
bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpPoint turn);
// Marks in 'seen' the cells that the jumps from a jump point pass.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpPoint turn);
// Finds dead ends, or examines again the jump points that edits may have changed. Returns
// ASTAR_RUNNING when the work is used up before all dead ends are known. The bitmaps for jumps must
// be up to date.
AstarStatus astar_dead_ends_advance(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                    int64_t *work);
// Records that the walkable bit of a cell has changed.
void astar_dead_ends_edited(AstarJumpBitmaps *jump, int x, int y);
// Records that any bit may have changed.
void astar_dead_ends_outdate(AstarJumpBitmaps *jump);

// Frees the record of dead ends.
void astar_dead_ends_free(AstarJumpBitmaps *jump);
// Returns the bytes of the record of dead ends.
size_t astar_dead_ends_bytes(const AstarJumpBitmaps *jump);

// The following functions are about the pruned bitmaps: a copy of the bitmaps for jumps in which
// dead ends are not jump points.

// Returns true if straight jumps in the direction of 'at' stop at the cell of 'at'.
bool astar_is_stop(const AstarJumpBits *runs, AstarJumpPoint at);
// Returns true if, by the bitmaps 'runs', the straight jump from a cell ends at a jump point.
bool astar_sees_turn(const AstarJumpBits *runs, AstarJumpPoint at);
// Allocates the pruned bitmaps. Returns false if memory runs out.
bool astar_pruned_new(AstarJumpBitmaps *jump);
// Frees the pruned bitmaps.
void astar_pruned_free(AstarJumpBitmaps *jump);
// Returns the bytes of the pruned bitmaps.
size_t astar_pruned_bytes(const AstarJumpBitmaps *jump);
// Makes the jump point ahead of 'at' visible, or hides it, for all free cells from 'at' back to the
// last stop before.
void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpPoint at, bool is_shown);
// Returns the number of parts in which the bitmaps are copied, one per call of
// astar_pruned_copy_part.
int astar_pruned_parts(const AstarJumpBitmaps *jump);
// Copies one part of the bitmaps to the pruned bitmaps.
void astar_pruned_copy_part(AstarJumpBitmaps *jump, int part);
// Copies to the pruned bitmaps everything that the change of one bit has changed in the bitmaps.
// Returns the number of cells copied.
int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip);

#endif
