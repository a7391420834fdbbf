// jump_bitmaps.h -- Bitmaps for jump point search on uniform ground: at which cells jumps stop, so
// that a jump is a search for the next set bit.

#ifndef ASTAR_JUMP_BITMAPS_H
#define ASTAR_JUMP_BITMAPS_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/jump_making.h"
#include "layers/jump_words.h"
#include "map/grid.h"

// Creates bitmaps for a corner rule; they are stale at first.
AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
// Returns a copy of bitmaps that are up to date, without their dead ends; NULL if they are stale or
// memory runs out.
AstarJumpBitmaps *astar_jump_copy(AstarDiagonals rule, const AstarJumpBitmaps *from);
// Frees bitmaps for jumps. NULL is allowed.
void astar_jump_free(AstarJumpBitmaps *jump);
// Returns the bytes of bitmaps.
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);
// Builds stale parts from the walkable bits. Returns ASTAR_RUNNING when the work is used up.
AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work);
// Repairs what the change of the walkable bit of cell (x, y), or of its non-uniform bit, has
// changed.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                       bool is_irregular);
// Notes that bits in a rectangle of cells may have changed. An update then takes as long as the
// rows and columns through the rectangle.
void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height);
// Notes that any bits may have changed.
void astar_jump_outdate(AstarJumpBitmaps *jump);

// Stores where diagonal jumps end in up to 64 rows of 64 cells.
void astar_jump_put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows);
// Stores, for all diagonals of a direction, from which cells a straight jump to one side ends at a
// jump point, in up to 64 rows of 64 cells.
void astar_jump_put_aside(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, size_t word, int y0,
                          int rows, const uint64_t cells[64]);
// Returns the free cells from the stop before a position up to that position: the cells whose jumps
// in a direction pass it or begin at it.
AstarStretch astar_jump_stretch_over(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                     int direction, int row, int position);
// Sets the reach of the cells of a stretch in the words of both diagonal directions beside it. With
// 'two' it also sets the reach of the same stretch two rows further.
void astar_jump_put_stretch(AstarJumpBitmaps *jump, AstarStretch stretch, bool two, bool reach);
// Rebuilds the reach in one square of a band of columns that is being updated. Returns false if
// nothing changes there. Units pass a band in one direction, then in the other.
bool astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);
// Rebuilds the reach in one square of a band of rows that is being updated, in the same way.
bool astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);

// Computes the stops of some cells from the walkable bits.
void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);
// Computes the free bits of the patches of some cells.
void astar_jump_put_free(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);

#endif
