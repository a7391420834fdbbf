// jump_bits.h -- The layout of the bitmaps for jumps in memory, and how they are read. See
// jump_bitmaps.c.

#ifndef ASTAR_JUMP_BITS_H
#define ASTAR_JUMP_BITS_H

#include "base/bits.h"
#include "base/thread.h"
#include "rules/corner_rules.h"

// The four straight directions.
typedef enum AstarStraight { ASTAR_EAST, ASTAR_SOUTH, ASTAR_WEST, ASTAR_NORTH } AstarStraight;
// Diagonal directions, each between two directions of AstarStraight.
typedef enum AstarDiagonal {
    ASTAR_SOUTH_EAST, // between east and south, and so on
    ASTAR_SOUTH_WEST,
    ASTAR_NORTH_WEST,
    ASTAR_NORTH_EAST
} AstarDiagonal;

static inline int astar_straight_dx(AstarStraight direction)
{
    return (direction == ASTAR_EAST) - (direction == ASTAR_WEST);
}

static inline int astar_straight_dy(AstarStraight direction)
{
    return (direction == ASTAR_SOUTH) - (direction == ASTAR_NORTH);
}

// Number of words in a cache line. If the data of a search is no longer in the caches, the search
// waits for each cache line that it reads. Words that are read together therefore lie in one line,
// and cells close on the map are close in memory. Lines of another size only make searches slower.
enum { ASTAR_LINE_WORDS = 8 };

// A bitmap whose rows are stored in tiles of 8 rows by 64 columns. Each tile is a cache line.
typedef struct AstarTiles {
    uint64_t *words;
    size_t stride; // number of tiles in a row of tiles
} AstarTiles;

// Bits of 8 x 8 cells and of the cells around them, ten bits per row: 1 if a cell is free. The
// first word has rows -1 to 4, and the second word has rows 3 to 8.
typedef struct AstarPatch {
    uint64_t free[2];
} AstarPatch;

// Kinds of bits of a cell for one diagonal direction. ASTAR_ENDS: a diagonal jump ends at the cell.
// ASTAR_STRAIGHT_JUMP: a straight jump from the cell ends at a jump point; the straight direction
// has the same number as the diagonal direction. ASTAR_STRAIGHT_JUMP_NEXT: a straight jump from the
// cell in the next straight direction ends at a jump point. ASTAR_FORCED: a diagonal jump that ends
// at the cell can turn past a corner there.
typedef enum AstarOnDiagonal {
    ASTAR_ENDS,
    ASTAR_STRAIGHT_JUMP,
    ASTAR_STRAIGHT_JUMP_NEXT,
    ASTAR_FORCED
} AstarOnDiagonal;

enum {
    ASTAR_STRIP = 16
}; // number of columns in a word, which has 16 bits of each kind of AstarOnDiagonal

// The bitmaps that jumps read. Coordinates include the border: cell (x, y) is stored at (x + 1, y +
// 1), so that coordinates are positions of bits.
typedef struct AstarJumpBits {
    // Stops of straight jumps, by AstarStraight. The arrays for south and north are transposed.
    // Without diagonal steps east and west share one array.
    AstarTiles stops[4];
    uint64_t *diagonals[4]; // words of diagonals, by AstarDiagonal; NULL without diagonal steps
    size_t strip;           // number of words of a strip, of all four diagonal directions
    AstarPatch *patches;
    size_t patch_stride; // number of patches in a row of patches
    // Only without diagonal steps: the cells whose jumps to the south or north end at a jump point.
    // These arrays are not transposed. With diagonal steps 'diagonals' holds these bits.
    AstarTiles reach[4];
} AstarJumpBits;

// The bitmaps for jumps under one corner rule.
typedef struct AstarJumpBitmaps {
    AstarAllocator allocator;
    // Non-uniform cells, at which every jump ends, and the same bitmap transposed. These two
    // bitmaps belong to another layer. NULL if all ground is uniform.
    const AstarBits *nonuniform, *nonuniform_columns;
    struct AstarJumpBitmaps *next; // next bitmaps of the same walkable bits
    ASTAR_ATOMIC(bool) stale;      // true if they have to be updated before they are read
    uint8_t pass;                  // pass of the present update
    int32_t unit;                  // number of the next work unit within the pass
    // The dead ends of the map once all of them are known, else NULL.
    ASTAR_ATOMIC(struct AstarDeadEnds *) known_dead_ends;
    const AstarCornerRule *rule;
    AstarJumpBits runs;
    int32_t width, height;
    AstarBits columns;  // transposed walkable bits: one row for each column of the map
    void *block;        // memory that holds all these bitmaps
    size_t block_lines; // length of 'block' in cache lines
    uint8_t
        *bands; // state of each band of 64 rows, then of each band of 64 columns; see jump_making.h
    uint64_t carry; // during an update: reach that spreads to the next square of the band
    bool was_made;  // during an update: true if 'carry' comes from a square that was rebuilt
    struct AstarDeadEnds *dead_ends; // record of dead ends; NULL: none are known
} AstarJumpBitmaps;

// Returns true if bitmaps exist and are up to date.
static inline bool astar_jump_is_current(const AstarJumpBitmaps *jump)
{
    return jump != NULL && !astar_get(&jump->stale);
}

