// bits.h -- a matrix of bits, one for each cell, with a border of zeros all around.
//
// The border makes every cell's eight neighbours exist, so nothing that reads around a cell tests
// bounds. Rows start at a word, so that whole words of a row and its neighbours line up.

#ifndef ASTAR_BITS_H
#define ASTAR_BITS_H

#include "base/alloc.h"

typedef struct AstarBits {
    uint64_t *words;
    size_t stride; // words a row
    size_t count;  // words in all
} AstarBits;

// For functions whose arguments are constants where they are called, a version for each; but one
// for all in a build that counts which of their lines ran.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(ASTAR_COVERAGE)
#define ASTAR_SPECIALIZE static inline __attribute__((always_inline))
#else
#define ASTAR_SPECIALIZE static inline
#endif

// For functions that stand in many of those, and would grow them beyond measure.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_ONCE static __attribute__((noinline))
#else
#define ASTAR_ONCE static
#endif

// For functions that are called once a build, a save or a job, in files that also hold hot ones:
// GCC and clang make them small and put them apart from the code that every query runs through.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_COLD __attribute__((cold))
#else
#define ASTAR_COLD
#endif

// For functions that most questions run through. They are put side by side, where a linker can: out
// of a cold cache the pages of code take as long as its lines.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_HOT __attribute__((hot))
#else
#define ASTAR_HOT
#endif

// Has memory brought nearer that is soon to be read. The address need not be one of an object's.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_PREFETCH(address) __builtin_prefetch((const void *)(address))
#else
#define ASTAR_PREFETCH(address) ((void)(address))
#endif

static inline int astar_lesser(int a, int b)
{
    return a < b ? a : b;
}

static inline int astar_greater(int a, int b)
{
    return a > b ? a : b;
}

#if defined(__GNUC__) || defined(__clang__)
static inline int astar_lowest_bit(uint64_t word)
{
    return __builtin_ctzll(word);
}

static inline int astar_highest_bit(uint64_t word)
{
    return 63 - __builtin_clzll(word);
}
#else
static inline int astar_lowest_bit(uint64_t word)
{
    int bit = 0;
    for (; (word & 1) == 0; word >>= 1)
        bit++;
    return bit;
}

static inline int astar_highest_bit(uint64_t word)
{
    int bit = 0;
    while (word >>= 1)
        bit++;
    return bit;
}
#endif

// Allocates a cleared matrix; its words are NULL when there is no memory.
static inline AstarBits astar_bits_new(const AstarAllocator *allocator, int width, int height)
{
    AstarBits bits = {NULL, ((size_t)width + 2 + 63) / 64, 0};
    bits.count = bits.stride * ((size_t)height + 2);
    bits.words = astar_alloc(allocator, bits.count, sizeof *bits.words);
    return bits;
}

static inline void astar_bits_free(const AstarAllocator *allocator, AstarBits *bits)
{
    astar_release(allocator, bits->words, bits->count, sizeof *bits->words);
    bits->words = NULL;
}

// Row y, whose bit 0 is the border's: cell x is bit x + 1.
static inline uint64_t *astar_bits_row(const AstarBits *bits, int y)
{
    return bits->words + (size_t)(y + 1) * bits->stride;
}

static inline bool astar_bits_get(const AstarBits *bits, int x, int y)
{
    size_t bit = (size_t)(x + 1);
    return (astar_bits_row(bits, y)[bit >> 6] >> (bit & 63)) & 1;
}

static inline void astar_bits_put(const AstarBits *bits, int x, int y, bool value)
{
    size_t bit = (size_t)(x + 1);
    uint64_t *word = astar_bits_row(bits, y) + (bit >> 6), mask = (uint64_t)1 << (bit & 63);
    *word = value ? *word | mask : *word & ~mask;
}

