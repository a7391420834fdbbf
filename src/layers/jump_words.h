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

// Returns true if jumps in a direction stop at cells from which a jump point is visible to a side:
// jumps to the east and west, without diagonal steps.
static inline bool astar_looks_aside(const AstarJumpBitmaps *jump, int direction)
{
    return !jump->rule->has_diagonals && !astar_is_turned(direction);
}

// Returns a word of a row of non-uniform cells, or 0 if all ground is uniform.
static inline uint64_t astar_nonuniform_word(const AstarBits *nonuniform, int row, size_t word)
{
    return nonuniform != NULL ? astar_row_at(nonuniform, row)[word] : 0;
}

// Returns true if, by the bitmaps, the straight jump from a cell ends at a jump point.
static inline bool astar_has_reach(const AstarJumpBitmaps *jump, int direction, int x, int y)
{
    const AstarJumpBits *runs = &jump->runs;
    if (jump->rule->has_diagonals)
        return astar_diagonal_bit(*astar_diagonal_word(runs, direction, x, y), ASTAR_STRAIGHT_JUMP,
                                  x) != 0;
    return astar_tile_bit(&runs->reach[direction], y, x) != 0;
}

// The following declarations are about the cells around 64 cells of a row or column.

// Sets of 64 cells of a row or column, one bit per cell. 'here': the cell is free. 'straight' and
// 'across': its neighbour in a direction of AstarStraight or AstarDiagonal is free.
typedef struct AstarNeighbors {
    uint64_t here, straight[4], across[4];
} AstarNeighbors;

// A word of a row, and copies of the row shifted by one cell. In 'low' the bit of a cell has the
// value of the cell before it, and in 'high' the value of the cell after it.
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

// Returns the free bits around 64 cells of a row.
static inline AstarNeighbors astar_around_row(const AstarBits *walkable, int row, size_t word)
{
    AstarWindow above = astar_window_at(walkable, row - 1, word);
    AstarWindow at = astar_window_at(walkable, row, word);
    AstarWindow below = astar_window_at(walkable, row + 1, word);
    return (AstarNeighbors){at.here,
                            {at.high, below.here, at.low, above.here},
                            {below.high, below.low, above.low, above.high}};
}

// Returns the free bits around 64 cells of a column, from the transposed bits.
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
// are free bits: of the cell on that side ('beside'), of the cells before and after that cell
// ('behind' and 'ahead'), and of the next cell of the jump ('next').
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

// Returns at which of 64 cells a diagonal step out of the cell is legal.
static inline uint64_t astar_can_diagonal(AstarCorners corners, const AstarNeighbors *around,
                                          int diagonal)
{
    uint64_t beside = around->straight[diagonal], upright = around->straight[(diagonal + 1) & 3];
    switch (corners) {
    case ASTAR_CORNERS_ANY: return around->across[diagonal];
    case ASTAR_CORNERS_ONE_FREE: return around->across[diagonal] & (beside | upright);
    default: return around->across[diagonal] & beside & upright;
    }
}

// Returns at which of 64 free cells a diagonal jump has a forced neighbour. There, a cell next to
// both this cell and the previous one is blocked, and the diagonal step past its corner is legal.
static inline uint64_t astar_diagonal_turns(AstarCorners corners, const AstarNeighbors *around,
                                            int diagonal)
{
    int next = (diagonal + 1) & 3, last = (diagonal + 3) & 3;
    if (corners == ASTAR_CORNERS_BOTH_FREE)
        return 0;
    return ((~around->straight[(diagonal + 2) & 3] & astar_can_diagonal(corners, around, next)) |
            (~around->straight[last] & astar_can_diagonal(corners, around, last))) &
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

// Returns a word of the reach bits for a direction, on a map without diagonal steps.
static inline uint64_t *astar_reach_word(const AstarJumpBitmaps *jump, int direction, int y,
                                         size_t word)
{
    return astar_tile_word(&jump->runs.reach[direction], y, (int)word);
}

// Sets of 64 cells of a row: the cells at which diagonal jumps of a direction end, and those of
// them at which the jumps can turn.
typedef struct AstarDiagonalEnds {
    uint64_t ends, turns;
} AstarDiagonalEnds;

// Computes where diagonal jumps of all four directions end among 64 cells of a row.
static inline void astar_find_ends(const AstarJumpBitmaps *jump, const AstarBits *walkable, int y,
                                   size_t word, AstarDiagonalEnds ends[4])
{
    AstarCorners corners = jump->rule->corners;
    AstarNeighbors around = astar_around_row(walkable, y, word);
    for (int diagonal = 0; diagonal < 4; diagonal++) {
        uint64_t turns = astar_diagonal_turns(corners, &around, diagonal);
        uint64_t stuck = around.here & ~astar_can_diagonal(corners, &around, diagonal);
        uint64_t nonuniform = astar_nonuniform_word(jump->nonuniform, y, word);
        ends[diagonal] = (AstarDiagonalEnds){stuck | turns | nonuniform, turns};
    }
}

// Returns at which of 64 cells of a row jumps along the row stop, on a map without diagonal steps.
// A jump stops if a jump point lies to the north or south, or if the jump cannot continue.
static inline uint64_t astar_find_aside(const AstarJumpBitmaps *jump, const AstarBits *walkable,
                                        int y, size_t word)
{
    return ~astar_row_at(walkable, y)[word] | astar_nonuniform_word(jump->nonuniform, y, word) |
           *astar_reach_word(jump, ASTAR_SOUTH, y, word) |
           *astar_reach_word(jump, ASTAR_NORTH, y, word);
}
#endif
