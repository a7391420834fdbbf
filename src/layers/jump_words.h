// jump_words.h -- Where jumps stop and turn, computed for 64 cells at a time, for the files that
// build and repair the bitmaps for jumps. Coordinates include the border.

#ifndef ASTAR_JUMP_WORDS_H
#define ASTAR_JUMP_WORDS_H

#include "layers/jump_bits.h"

// Returns true if the jumps of a direction use transposed bitmaps: south and north.
static inline bool astar_is_turned(int direction)
{
    return direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
}

// Returns true if the jumps of a direction lead to higher positions: east and south.
static inline bool astar_is_upward(int direction)
{
    return direction == ASTAR_EAST || direction == ASTAR_SOUTH;
}

// Returns true if jumps of a direction look for jump points to their sides at every cell: without
// diagonal steps, jumps to the east and west.
static inline bool astar_looks_aside(const AstarJumpBitmaps *jump, int direction)
{
    return !jump->rule->has_diagonals && !astar_is_turned(direction);
}

// Returns a word of the non-uniform cells, or 0 if all ground is uniform.
static inline uint64_t astar_irregular_word(const AstarBits *irregular, int row, size_t word)
{
    return irregular != NULL ? astar_row_at(irregular, row)[word] : 0;
}

// Returns true if the bitmaps say that the jump from a cell in a direction ends at a jump point.
static inline bool astar_has_reach(const AstarJumpBitmaps *jump, int direction, int x, int y)
{
    const AstarRunBits *runs = &jump->runs;
    if (jump->rule->has_diagonals)
        return astar_slant_bit(*astar_slant_word(runs, direction, x, y), ASTAR_ASIDE, x) != 0;
    return astar_tile_bit(&runs->reach[direction], y, x) != 0;
}

// The cells around 64 cells.

// For 64 cells of a row or column, one bit each: whether the cell is free, and whether its
// neighbours by AstarStraight and AstarSlant are free.
typedef struct AstarNeighbors {
    uint64_t here, straight[4], across[4];
} AstarNeighbors;

// A word of a row, and the row shifted by one so that the bit of a cell shows the cell before it
// ('low') or after it ('high').
typedef struct AstarWindow {
    uint64_t here, low, high;
} AstarWindow;

// Returns a word of a row with its shifted copies.
static inline AstarWindow astar_window_at(const AstarBits *bits, int row, size_t word)
{
    const uint64_t *words = astar_row_at(bits, row);
    AstarWindow window = {words[word], words[word] << 1, words[word] >> 1};
    if (word > 0)
        window.low |= words[word - 1] >> 63;
    if (word + 1 < bits->stride)
        window.high |= words[word + 1] << 63;
    return window;
}

// Returns the neighbourhoods of 64 cells of a row.
static inline AstarNeighbors astar_around_row(const AstarBits *walkable, int row, size_t word)
{
    AstarWindow above = astar_window_at(walkable, row - 1, word);
    AstarWindow at = astar_window_at(walkable, row, word);
    AstarWindow below = astar_window_at(walkable, row + 1, word);
    return (AstarNeighbors){at.here,
                            {at.high, below.here, at.low, above.here},
                            {below.high, below.low, above.low, above.high}};
}

// Returns the neighbourhoods of 64 cells of a column, from the transposed bits.
static inline AstarNeighbors astar_around_column(const AstarBits *columns, int column, size_t word)
{
    AstarWindow before = astar_window_at(columns, column - 1, word);
    AstarWindow at = astar_window_at(columns, column, word);
    AstarWindow after = astar_window_at(columns, column + 1, word);
    return (AstarNeighbors){at.here,
                            {after.here, at.high, before.here, at.low},
                            {after.high, before.high, before.low, after.low}};
}

// Returns at which of 64 cells a straight jump can turn past an obstacle on one side. The arguments
// are the free bits of the cells beside it, beside the cell before, beside the cell after, and of
// the cell after.
static inline uint64_t astar_turns(AstarCorners corners, uint64_t beside, uint64_t behind,
                                   uint64_t ahead, uint64_t next)
{
    switch (corners) {
    case ASTAR_CORNERS_ANY: return ~beside & ahead;
    case ASTAR_CORNERS_ONE_FREE: return ~beside & ahead & next;
    default: return beside & ~behind;
    }
}

