// barren.h -- turns that lead nowhere, and which searches leave them out.
//
// They are hidden from the slants' words: the bits that tell of turns aside do not tell of barren
// ones. Who is to follow those, too, looks where the runs end of a cell that has ASTAR_HIDDEN, of
// which some bits are set without need; and, where that bit tells of nodes, of a cell at which runs
// of the slant end.

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
    int32_t strips;             // of each slant from which no turn is hidden yet, or any more
    bool is_given_up;           // few turns are barren
    int64_t turns, barren;      // so many of those
    int32_t flip_count;         // of cells that were edited since
    AstarCell flips[ASTAR_BARREN_FLIPS];
} AstarBarren;

enum { ASTAR_WHOLE_STRIP = 0xFFFF };
#define ASTAR_ALL_HIDDEN ((uint64_t)ASTAR_WHOLE_STRIP << ASTAR_HIDDEN * ASTAR_STRIP)

// What a word of a slant, on which a cell lies, would tell of some columns if no turn were hidden.
uint64_t astar_barren_show(const AstarJumpBitmaps *jump, int slant, int x, int y, uint64_t bits,
                           unsigned columns);

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
