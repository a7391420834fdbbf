// jump_words.h -- what stops runs, and which straight ones end at a turn, 64 cells at a time.
//
// For the files that make and mend jump bitmaps. Coordinates count the border.

#ifndef ASTAR_JUMP_WORDS_H
#define ASTAR_JUMP_WORDS_H

#include "derived/jump_bitmaps.h"

// South and north run along the turned bitmaps; east and south towards higher positions.
static inline bool astar_is_turned(int direction)
{
    return direction == ASTAR_SOUTH || direction == ASTAR_NORTH;
}

static inline bool astar_is_upward(int direction)
{
    return direction == ASTAR_EAST || direction == ASTAR_SOUTH;
}

// East and west, too, are searched along their rows for what lies aside.
static inline bool astar_looks_aside(const AstarJumpBitmaps *jump, int direction)
{
    return !jump->rule->has_diagonals && !astar_is_turned(direction);
}

// Of the irregular cells, or of those turned.
static inline uint64_t astar_irregular_word(const AstarBits *irregular, int row, size_t word)
{
    return irregular != NULL ? astar_row_at(irregular, row)[word] : 0;
}

// ---- the cells around 64 others ----

// Of 64 cells of a row or a column, a bit each: whether they are free, and so their neighbours, by
// AstarStraight and AstarSlant.
typedef struct AstarNeighbors {
    uint64_t here, straight[4], across[4];
} AstarNeighbors;

// A word of a row, and the row moved by one position so that a cell's bit is that of the cell
// before it ('low') or after it ('high').
typedef struct AstarWindow {
    uint64_t here, low, high;
} AstarWindow;

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

// Of a word of a row of the walkable bits.
static inline AstarNeighbors astar_around_row(const AstarBits *walkable, int row, size_t word)
{
    AstarWindow above = astar_window_at(walkable, row - 1, word);
    AstarWindow at = astar_window_at(walkable, row, word);
    AstarWindow below = astar_window_at(walkable, row + 1, word);
    return (AstarNeighbors){at.here,
                            {at.high, below.here, at.low, above.here},
                            {below.high, below.low, above.low, above.high}};
}

// Of a word of a row of the bits turned: a column.
static inline AstarNeighbors astar_around_column(const AstarBits *columns, int column, size_t word)
{
    AstarWindow before = astar_window_at(columns, column - 1, word);
    AstarWindow at = astar_window_at(columns, column, word);
    AstarWindow after = astar_window_at(columns, column + 1, word);
    return (AstarNeighbors){at.here,
                            {after.here, at.high, before.here, at.low},
                            {after.high, before.high, before.low, after.low}};
}

// Where a run can turn past an obstacle on one side, from the bits of the cells beside it, beside
// the cell before, beside the cell after, and of the cell after.
static inline uint64_t astar_turns(AstarCorners corners, uint64_t beside, uint64_t behind,
                                   uint64_t ahead, uint64_t next)
{
    switch (corners) {
    case ASTAR_CORNERS_ANY: return ~beside & ahead;
    case ASTAR_CORNERS_ONE_FREE: return ~beside & ahead & next;
    default: return beside & ~behind;
    }
}

// The stops of a straight direction.
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

// Whether a diagonal step is legal.
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

// The free cells at which runs of a slant end, or can turn: a cell beside the one they came from
// is blocked, and past that corner the way is legal.
static inline uint64_t astar_slant_ends(AstarCorners corners, const AstarNeighbors *around,
                                        int slant)
{
    int next = (slant + 1) & 3, last = (slant + 3) & 3;
    uint64_t ends = ~astar_can_slant(corners, around, slant);
    if (corners != ASTAR_CORNERS_BOTH_FREE)
        ends |= (~around->straight[(slant + 2) & 3] & astar_can_slant(corners, around, next)) |
                (~around->straight[last] & astar_can_slant(corners, around, last));
    return ends & around->here;
}

// ---- stops ----

// Some cells, the last ones among them.
typedef struct AstarJumpCells {
    int x0, y0, x1, y1;
} AstarJumpCells;

// Works out the stops of some cells, from the free bits.
void astar_jump_put_stops(AstarJumpBitmaps *jump, const AstarBits *walkable, AstarJumpCells cells);

// ---- reach, of which each strip has 16 cells a word ----

// Sixteen bits, each moved to the first place of four.
static inline uint64_t astar_spread(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000FF000000FF);
    bits = (bits | bits << 12) & UINT64_C(0x000F000F000F000F);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    return (bits | bits << 3) & UINT64_C(0x1111111111111111);
}

// The first of each four bits, together.
static inline uint64_t astar_gather(uint64_t fours)
{
    fours &= UINT64_C(0x1111111111111111);
    fours = (fours | fours >> 3) & UINT64_C(0x0303030303030303);
    fours = (fours | fours >> 6) & UINT64_C(0x000F000F000F000F);
    fours = (fours | fours >> 12) & UINT64_C(0x000000FF000000FF);
    return (fours | fours >> 24) & UINT64_C(0xFFFF);
}

// How many strips the cells of a word lie in: four, but for the last.
static inline size_t astar_strips_of(const AstarJumpBitmaps *jump, size_t word)
{
    size_t strips = ((size_t)jump->width + 2 + 15) / 16 - 4 * word;
    return strips < 4 ? strips : 4;
}

static inline uint64_t *astar_reach_word(const AstarJumpBitmaps *jump, int x, int y)
{
    return &jump->reach[(size_t)(x >> 4) * jump->reach_stride + (size_t)y];
}

// The cells of 64 of a row at which there is something to see aside, or that are irregular: by
// slant, or without slants the first for all.
static inline void astar_look_aside(const AstarJumpBitmaps *jump, int y, size_t word,
                                    uint64_t events[4])
{
    for (int slant = 0; slant < 4; slant++)
        events[slant] |= astar_irregular_word(jump->irregular, y, word);
    for (size_t i = 0; i < astar_strips_of(jump, word); i++) {
        uint64_t fours = *astar_reach_word(jump, (int)(64 * word + 16 * i), y);
        if (!jump->rule->has_diagonals) {
            events[0] |= astar_gather(fours >> ASTAR_SOUTH | fours >> ASTAR_NORTH) << 16 * i;
            continue;
        }
        // Slant i lies between the straight directions i and i + 1.
        fours |= (fours >> 1 & UINT64_C(0x7777777777777777)) |
                 (fours << 3 & UINT64_C(0x8888888888888888));
        for (int slant = 0; slant < 4; slant++)
            events[slant] |= astar_gather(fours >> slant) << 16 * i;
    }
}

// The events of 64 cells of a row, by slant.
static inline void astar_find_events(const AstarJumpBitmaps *jump, const AstarBits *walkable, int y,
                                     size_t word, uint64_t events[4])
{
    AstarNeighbors around = astar_around_row(walkable, y, word);
    for (int slant = 0; slant < 4; slant++)
        events[slant] = astar_slant_ends(jump->rule->corners, &around, slant);
    astar_look_aside(jump, y, word, events);
}

// Gives those of 64 cells of a row that a mask has their reach in a direction.
static inline void astar_put_reach(AstarJumpBitmaps *jump, int direction, int y, size_t word,
                                   uint64_t mask, uint64_t reach)
{
    for (size_t i = 0; i < astar_strips_of(jump, word); i++) {
        uint64_t *fours = astar_reach_word(jump, (int)(64 * word + 16 * i), y);
        uint64_t put = astar_spread(mask >> 16 * i & 0xFFFF) << direction;
        *fours = (*fours & ~put) | (astar_spread(reach >> 16 * i & 0xFFFF) << direction & put);
    }
}

#endif
