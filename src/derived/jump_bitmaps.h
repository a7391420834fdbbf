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
    const AstarBits
        *irregular;           // cells at which every run ends, kept elsewhere; NULL, at first: none
    ASTAR_ATOMIC(bool) stale; // to be rebuilt before it is read
    int32_t width, height;
    int32_t wrap;        // rows of each bitmap of events
    AstarBits columns;   // the walkable bits turned: a row for each column
    AstarBits stops[4];  // by AstarStraight; those of south and north are turned
    AstarBits events[4]; // by AstarSlant; none where no step is diagonal
    uint8_t *reach;      // of each cell half a byte: the straight runs from it that end at a turn
    size_t reach_stride; // bytes a row
    struct AstarJumpBitmaps *next; // of those of a walkable bitmap that know irregular cells
} AstarJumpBitmaps;

AstarStatus astar_jump_new(const AstarAllocator *allocator, int width, int height,
                           AstarDiagonals rule, AstarJumpBitmaps **out);
void astar_jump_free(AstarJumpBitmaps *jump);
size_t astar_jump_bytes(const AstarJumpBitmaps *jump);

// Builds everything from the walkable bits, if it is stale.
void astar_jump_update(AstarJumpBitmaps *jump, const AstarBits *walkable);
// Repairs what the flip of the bit of cell (x, y) has changed.
void astar_jump_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);
// The same of its irregular bit.
void astar_jump_irregular_edited(AstarJumpBitmaps *jump, const AstarBits *walkable, int x, int y);

// The row of the events of a slant that (x, y) lies on, of 'wrap' rows.
static inline int32_t astar_event_row(int32_t wrap, AstarSlant slant, int x, int y)
{
    bool rising = slant == ASTAR_NORTH_EAST || slant == ASTAR_SOUTH_WEST;
    int32_t row = rising ? x + y : x - y;
    if (row < 0)
        return row + wrap;
    return row >= wrap ? row - wrap : row;
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
// turn.
static inline unsigned astar_reachable_at(const uint8_t *reach, size_t stride, int x, int y)
{
    return reach[(size_t)y * stride + ((size_t)x >> 1)] >> ((x & 1) * 4) & 0xF;
}

static inline const uint64_t *astar_row_at(const AstarBits *bits, int row)
{
    return bits->words + (size_t)row * bits->stride;
}

#endif
