// jump_making.h -- Helpers for rebuilding the bitmaps for jumps in bands of 64 rows and of 64
// columns; see jump_bitmaps.c.

#ifndef ASTAR_JUMP_MAKING_H
#define ASTAR_JUMP_MAKING_H

#include "layers/jump_words.h"

// States of a band: a bit in the band has changed; the band is being updated by the present passes.
enum { ASTAR_BAND_FLIPPED = 1, ASTAR_BAND_TAKEN = 2 };

// Returns the number of bands of rows.
static inline int astar_jump_row_bands(const AstarJumpBitmaps *jump)
{
    return (jump->height + 2 + 63) / 64;
}

// The rows of a band of rows, without the rows of the border. The last band may have none.
typedef struct AstarBandRows {
    int y0, count;
} AstarBandRows;

// Returns the rows of a band.
static inline AstarBandRows astar_rows_of_band(const AstarJumpBitmaps *jump, int band)
{
    int y0 = astar_greater(64 * band, 1);
    return (AstarBandRows){y0, astar_lesser(64 * band + 63, jump->height) - y0 + 1};
}

// Returns true if a band of rows is being updated.
static inline bool astar_is_row_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[band] & ASTAR_BAND_TAKEN) != 0;
}

// Returns true if a band of columns is being updated.
static inline bool astar_is_column_taken(const AstarJumpBitmaps *jump, int band)
{
    return (jump->bands[astar_jump_row_bands(jump) + band] & ASTAR_BAND_TAKEN) != 0;
}

// Returns the number of groups of 'at_a_time' bands that are needed for 'bands' bands.
static inline int astar_crossings_of(int bands, int at_a_time)
{
    return (bands + at_a_time - 1) / at_a_time;
}

// The following declarations serve rows, columns and stretches of free cells.

// Returns the walkable bits in which the jumps of a direction follow rows. The bits are transposed
// for jumps to the south and north.
static inline const AstarBits *astar_runs_of(const AstarJumpBitmaps *jump,
                                             const AstarBits *walkable, int direction)
{
    return astar_is_turned(direction) ? &jump->columns : walkable;
}

// Consecutive free cells of a row between two stops. One end of the stretch may be a jump point,
// which is free and belongs to the stretch.
typedef struct AstarStretch {
    int direction, row;
    int from, to;
} AstarStretch;

#endif
