// jump_bitmaps.h -- bitmaps of where a search over uniform ground must stop.

#ifndef ASTAR_JUMP_BITMAPS_H
#define ASTAR_JUMP_BITMAPS_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/jump_making.h"
#include "layers/jump_words.h"
#include "map/grid.h"

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
// A copy of those that are current, without their dead ends; NULL: there is none.
AstarJumpBitmaps *astar_jump_copy(AstarDiagonals rule, const AstarJumpBitmaps *from);
void astar_jump_free(AstarJumpBitmaps *jump);
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);
// Builds what is stale from the walkable bits; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work);
// Repairs what the flip of the bit of cell (x, y), or of its irregular one, has changed.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                       bool is_irregular);
// Takes note that bits of a rectangle of cells may have flipped; or that any may. An update then
// takes as long as the rows and columns through the rectangle.
void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height);
void astar_jump_outdate(AstarJumpBitmaps *jump);

// Puts where diagonal runs end in up to 64 rows of 64 cells.
void astar_jump_put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows);
// Puts on the diagonals of a slant what is seen to one of its sides, from up to 64 rows of 64
// cells.
void astar_jump_put_aside(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, size_t word, int y0,
                          int rows, const uint64_t cells[64]);
// The free cells up to a position, or from it on: whose runs lead over it, or begin at it.
AstarStretch astar_jump_stretch_over(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                     int direction, int row, int position);
// Gives the cells of a stretch their reach: to the two slants beside it. 'two': and those of the
// same stretch of the row next but one.
void astar_jump_put_stretch(AstarJumpBitmaps *jump, AstarStretch stretch, bool two, bool reach);
// Make the reach of a square of a taken band of columns, or of rows, anew; false where that is as
// it was. Units go along a band in one direction, then in the other.
bool astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);
bool astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);

// Works out the stops of some cells, from the free bits.
void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);
// Works out the free bits of the patches of some cells.
void astar_jump_put_free(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);

#endif
