// jump_making.h -- between the files that make jump bitmaps anew, by bands of 64 rows and of 64
// columns; see jump_bitmaps.c.

#ifndef ASTAR_JUMP_MAKING_H
#define ASTAR_JUMP_MAKING_H

#include "layers/jump_words.h"

// What is noted of a band, the latter for as long as the passes.
enum { ASTAR_BAND_FLIPPED = 1, ASTAR_BAND_TAKEN = 2 };

static inline int astar_jump_row_bands(const AstarJumpBitmaps *jump)
{
    return (jump->height + 2 + 63) / 64;
}

// The rows of a band that are not the border's; of the last there may be none.
typedef struct AstarBandRows {
    int y0, count;
} AstarBandRows;

static inline AstarBandRows astar_rows_of_band(const AstarJumpBitmaps *jump, int band)
{
    int y0 = astar_greater(64 * band, 1);
    return (AstarBandRows){y0, astar_lesser(64 * band + 63, jump->height) - y0 + 1};
}

static inline bool astar_is_row_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[band] & ASTAR_BAND_TAKEN) != 0;
}

static inline bool astar_is_column_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[astar_jump_row_bands(jump) + band] & ASTAR_BAND_TAKEN) != 0;
}

// How many times as many rows and columns there are.
static inline int astar_crossings_of(int bands, int at_a_time)
{
    return (bands + at_a_time - 1) / at_a_time;
}

// jump_bitmaps.c: what lies on diagonals.

// Puts where diagonal runs end in up to 64 rows of 64 cells.
void astar_jump_put_ends(AstarJumpBitmaps *jump, const AstarBits *walkable, size_t word, int y0,
                         int rows);
// Puts on the diagonals of a slant what is seen to one of its sides, from up to 64 rows of 64
// cells.
void astar_jump_put_aside(AstarJumpBitmaps *jump, int slant, AstarOnSlant kind, size_t word, int y0,
                          int rows, const uint64_t cells[64]);

// A direction's runs go along the rows of these free bits.
static inline const AstarBits *astar_runs_of(const AstarJumpBitmaps *jump,
                                             const AstarBits *walkable, int direction)
{
    return astar_is_turned(direction) ? &jump->columns : walkable;
}

// Free cells between two stops of a row, one of which may be a turn and so free, as well.
typedef struct AstarStretch {
    int direction, row;
    int from, to;
} AstarStretch;

// The free cells up to a position, or from it on: whose runs lead over it, or begin at it.
AstarStretch astar_jump_stretch_over(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                     int direction, int row, int position);
// Gives the cells of a stretch their reach: to the two slants beside it. 'two': and those of the
// same stretch of the row next but one.
void astar_jump_put_stretch(AstarJumpBitmaps *jump, AstarStretch stretch, bool two, bool reach);

// jump_bitmaps.c: reach, square by square.

// Make the reach of a square of a taken band of columns, or of rows, anew; false where that is as
// it was. Units go along a band in one direction, then in the other.
bool astar_jump_reach_column(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);
bool astar_jump_reach_row(AstarJumpBitmaps *jump, const AstarBits *walkable, int unit);

#endif
