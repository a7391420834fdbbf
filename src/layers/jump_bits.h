// jump_bits.h -- how the bitmaps of jump_bitmaps.c lie in memory, and are read.

#ifndef ASTAR_JUMP_BITS_H
#define ASTAR_JUMP_BITS_H

#include "base/bits.h"
#include "base/thread.h"
#include "rules/corner_rules.h"

// Straight directions, and the diagonal ones between them.
typedef enum AstarStraight { ASTAR_EAST, ASTAR_SOUTH, ASTAR_WEST, ASTAR_NORTH } AstarStraight;
typedef enum AstarSlant {
    ASTAR_SOUTH_EAST, // between east and south, and so on
    ASTAR_SOUTH_WEST,
    ASTAR_NORTH_WEST,
    ASTAR_NORTH_EAST
} AstarSlant;

static inline int astar_straight_dx(AstarStraight direction)
{
    return (direction == ASTAR_EAST) - (direction == ASTAR_WEST);
}

static inline int astar_straight_dy(AstarStraight direction)
{
    return (direction == ASTAR_SOUTH) - (direction == ASTAR_NORTH);
}

// A search whose memory has long left the caches waits for each line it reads, so what is read
// together lies in one, and what lies close on the map is close in memory. Lines of other sizes do
// no harm but to speed.
enum { ASTAR_LINE_WORDS = 8 };

// Bits by rows, in tiles of 8 rows x 64: a line each.
typedef struct AstarTiles {
    uint64_t *words;
    size_t stride; // tiles side by side
} AstarTiles;

// The free bits of 8 x 8 cells and of those about them, ten a row: of rows -1 to 4, and 3 to 8.
typedef struct AstarPatch {
    uint64_t free[2];
} AstarPatch;

// Of a slant and a cell, a bit each: a diagonal run ends there; a straight run from there, to one
// of its sides, ends at a turn, in the direction of the slant's number, and in the next; and where
// a diagonal run ends past a corner that is cut, that it can turn there itself.
typedef enum AstarOnSlant { ASTAR_ENDS, ASTAR_ASIDE, ASTAR_ASIDE_NEXT, ASTAR_TURNS } AstarOnSlant;

enum { ASTAR_STRIP = 16 }; // columns, of which a word has those bits: 16 of each kind

// What runs read. Coordinates here count the border: the cell (x, y) is at (x + 1, y + 1), so that
// they are positions of bits.
typedef struct AstarRunBits {
    AstarTiles stops[4]; // by AstarStraight; those of south and north are turned; where no step is
                         // diagonal those of east and west are the same
    uint64_t *slants[4]; // by AstarSlant; NULL where no step is diagonal; see astar_slant_word
    size_t strip;        // words of a strip of all four
    AstarPatch *patches;
    size_t patch_stride; // patches side by side
    AstarTiles reach[4]; // where no step is diagonal: the runs to the south and north, not turned,
                         // that end at a turn; elsewhere the slants know
} AstarRunBits;

typedef struct AstarJumpBitmaps {
    AstarAllocator allocator;
    // Cells at which every run ends, kept elsewhere, and the same turned; NULL: none.
    const AstarBits *irregular, *irregular_columns;
    struct AstarJumpBitmaps *next; // of those of a walkable bitmap
    ASTAR_ATOMIC(bool) stale;      // to be updated before it is read
    uint8_t pass;                  // how far an update has come with the bands taken,
    int32_t unit;                  // and within the pass
    // Turns that lead nowhere, if all are known; else NULL.
    ASTAR_ATOMIC(struct AstarDeadEnds *) known_dead_ends;
    const AstarCornerRule *rule;
    AstarRunBits runs;
    int32_t width, height;
    AstarBits columns;  // the walkable bits turned: a row for each column
    void *block;        // of memory, in which those lie
    size_t block_lines; // and how long that is
    uint8_t *bands;     // of rows, 64 each, then columns: which are to be made anew; see the file
    uint64_t carry;     // what spreads on along the band an update is at;
    bool was_made;      // out of a square that was made anew
    struct AstarDeadEnds *dead_ends; // what is known of those; NULL: nothing
} AstarJumpBitmaps;

