// barren.h -- turns that lead nowhere, and what runs read where those are left out.

#ifndef ASTAR_BARREN_H
#define ASTAR_BARREN_H

#include "derived/jump_bitmaps.h"

enum { ASTAR_BARREN_FLIPS = 32 };

typedef struct AstarBarren {
    AstarRunBits runs;  // those of the bitmaps, but that slants see no barren turn aside
    AstarBits seen;     // cells, among them all that some barren turn's runs come to
    void *block;        // of memory, in which the slants lie
    size_t block_lines; // and how long that is
    uint8_t *tiles;     // of 16 x 16 cells: what is to be done there; see the file
    int32_t across, down;
    int32_t to_verify, to_peel; // tiles
    int32_t next;               // tile to be looked at
    int32_t strips;             // copied of each slant
    int64_t turns, barren;      // so many of those
    int32_t flip_count;         // of cells that were edited since
    AstarCell flips[ASTAR_BARREN_FLIPS];
} AstarBarren;

// What runs to a goal read: 'runs' of the bitmaps, or those without barren turns where these are
// known and do not matter to the goal.
static inline const AstarRunBits *astar_barren_runs(const AstarJumpBitmaps *jump, int goal_x,
                                                    int goal_y)
{
    const AstarBarren *known = astar_get(&jump->pruned);
    return known == NULL || astar_bits_get(&known->seen, goal_x, goal_y) ? &jump->runs
                                                                         : &known->runs;
}

// A search that expanded so many nodes pays for finding barren turns, and mending what edits have
// changed of them: a share of what it took. The bitmaps must be current.
void astar_barren_pay(AstarJumpBitmaps *jump, const AstarBits *walkable, uint64_t expanded);

// Takes note of the flip of a cell's bit; of so many anywhere.
void astar_barren_edited(AstarJumpBitmaps *jump, int x, int y);
void astar_barren_outdate(AstarJumpBitmaps *jump, int64_t cells);

void astar_barren_free(AstarJumpBitmaps *jump);
size_t astar_barren_bytes(const AstarJumpBitmaps *jump);

#endif
