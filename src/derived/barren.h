// barren.h -- turns that lead nowhere, and which searches leave them out.
//
// They are hidden from what runs read, whose search does not follow them: see hidden_turns.h.

#ifndef ASTAR_BARREN_H
#define ASTAR_BARREN_H

#include "derived/jump_bitmaps.h"

enum { ASTAR_BARREN_FLIPS = 32 };

typedef struct AstarBarren {
    AstarBits seen; // cells, among them all that some barren turn's runs come to
    uint8_t *tiles; // of 16 x 16 cells: what is to be done there; see the file
    int32_t across, down;
    int32_t to_verify, to_peel; // tiles
    int32_t next;               // tile to be looked at
    int32_t parts;              // from which no turn is hidden yet, or any more
    bool is_given_up;           // few turns are barren
    int64_t turns, barren;      // so many of those
    int32_t flip_count;         // of cells that were edited since
    int32_t shown_flips;        // so many of those: what is seen from them is shown
    AstarCell flips[ASTAR_BARREN_FLIPS];
    AstarRunBits runs; // what searches read that leave hidden turns out
    void *rows;        // memory of those that are not everybody's; NULL: none
} AstarBarren;

// Whether none is hidden. It stays so until an edit.
static inline bool astar_barren_hides_none(const AstarJumpBitmaps *jump)
{
    return astar_get(&jump->is_settled) && astar_get(&jump->pruned) == NULL;
}

// Whether all barren turns are known, and none of them sees a goal. It stays so until an edit.
static inline bool astar_barren_leads_nowhere(const AstarJumpBitmaps *jump, int goal_x, int goal_y)
{
    const AstarBarren *known = astar_get(&jump->pruned);
    return known != NULL && !astar_bits_get(&known->seen, goal_x, goal_y);
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