// Returns true if diagonal jumps can turn under the corner rule. Diagonal jumps cannot turn if the
// rule cuts no corner.
static inline bool astar_has_forced_on_diagonals(const AstarJumpBitmaps *jump)
{
    return jump->rule->corners != ASTAR_CORNERS_BOTH_FREE;
}

// Sets the pointers to the words of the four diagonal directions. Strips follow each other in
// memory, and each strip holds the words of the four directions, so that few pages are touched.
// Each diagonal has one word per strip. The words have the order in which diagonals cross the
// columns: an edit changes many neighbouring diagonals, whose words lie together.
static inline void astar_diagonals_at(AstarJumpBits *runs, uint64_t *words)
{
    for (size_t i = 0; i < 4 && words != NULL; i++)
        runs->diagonals[i] = words + i * (runs->strip / 4);
}

// Returns true if diagonals of a direction rise to the east.
static inline bool astar_is_rising(int diagonal)
{
    return (diagonal & 1) != 0; // south-west and north-east
}

// Returns the words of diagonals for the strip that contains column x.
static inline uint64_t *astar_strip_at(const AstarJumpBits *runs, int diagonal, int x)
{
    return runs->diagonals[diagonal] + (size_t)x / ASTAR_STRIP * runs->strip;
}

// Returns the word of a diagonal that holds the bits of cell (x, y).
static inline uint64_t *astar_diagonal_word(const AstarJumpBits *runs, int diagonal, int x, int y)
{
    int column = x & (ASTAR_STRIP - 1);
    int line = y + (astar_is_rising(diagonal) ? column : ASTAR_STRIP - 1 - column);
    return astar_strip_at(runs, diagonal, x) + line;
}

// Returns the bit of a kind for column x from a word of a diagonal.
static inline unsigned astar_diagonal_bit(uint64_t word, AstarOnDiagonal kind, int x)
{
    return (unsigned)(word >> ((unsigned)kind * ASTAR_STRIP + (unsigned)x % ASTAR_STRIP)) & 1;
}

// Returns a word of a row of bits from a bitmap that is stored in tiles.
static inline uint64_t *astar_tile_word(const AstarTiles *tiles, int row, int word)
{
    size_t tile = (size_t)(row >> 3) * tiles->stride + (size_t)word;
    return tiles->words + tile * ASTAR_LINE_WORDS + (row & 7);
}

// Returns the position of the first set bit at or after a position in a row. The row must have such
// a bit.
static inline int astar_tiles_from(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 << (position & 63);
    for (position &= ~63; bits == 0; position += 64)
        bits = *(word += ASTAR_LINE_WORDS);
    return position + astar_lowest_bit(bits);
}

// Returns the position of the last set bit at or before a position in a row. The row must have such
// a bit.
static inline int astar_tiles_until(const AstarTiles *tiles, int row, int position)
{
    const uint64_t *word = astar_tile_word(tiles, row, position >> 6);
    uint64_t bits = *word & ~(uint64_t)0 >> (63 - (position & 63));
    for (position &= ~63; bits == 0; position -= 64)
        bits = *(word -= ASTAR_LINE_WORDS);
    return position + astar_highest_bit(bits);
}

// Returns a bit of a row of bits from a bitmap that is stored in tiles.
static inline unsigned astar_tile_bit(const AstarTiles *tiles, int row, int position)
{
    return (unsigned)(*astar_tile_word(tiles, row, position >> 6) >> (position & 63)) & 1;
}

// Returns the bit of a bitmap at a row and position, both including the border.
static inline unsigned astar_bit_at(const AstarBits *bits, int row, int position)
{
    uint64_t word = bits->words[(size_t)row * bits->stride + ((size_t)position >> 6)];
    return (unsigned)(word >> (position & 63)) & 1;
}

// Returns a row of a bitmap. The row number includes the border.
static inline const uint64_t *astar_row_at(const AstarBits *bits, int row)
{
    return bits->words + (size_t)row * bits->stride;
}

// Returns the patch that holds the free bits of cell (x, y).
static inline AstarPatch *astar_patch_at(const AstarJumpBits *runs, int x, int y)
{
    return &runs->patches[(size_t)(y >> 3) * runs->patch_stride + (size_t)(x >> 3)];
}

// Returns the free bits of the 3 x 3 cells around a cell, in the form that astar_is_free_by reads.
static inline unsigned astar_around(const AstarJumpBits *runs, int x, int y)
{
    uint64_t free = astar_patch_at(runs, x, y)->free[y >> 2 & 1];
    return (unsigned)(free >> ((y & 3) * 10 + (x & 7)));
}

// Returns 1 if the cell at offset (dx, dy) is free, else 0. 'around' is the result of astar_around.
static inline unsigned astar_is_free_by(unsigned around, int dx, int dy)
{
    return around >> (10 * (dy + 1) + dx + 1) & 1;
}

// Returns true if a cell is free.
static inline bool astar_is_free_at(const AstarJumpBits *runs, int x, int y)
{
    return astar_is_free_by(astar_around(runs, x, y), 0, 0) != 0;
}

#endif
