// jump_bitmaps.h -- bitmaps of where a search over uniform ground must stop.

#ifndef ASTAR_JUMP_BITMAPS_H
#define ASTAR_JUMP_BITMAPS_H

#include "derived/jump_bits.h"

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
// A copy of those that are current, without their dead ends; NULL: there is none.
AstarJumpBitmaps *astar_jump_copy(AstarDiagonals rule, const AstarJumpBitmaps *from);
void astar_jump_free(AstarJumpBitmaps *jump);
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);

// Builds what is stale from the walkable bits; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work);
// Repairs what the flip of the bit of cell (x, y) has changed.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);
// The same of its irregular bit.
void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);
// Takes note that bits of a rectangle of cells may have flipped; or that any may. An update then
// takes as long as the rows and columns through the rectangle.
void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height);
void astar_jump_outdate(AstarJumpBitmaps *jump);

#endif
