// jump_bits.h -- The layout of the bitmaps for jumps in memory, and how they are read. See
// jump_bitmaps.c.

#ifndef ASTAR_JUMP_BITS_H
#define ASTAR_JUMP_BITS_H

#include "base/bits.h"
#include "base/thread.h"
#include "rules/corner_rules.h"

// The four straight directions.
typedef enum AstarStraight { ASTAR_EAST, ASTAR_SOUTH, ASTAR_WEST, ASTAR_NORTH } AstarStraight;
// Diagonal directions, each between two straight ones.
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

// Words in a cache line. A search whose memory has left the caches waits for each line that it
// reads. Words that are read together therefore lie in one line, and cells close on the map are
// close in memory. Lines of another size only cost speed.
enum { ASTAR_LINE_WORDS = 8 };

// Bits by rows, in tiles of 8 rows by 64 columns. Each tile is a cache line.
typedef struct AstarTiles {
    uint64_t *words;
    size_t stride; // number of tiles in a row of tiles
} AstarTiles;

// The free bits of 8 x 8 cells and the cells around them, ten bits per row: rows -1 to 4, and rows
// 3 to 8.
typedef struct AstarPatch {
    uint64_t free[2];
} AstarPatch;

// Bits of a cell for one diagonal direction: a diagonal jump ends there; a straight jump from there
// ends at a jump point, in the direction with the same number as the diagonal one; the same for the
// next straight direction; and a diagonal jump that ends there can turn past a corner that it cuts.
typedef enum AstarOnSlant { ASTAR_ENDS, ASTAR_ASIDE, ASTAR_ASIDE_NEXT, ASTAR_TURNS } AstarOnSlant;

enum { ASTAR_STRIP = 16 }; // columns in a word, which has 16 bits of each of the four kinds

// The bitmaps that jumps read. Coordinates include the border: cell (x, y) is at (x + 1, y + 1),
// which makes them positions of bits.
typedef struct AstarRunBits {
    AstarTiles stops[4]; // stops of straight jumps, by AstarStraight; those to the south and north
                         // are transposed; without diagonal steps east and west share one array
    uint64_t *slants[4]; // by AstarSlant; NULL without diagonal steps; see astar_slant_word
    size_t strip;        // words of a strip of all four directions
    AstarPatch *patches;
    size_t patch_stride; // number of patches in a row of patches
    AstarTiles reach[4]; // only without diagonal steps: the cells whose jumps to the south or north
                         // end at a jump point, not transposed; with diagonal steps 'slants' holds
                         // this
} AstarRunBits;

// The bitmaps for jumps under one corner rule.
typedef struct AstarJumpBitmaps {
    AstarAllocator allocator;
    // Non-uniform cells, at which every jump ends, and the same transposed. They belong to another
    // layer. NULL: all ground is uniform.
    const AstarBits *irregular, *irregular_columns;
    struct AstarJumpBitmaps *next; // next bitmaps of the same walkable bits
    ASTAR_ATOMIC(bool) stale;      // true if they have to be updated before they are read
    uint8_t pass;                  // pass over the bands that an update is in
    int32_t unit;                  // next unit of an update within that pass
    // The dead ends if all are known, else NULL.
    ASTAR_ATOMIC(struct AstarDeadEnds *) known_dead_ends;
    const AstarCornerRule *rule;
    AstarRunBits runs;
    int32_t width, height;
    AstarBits columns;  // walkable bits, transposed: a row for each column
    void *block;        // memory of all these bitmaps
    size_t block_lines; // its length in cache lines
    uint8_t *bands;     // state of each band of 64 rows, then of 64 columns; see jump_making.h
    uint64_t carry;     // during an update: the values that spread on along the band
    bool was_made;      // during an update: true if they spread from a square that was rebuilt
    struct AstarDeadEnds *dead_ends; // what is known of dead ends; NULL: nothing
} AstarJumpBitmaps;

// Returns true if bitmaps exist and are up to date.
static inline bool astar_jump_is_current(const AstarJumpBitmaps *jump)
{
    return jump != NULL && !astar_get(&jump->stale);
}

// Returns true if diagonal jumps can turn. Under a rule that cuts no corner they cannot.
static inline bool astar_has_slant_turns(const AstarJumpBitmaps *jump)
{
    return jump->rule->corners != ASTAR_CORNERS_BOTH_FREE;
}