// The bits of a word of a row that lie from its bit 'first' to its bit 'last'.
static inline uint64_t astar_bits_mask(size_t word, size_t first, size_t last)
{
    uint64_t mask = UINT64_MAX;
    if (word == first >> 6)
        mask &= UINT64_MAX << (first & 63);
    if (word == last >> 6)
        mask &= UINT64_MAX >> (63 - (last & 63));
    return mask;
}

// Puts 'width' cells of a row from 'x' on, a word at a time; true when any had the other value.
static inline bool astar_bits_put_row(AstarBits *bits, int x, int y, int width, bool value)
{
    uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    bool changed = false;
    for (size_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t mask = astar_bits_mask(word, first, last);
        uint64_t put = value ? row[word] | mask : row[word] & ~mask;
        changed |= put != row[word];
        row[word] = put;
    }
    return changed;
}

// By pairs, fours and bytes: a compiler's own function may lie in a library of its, which a module
// for Windows would have to bring along.
static inline uint32_t astar_count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

// How many of 'width' cells of a row from 'x' on are set.
static inline uint32_t astar_bits_count(const AstarBits *bits, int x, int y, int width)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    uint32_t count = 0;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        count += astar_count_bits(row[word] & astar_bits_mask(word, first, last));
    return count;
}

// How many cells of row y, which has 'width', are like the one at x from there on, a word at a
// time. A run of ones ends at the border's zero.
static inline int astar_bits_run(const AstarBits *bits, int x, int y, int width)
{
    const uint64_t *row = astar_bits_row(bits, y);
    uint64_t like = astar_bits_get(bits, x, y) ? UINT64_MAX : 0;
    size_t first = (size_t)x + 1, last = (size_t)width, word = first >> 6;
    uint64_t other = (row[word] ^ like) & UINT64_MAX << (first & 63);
    while (other == 0 && word < last >> 6)
        other = row[++word] ^ like;
    return other == 0 ? width - x : (int)(word * 64 + (size_t)astar_lowest_bit(other) - first);
}

// Whether any of the 'count' bits from x on is set.
static inline bool astar_any_bit(const AstarBits *bits, int x, int y, int count)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)x + 1, last = first + (size_t)count - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        if ((row[word] & astar_bits_mask(word, first, last)) != 0)
            return true;
    return false;
}

// The bits of x - 1, x and x + 1 in a row, the lowest first.
static inline unsigned astar_bits_three(const uint64_t *row, int x)
{
    size_t word = (size_t)x >> 6;
    unsigned shift = (unsigned)x & 63;
    uint64_t bits = row[word] >> shift;
    if (shift > 61)
        bits |= row[word + 1] << (64 - shift);
    return (unsigned)bits & 7;
}

// The nine bits of (x, y) and those around it, row by row from the north-west, the lowest first.
// The edges lie in the border.
ASTAR_SPECIALIZE unsigned astar_bits_nine(const AstarBits *bits, int x, int y)
{
    const uint64_t *row = astar_bits_row(bits, y);
    const uint64_t *above = row - bits->stride, *below = row + bits->stride;
    size_t word = (size_t)x >> 6;
    unsigned shift = (unsigned)x & 63;
    if (shift > 61)
        return astar_bits_three(above, x) | astar_bits_three(row, x) << 3 |
               astar_bits_three(below, x) << 6;
    return (unsigned)((above[word] >> shift & 7) | (row[word] >> shift & 7) << 3 |
                      (below[word] >> shift & 7) << 6);
}

// The eight around the middle of the nine, bit d for the one in direction d of directions.h.
static inline unsigned astar_bits_ring(unsigned nine)
{
    return (nine >> 1 & 0x23) | (nine >> 3 & 0x14) | (nine >> 5 & 8) | (nine << 3 & 0x40) |
           (nine << 7 & 0x80);
}

// The eight neighbours of a cell, bit d for the neighbour in direction d of directions.h.
ASTAR_SPECIALIZE unsigned astar_bits_around(const AstarBits *bits, int x, int y)
{
    return astar_bits_ring(astar_bits_nine(bits, x, y));
}
#endif
