// jump_bitmaps.h -- bitmaps of where a search over uniform ground must stop.

#ifndef ASTAR_JUMP_BITMAPS_H
#define ASTAR_JUMP_BITMAPS_H

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

// Coordinates here count the border: the cell (x, y) is at (x + 1, y + 1), so that they are
// positions of bits.
typedef struct AstarJumpBitmaps {
    AstarAllocator allocator;
    const AstarCornerRule *rule;
    // Cells at which every run ends, kept elsewhere, and the same turned; NULL: none.
    const AstarBits *irregular, *irregular_columns;
    struct AstarJumpBitmaps *next; // of those of a walkable bitmap that know irregular cells
    ASTAR_ATOMIC(bool) stale;      // to be updated before it is read
    int32_t width, height;
    int32_t wrap;        // diagonals of each bitmap of events
    AstarBits columns;   // the walkable bits turned: a row for each column
    AstarBits stops[4];  // by AstarStraight; those of south and north are turned; where no step is
                         // diagonal those of east and west are the same
    AstarBits events[4]; // by AstarSlant; none where no step is diagonal; see astar_event_word
    uint64_t *reach;     // of each cell four bits: the straight runs from it that end at a turn
    size_t reach_stride; // words a strip; see astar_reachable_at
    uint8_t *bands;      // of rows, 64 each, then columns: which are to be made anew; see the file
    int32_t pass, unit;  // how far that has come with those taken
} AstarJumpBitmaps;

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
void astar_jump_free(AstarJumpBitmaps *jump);
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);

// Builds what is stale from the walkable bits.
void astar_jump_update(AstarJumpBitmaps *jump, const AstarBits *walkable);
// Goes on with that; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_jump_advance(AstarJumpBitmaps *jump, const AstarBits *walkable, int64_t *work);
// Repairs what the flip of the bit of cell (x, y) has changed.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);
// The same of its irregular bit.
void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);
// Takes note that bits of a rectangle of cells may have flipped; or that any may. An update then
// takes as long as the rows and columns through the rectangle.
void astar_jump_area_edited(AstarJumpBitmaps *jump, int x, int y, int width, int height);
void astar_jump_outdate(AstarJumpBitmaps *jump);

// The diagonal of a slant that (x, y) lies on, of 'wrap'.
static inline int32_t astar_diagonal_of(int32_t wrap, AstarSlant slant, int x, int y)
{
    bool rising = slant == ASTAR_NORTH_EAST || slant == ASTAR_SOUTH_WEST;
    int32_t diagonal = rising ? x + y : x - y;
    if (diagonal < 0)
        return diagonal + wrap;
    return diagonal >= wrap ? diagonal - wrap : diagonal;
}

// The events lie in strips 64 cells wide, a word of each diagonal after the other, so that those of
// neighbours in a row or a column lie together: an edit changes many of either.
static inline uint64_t *astar_event_word(const AstarBits *events, int32_t wrap, int diagonal, int x)
{
    return events->words + (size_t)(x >> 6) * (size_t)wrap + diagonal;
}

// The first event of a diagonal at or after, and at or before, a cell in column x. There must be
// one.
static inline int astar_event_from(const AstarBits *events, int32_t wrap, int diagonal, int x)
{
    const uint64_t *word = astar_event_word(events, wrap, diagonal, x);
    uint64_t bits = *word & ~(uint64_t)0 << (x & 63);
    for (x &= ~63; bits == 0; x += 64)
        bits = *(word += wrap);
    return x + astar_lowest_bit(bits);
}

static inline int astar_event_until(const AstarBits *events, int32_t wrap, int diagonal, int x)
{
    const uint64_t *word = astar_event_word(events, wrap, diagonal, x);
    uint64_t bits = *word & ~(uint64_t)0 >> (63 - (x & 63));
    for (x &= ~63; bits == 0; x -= 64)
        bits = *(word -= wrap);
    return x + astar_highest_bit(bits);
}

// The first set bit at or after, and at or before, a position of a row. There must be one.
static inline int astar_bit_from(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = row[word] & ~(uint64_t)0 << (position & 63);
    while (bits == 0)
        bits = row[++word];
    return (int)(word << 6) + astar_lowest_bit(bits);
}

static inline int astar_bit_until(const uint64_t *row, int position)
{
    size_t word = (size_t)position >> 6;
    uint64_t bits = row[word] & ~(uint64_t)0 >> (63 - (position & 63));
    while (bits == 0)
        bits = row[--word];
    return (int)(word << 6) + astar_highest_bit(bits);
}

// A bit of a bitmap by row and position.
static inline unsigned astar_bit_at(const AstarBits *bits, int row, int position)
{
    uint64_t word = bits->words[(size_t)row * bits->stride + ((size_t)position >> 6)];
    return (unsigned)(word >> (position & 63)) & 1;
}

// A set of the straight directions, bit d for direction d, in which the run from (x, y) ends at a
// turn. It lies in strips 16 cells wide, a word of each row after the other.
static inline unsigned astar_reachable_at(const uint64_t *reach, size_t stride, int x, int y)
{
    return (unsigned)(reach[(size_t)(x >> 4) * stride + (size_t)y] >> ((x & 15) * 4)) & 0xF;
}

static inline const uint64_t *astar_row_at(const AstarBits *bits, int row)
{
    return bits->words + (size_t)row * bits->stride;
}

#endif
