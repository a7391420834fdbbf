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

// pruned_runs.c: what the runs of a search read that leaves some turns out.

// A turn, or a cell on the way to one, and the direction of the runs.
typedef struct AstarJumpTurn {
    int direction, x, y;
} AstarJumpTurn;

static inline AstarJumpTurn astar_step_back(AstarJumpTurn at)
{
    at.x -= astar_straight_dx((AstarStraight)at.direction);
    at.y -= astar_straight_dy((AstarStraight)at.direction);
    return at;
}

bool astar_is_stop(const AstarRunBits *runs, AstarJumpTurn at);
// Whether a cell is told that the run from it ends at a turn.
bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at);

// ---- of a map's AstarDeadEnds ----

// Takes memory for the copy; false: there is none.
bool astar_pruned_new(AstarJumpBitmaps *jump);
void astar_pruned_free(AstarJumpBitmaps *jump);
size_t astar_pruned_bytes(const AstarJumpBitmaps *jump);

// Shows a turn to the free cells from one back to the last stop before it, or hides it from them.
void astar_pruned_show(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown);

// The copy is made in so many parts.
int astar_pruned_parts(const AstarJumpBitmaps *jump);
void astar_pruned_copy_part(AstarJumpBitmaps *jump, int part);
// Copies what the flip of a cell has changed; how many cells.
int astar_pruned_copy_about(const AstarJumpBitmaps *jump, AstarCell flip);

// dead_end_turn.c: whether a turn leads nowhere, and which cells can be seen from it.

// How far the runs of a dead end come; at twice as many steps some more turns are dead ends, and
// they see many more cells.
enum { ASTAR_DEAD_END_RADIUS = 12 };

// Whether each run that a turn would send out ends within the radius, and at nothing but what is
// left out already.
bool astar_is_dead_end(const AstarJumpBitmaps *jump, AstarJumpTurn turn);

// Takes note of the cells that the runs of a turn come to.
void astar_see_from_turn(const AstarJumpBitmaps *jump, AstarBits *seen, AstarJumpTurn turn);

#endif