// Sets the arrays of the four diagonal directions. Strips follow each other in memory, and each
// strip holds the four directions, so that few pages are touched. Each diagonal has one word per
// strip, in the order in which diagonals cross the columns: an edit changes many neighbouring
// words, which then lie together.
static inline void astar_slants_at(AstarRunBits *runs, uint64_t *words)
{
    for (size_t i = 0; i < 4 && words != NULL; i++)
        runs->slants[i] = words + i * (runs->strip / 4);
}

// Returns true if diagonals of a direction rise to the east.
static inline bool astar_is_rising(int slant)
{
    return (slant & 1) != 0; // south-west and north-east
}

// Returns the words of the strip of column x.
static inline uint64_t *astar_strip_at(const AstarRunBits *runs, int slant, int x)
{
    return runs->slants[slant] + (size_t)x / ASTAR_STRIP * runs->strip;
}

// Returns the word with the bits of cell (x, y).
static inline uint64_t *astar_slant_word(const AstarRunBits *runs, int slant, int x, int y)
{
    int column = x & (ASTAR_STRIP - 1);
    int diagonal = y + (astar_is_rising(slant) ? column : ASTAR_STRIP - 1 - column);
    return astar_strip_at(runs, slant, x) + diagonal;
}

// Returns the bit of a kind for column x in a word of a diagonal.
static inline unsigned astar_slant_bit(uint64_t word, AstarOnSlant kind, int x)
{
    return (unsigned)(word >> ((unsigned)kind * ASTAR_STRIP + (unsigned)x % ASTAR_STRIP)) & 1;
}

// Returns a word of a row in an array of tiles.
static inline uint64_t *astar_tile_word(const AstarTiles *tiles, int row, int word)
{
    size_t tile = (size_t)(row >> 3) * tiles->stride + (size_t)word;
    return tiles->words + tile * ASTAR_LINE_WORDS + (row & 7);
}

// Returns the position of the first set bit at or after a position in a row. There must be one.
static inline int astar_tiles_from(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 << (position & 63);
    for (position &= ~63; bits == 0; position += 64)
        bits = *(word += ASTAR_LINE_WORDS);
    return position + astar_lowest_bit(bits);
}

// Returns the position of the last set bit at or before a position in a row. There must be one.
static inline int astar_tiles_until(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 >> (63 - (position & 63));
    for (position &= ~63; bits == 0; position -= 64)
        bits = *(word -= ASTAR_LINE_WORDS);
    return position + astar_highest_bit(bits);
}

// Returns a bit of a row in an array of tiles.
static inline unsigned astar_tile_bit(const AstarTiles *tiles, int row, int position)
{
    return (unsigned)(*astar_tile_word(tiles, row, position >> 6) >> (position & 63)) & 1;
}

// Returns a bit of a bitmap by row and position.
static inline unsigned astar_bit_at(const AstarBits *bits, int row, int position)
{
    uint64_t word = bits->words[(size_t)row * bits->stride + ((size_t)position >> 6)];
    return (unsigned)(word >> (position & 63)) & 1;
}

// Returns a row of a bitmap.
static inline const uint64_t *astar_row_at(const AstarBits *bits, int row)
{
    return bits->words + (size_t)row * bits->stride;
}

// Returns the patch that contains cell (x, y).
static inline AstarPatch *astar_patch_at(const AstarRunBits *runs, int x, int y)
{
    return &runs->patches[(size_t)(y >> 3) * runs->patch_stride + (size_t)(x >> 3)];
}

// Returns the free bits of the 3 x 3 cells around a cell, to be read by astar_is_free_by.
static inline unsigned astar_around(const AstarRunBits *runs, int x, int y)
{
    uint64_t free = astar_patch_at(runs, x, y)->free[y >> 2 & 1];
    return (unsigned)(free >> ((y & 3) * 10 + (x & 7)));
}

// Returns 1 if the cell at an offset is free.
static inline unsigned astar_is_free_by(unsigned around, int dx, int dy)
{
    return around >> (10 * (dy + 1) + dx + 1) & 1;
}

// Returns true if a cell is free.
static inline bool astar_is_free_at(const AstarRunBits *runs, int x, int y)
{
    return astar_is_free_by(astar_around(runs, x, y), 0, 0) != 0;
}

#endif