// Returns at which of 64 cells jumps in a straight direction stop.
static inline uint64_t astar_stops_of(AstarCorners corners, const AstarNeighbors *around,
                                      int direction)
{
    const uint64_t *straight = around->straight, *across = around->across;
    int right = (direction + 1) & 3, behind = (direction + 2) & 3, left = (direction + 3) & 3;
    uint64_t next = straight[direction];
    return ~around->here |
           astar_turns(corners, straight[right], across[right], across[direction], next) |
           astar_turns(corners, straight[left], across[behind], across[left], next);
}

// Returns at which of 64 cells a diagonal step is legal.
static inline uint64_t astar_can_slant(AstarCorners corners, const AstarNeighbors *around,
                                       int slant)
{
    uint64_t beside = around->straight[slant], upright = around->straight[(slant + 1) & 3];
    switch (corners) {
    case ASTAR_CORNERS_ANY: return around->across[slant];
    case ASTAR_CORNERS_ONE_FREE: return around->across[slant] & (beside | upright);
    default: return around->across[slant] & beside & upright;
    }
}

// Returns at which of 64 free cells a diagonal jump can turn: a cell beside the one that it came
// from is blocked, and the step past that corner is legal.
static inline uint64_t astar_slant_turns(AstarCorners corners, const AstarNeighbors *around,
                                         int slant)
{
    int next = (slant + 1) & 3, last = (slant + 3) & 3;
    if (corners == ASTAR_CORNERS_BOTH_FREE)
        return 0;
    return ((~around->straight[(slant + 2) & 3] & astar_can_slant(corners, around, next)) |
            (~around->straight[last] & astar_can_slant(corners, around, last))) &
           around->here;
}

// A rectangle of cells; x1 and y1 are inclusive.
typedef struct AstarJumpCells {
    int x0, y0, x1, y1;
} AstarJumpCells;

// Sets or clears bits of a word.
ASTAR_SPECIALIZE void astar_put_in(uint64_t *word, uint64_t bits, bool value)
{
    *word = value ? *word | bits : *word & ~bits;
}

// Returns a word of the reach of a direction, on a map without diagonal steps.
static inline uint64_t *astar_reach_word(const AstarJumpBitmaps *jump, int direction, int y,
                                         size_t word)
{
    return astar_tile_word(&jump->runs.reach[direction], y, (int)word);
}

// For 64 cells of a row: where diagonal jumps of a direction end, and where of these they can turn.
typedef struct AstarSlantEnds {
    uint64_t ends, turns;
} AstarSlantEnds;

// Computes where diagonal jumps of all four directions end, for 64 cells of a row.
static inline void astar_find_ends(const AstarJumpBitmaps *jump, const AstarBits *walkable, int y,
                                   size_t word, AstarSlantEnds ends[4])
{
    AstarCorners corners = jump->rule->corners;
    AstarNeighbors around = astar_around_row(walkable, y, word);
    for (int slant = 0; slant < 4; slant++) {
        uint64_t turns = astar_slant_turns(corners, &around, slant);
        uint64_t stuck = around.here & ~astar_can_slant(corners, &around, slant);
        uint64_t irregular = astar_irregular_word(jump->irregular, y, word);
        ends[slant] = (AstarSlantEnds){stuck | turns | irregular, turns};
    }
}

// Without diagonal steps: returns at which of 64 cells of a row jumps along the row stop, because a
// jump point lies to the north or south or the jump cannot go on.
static inline uint64_t astar_find_aside(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                        int y, size_t word)
{
    return ~astar_row_at(walkable, y)[word] | astar_irregular_word(jump->irregular, y, word) |
           *astar_reach_word(jump, ASTAR_SOUTH, y, word) |
           *astar_reach_word(jump, ASTAR_NORTH, y, word);
}
#endif
