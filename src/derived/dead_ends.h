// dead_ends.h -- turns that lead nowhere, and which searches leave them out.

#ifndef ASTAR_DEAD_ENDS_H
#define ASTAR_DEAD_ENDS_H

#include "derived/jump_bits.h"
#include "derived/jump_words.h"

enum { ASTAR_DEAD_END_FLIPS = 32 };

typedef struct AstarDeadEnds {
    AstarBits seen; // cells, among them all that the runs of some dead end come to
    uint8_t *tiles; // of 16 x 16 cells: what is to be done there; see the file
    int32_t across, down;
    int32_t to_verify, to_peel; // tiles
    int32_t next;               // tile to be looked at
    int32_t parts;              // of 'runs' that are copied
    int32_t flip_count;         // of cells that were edited since
    int32_t copied_flips;       // so many of those: what they changed is copied
    AstarCell flips[ASTAR_DEAD_END_FLIPS];
    AstarRunBits runs; // what searches read that leave dead ends out; see pruned_runs.h
    void *block;       // of memory, in which those lie
} AstarDeadEnds;

// Finds them, as far as the work goes, or what edits have changed of them; ASTAR_RUNNING where it
// is used up before all are known. The bitmaps must be current.
AstarStatus astar_dead_ends_advance(AstarJumpBitmaps *jump, const AstarBits *walkable,
                                    int64_t *work);

// Takes note of the flip of a cell's bit; of many anywhere.
void astar_dead_ends_edited(AstarJumpBitmaps *jump, int x, int y);
void astar_dead_ends_outdate(AstarJumpBitmaps *jump);

void astar_dead_ends_free(AstarJumpBitmaps *jump);
size_t astar_dead_ends_bytes(const AstarJumpBitmaps *jump);

#endif
