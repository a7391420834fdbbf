// hidden_turns.h -- turns that runs are not told of, though they are there.
//
// With diagonal steps they are hidden from the slants' words, and a mark tells of that: who is to
// follow hidden turns, too, looks again where it stands (astar_show_hidden). Without, who leaves
// them out reads bitmaps of its own. AstarBarren's 'runs' are what such a search reads either way.

#ifndef ASTAR_HIDDEN_TURNS_H
#define ASTAR_HIDDEN_TURNS_H

#include "derived/jump_bitmaps.h"
#include "derived/jump_words.h"

enum { ASTAR_WHOLE_STRIP = 0xFFFF };
#define ASTAR_ALL_HIDDEN ((uint64_t)ASTAR_WHOLE_STRIP << ASTAR_HIDDEN * ASTAR_STRIP)

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
bool astar_is_free_at(const AstarRunBits *runs, int x, int y);
// Whether a cell is told that the run from it ends at a turn.
bool astar_sees_turn(const AstarRunBits *runs, AstarJumpTurn at);

// What a word of a slant, on which a cell lies, would tell of some columns if no turn were hidden.
uint64_t astar_show_hidden(const AstarJumpBitmaps *jump, int slant, int x, int y, uint64_t bits,
                           unsigned columns);

// ---- of a map's AstarBarren ----

// Takes memory for bitmaps of its own where it needs them; false: there is none.
bool astar_hidden_rows_new(AstarJumpBitmaps *jump);
void astar_hidden_rows_free(AstarJumpBitmaps *jump);
size_t astar_hidden_rows_bytes(const AstarJumpBitmaps *jump);

// Shows a turn to the free cells from one back to the last stop before it, or hides it from them.
void astar_show_turn(const AstarJumpBitmaps *jump, AstarJumpTurn at, bool is_shown);
// Shows the turns that are seen from the cells about an edit, to all that can see those, and takes
// over what it has changed of their reach. This, and the last of the next two, tell as how many
// turns looked at they take.
int astar_show_about(const AstarJumpBitmaps *jump, AstarCell flip);
// All is shown in so many parts.
int astar_hidden_parts(const AstarJumpBitmaps *jump);
int astar_show_part(const AstarJumpBitmaps *jump, int part);

#endif
