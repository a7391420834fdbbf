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

// ---- what lies on diagonals (jump_bitmaps.c) ----

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

#endif