static inline bool astar_jump_is_current(const AstarJumpBitmaps *jump)
{
    return jump != NULL && !astar_get(&jump->stale);
}

// Where no corner is cut, no diagonal run can turn.
static inline bool astar_has_slant_turns(const AstarJumpBitmaps *jump)
{
    return jump->rule->corners != ASTAR_CORNERS_BOTH_FREE;
}

// Strips lie after each other, in each the slants one by one, for few pages. A diagonal has a word,
// in the order they come down its columns: neighbours, of which an edit changes many, lie together.
static inline void astar_slants_at(AstarRunBits *runs, uint64_t *words)
{
    for (size_t i = 0; i < 4 && words != NULL; i++)
        runs->slants[i] = words + i * (runs->strip / 4);
}

static inline bool astar_is_rising(int slant)
{
    return (slant & 1) != 0; // south-west and north-east
}

static inline uint64_t *astar_strip_at(const AstarRunBits *runs, int slant, int x)
{
    return runs->slants[slant] + (size_t)x / ASTAR_STRIP * runs->strip;
}

static inline uint64_t *astar_slant_word(const AstarRunBits *runs, int slant, int x, int y)
{
    int column = x & (ASTAR_STRIP - 1);
    int diagonal = y + (astar_is_rising(slant) ? column : ASTAR_STRIP - 1 - column);
    return astar_strip_at(runs, slant, x) + diagonal;
}

// Of what a word of a slant has, a cell's bit of a kind.
static inline unsigned astar_slant_bit(uint64_t word, AstarOnSlant kind, int x)
{
    return (unsigned)(word >> ((unsigned)kind * ASTAR_STRIP + (unsigned)x % ASTAR_STRIP)) & 1;
}

static inline uint64_t *astar_tile_word(const AstarTiles *tiles, int row, int word)
{
    size_t tile = (size_t)(row >> 3) * tiles->stride + (size_t)word;
    return tiles->words + tile * ASTAR_LINE_WORDS + (row & 7);
}

// The first set bit at or after, and at or before, a position of a row. There must be one.
static inline int astar_tiles_from(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 << (position & 63);
    for (position &= ~63; bits == 0; position += 64)
        bits = *(word += ASTAR_LINE_WORDS);
    return position + astar_lowest_bit(bits);
}

static inline int astar_tiles_until(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 >> (63 - (position & 63));
    for (position &= ~63; bits == 0; position -= 64)
        bits = *(word -= ASTAR_LINE_WORDS);
    return position + astar_highest_bit(bits);
}

static inline unsigned astar_tile_bit(const AstarTiles *tiles, int row, int position)
{
    return (unsigned)(*astar_tile_word(tiles, row, position >> 6) >> (position & 63)) & 1;
}

// A bit of a bitmap by row and position.
static inline unsigned astar_bit_at(const AstarBits *bits, int row, int position)
{
    uint64_t word = bits->words[(size_t)row * bits->stride + ((size_t)position >> 6)];
    return (unsigned)(word >> (position & 63)) & 1;
}

static inline const uint64_t *astar_row_at(const AstarBits *bits, int row)
{
    return bits->words + (size_t)row * bits->stride;
}

static inline AstarPatch *astar_patch_at(const AstarRunBits *runs, int x, int y)
{
    return &runs->patches[(size_t)(y >> 3) * runs->patch_stride + (size_t)(x >> 3)];
}

// The 3 x 3 cells around one, a bit each where they are free: for astar_is_free_by.
static inline unsigned astar_around(const AstarRunBits *runs, int x, int y)
{
    uint64_t free = astar_patch_at(runs, x, y)->free[y >> 2 & 1];
    return (unsigned)(free >> ((y & 3) * 10 + (x & 7)));
}

static inline unsigned astar_is_free_by(unsigned around, int dx, int dy)
{
    return around >> (10 * (dy + 1) + dx + 1) & 1;
}

static inline bool astar_is_free_at(const AstarRunBits *runs, int x, int y)
{
    return astar_is_free_by(astar_around(runs, x, y), 0, 0) != 0;
}

#endif
