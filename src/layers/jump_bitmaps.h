// jump_bitmaps.h -- Bitmaps for jump point search on uniform ground: at which cells jumps stop, so
// that a jump is a search for the next set bit.

#ifndef ASTAR_JUMP_BITMAPS_H
#define ASTAR_JUMP_BITMAPS_H

#include "base/bits.h"
#include "layers/jump_bits.h"
#include "layers/jump_making.h"
#include "layers/jump_words.h"
#include "map/grid.h"

// Creates bitmaps for a corner rule. The bitmaps are stale until astar_jump_advance has built them.
AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
// Creates a copy of bitmaps that are up to date, without their dead ends. Returns NULL if they are
// stale or memory runs out.
AstarJumpBitmaps *astar_jump_copy(AstarDiagonals rule, const AstarJumpBitmaps *from);
// Frees bitmaps for jumps. NULL is allowed.
void astar_jump_free(AstarJumpBitmaps *jump);
// Returns the bytes of bitmaps for jumps.
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);
// Updates the bitmaps from the walkable bits. Returns ASTAR_RUNNING when the work is used up before
// they are up to date.
AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work);
// Repairs the bitmaps after the change of one bit of cell (x, y): the bit that marks it as
// non-uniform if 'is_nonuniform' is true, else its walkable bit.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y,
                       bool is_nonuniform);
// Records that bits in a rectangle of cells may have changed. The next update takes time in
// proportion to the number of rows and columns through the rectangle.
void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height);
// Records that any bit may have changed, so that the bitmaps must be rebuilt.
void astar_jump_outdate(AstarJumpBitmaps *jump);

// Stores where diagonal jumps end, in up to 64 rows of 64 cells.
void astar_jump_put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows);
// Stores, for up to 64 rows of 64 cells, the cells from which a straight jump to one side ends at a
// jump point. The bits are stored in the words of the diagonals of direction 'diagonal'.
void astar_jump_put_aside(AstarJumpBitmaps *jump, int diagonal, AstarOnDiagonal kind, size_t word,
                          int y0, int rows, const uint64_t cells[64]);
// Returns the free cells from the stop before a position up to that position. Their jumps in a
// direction pass the position or begin there.
AstarStretch astar_jump_stretch_over(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                     int direction, int row, int position);
// Sets the reach bits of the cells of a stretch: whether straight jumps from them end at a jump
// point. If 'two' is true, also sets the bits of the same stretch two rows further. With diagonal
// steps the bits are stored in the words of both diagonal directions beside the direction of the
// stretch.
void astar_jump_put_stretch(AstarJumpBitmaps *jump, AstarStretch stretch, bool two, bool reach);
// Rebuilds the reach bits in one square of a band of columns that is being updated. 'unit' is the
// number of the work unit in the pass. The work units are the squares of each band in one
// direction, and then in the opposite direction. Returns true if the square was rebuilt.
bool astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);
// Rebuilds the reach bits in one square of a band of rows that is being updated. The parameter and
// the result have the same meaning as in astar_jump_reach_column.
bool astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);

// Computes the stops of a rectangle of cells from the walkable bits.
void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);
// Computes the patches for a rectangle of cells from the walkable bits.
void astar_jump_put_free(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);

#endif
