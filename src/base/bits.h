// bits.h -- A matrix of bits, one per cell, with a border of zeros all around. Also the macros for
// the compiler.
//
// Because of the border every cell has eight neighbours, so code that reads around a cell need not
// check bounds. Each row starts at a word, so that the words of a row line up with those of the
// rows next to it.

#ifndef ASTAR_BITS_H
#define ASTAR_BITS_H

#include "base/alloc.h"

// A matrix of bits.
typedef struct AstarBits {
    uint64_t *words;
    size_t stride; // number of words per row
    size_t count;  // total number of words
} AstarBits;

// Marks functions that are called with constant arguments: the compiler makes a version for each
// call. In a build that measures coverage the compiler makes one version for all calls.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(ASTAR_COVERAGE)
#define ASTAR_SPECIALIZE static inline __attribute__((always_inline))
#else
#define ASTAR_SPECIALIZE static inline
#endif

// Marks functions that ASTAR_SPECIALIZE functions call many times. The compiler makes only one copy
// of such a function, so that the code stays small.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_ONCE static __attribute__((noinline))
#else
#define ASTAR_ONCE static
#endif

// Marks functions that are called once per build, save or job, in files whose other functions are
// called often. GCC and clang optimise such functions for size and place them apart from the code
// that every query runs.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_COLD __attribute__((cold))
#else
#define ASTAR_COLD
#endif

// Marks functions that most queries run through. Linkers that can do so place them next to each
// other. If the caches are cold, loading the pages of code takes as long as loading its cache
// lines.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_HOT __attribute__((hot))
#else
#define ASTAR_HOT
#endif

// Prefetches memory that will be read soon. The address may be invalid.
#if defined(__GNUC__) || defined(__clang__)
#define ASTAR_PREFETCH(address) __builtin_prefetch((const void *)(address))
#else
#define ASTAR_PREFETCH(address) ((void)(address))
#endif

// Returns the lesser of two numbers.
static inline int astar_lesser(int a, int b)
{
    return a < b ? a : b;
}

// Returns the greater of two numbers.
static inline int astar_greater(int a, int b)
{
    return a > b ? a : b;
}

#if defined(__GNUC__) || defined(__clang__)
// Returns the index of the lowest set bit. The word must not be 0.
static inline int astar_lowest_bit(uint64_t word)
{
    return __builtin_ctzll(word);
}

// Returns the index of the highest set bit. The word must not be 0.
static inline int astar_highest_bit(uint64_t word)
{
    return 63 - __builtin_clzll(word);
}
#else
// Returns the index of the lowest set bit. The word must not be 0.
static inline int astar_lowest_bit(uint64_t word)
{
    int bit = 0;
    for (; (word & 1) == 0; word >>= 1)
        bit++;
    return bit;
}

// Returns the index of the highest set bit. The word must not be 0.
static inline int astar_highest_bit(uint64_t word)
{
    int bit = 0;
    while (word >>= 1)
        bit++;
    return bit;
}
#endif

// Returns a new matrix of zeros; its words are NULL if memory runs out.
static inline AstarBits astar_bits_new(const AstarAllocator *allocator, int width, int height)
{
    AstarBits bits = {NULL, ((size_t)width + 2 + 63) / 64, 0};
    bits.count = bits.stride * ((size_t)height + 2);
    bits.words = astar_alloc(allocator, bits.count, sizeof *bits.words);
    return bits;
}

// Frees a matrix.
static inline void astar_bits_free(const AstarAllocator *allocator, AstarBits *bits)
{
    astar_release(allocator, bits->words, bits->count, sizeof *bits->words);
    bits->words = NULL;
}

// Returns a pointer to row y. Bit 0 of the row belongs to the border, so the bit of cell x is bit x
// + 1.
static inline uint64_t *astar_bits_row(const AstarBits *bits, int y)
{
    return bits->words + (size_t)(y + 1) * bits->stride;
}

// Returns the bit of a cell.
static inline bool astar_bits_get(const AstarBits *bits, int x, int y)
{
    size_t bit = (size_t)(x + 1);
    return (astar_bits_row(bits, y)[bit >> 6] >> (bit & 63)) & 1;
}

// Sets the bit of a cell to 'value'.
static inline void astar_bits_put(const AstarBits *bits, int x, int y, bool value)
{
    size_t bit = (size_t)(x + 1);
    uint64_t *word = astar_bits_row(bits, y) + (bit >> 6), mask = (uint64_t)1 << (bit & 63);
    *word = value ? *word | mask : *word & ~mask;
}

// Returns a mask for word number 'word' of a row. The mask selects the bits of that word that lie
// between bits 'first' and 'last' of the row, both included.
static inline uint64_t astar_bits_mask(size_t word, size_t first, size_t last)
{
    uint64_t mask = UINT64_MAX;
    if (word == first >> 6)
        mask &= UINT64_MAX << (first & 63);
    if (word == last >> 6)
        mask &= UINT64_MAX >> (63 - (last & 63));
    return mask;
}

// Sets or clears the bits of 'width' cells of a row, from column 'x' on. Returns true if a bit
// changed.
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

// Returns how many bits of a word are set. The compiler's own function is not used, because it may
// need a library that a module for Windows would have to include.
static inline uint32_t astar_count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

// Returns how many bits are set among 'width' cells of row y, from column 'x' on.
static inline uint32_t astar_bits_count(const AstarBits *bits, int x, int y, int width)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)x + 1, last = first + (size_t)width - 1;
    uint32_t count = 0;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        count += astar_count_bits(row[word] & astar_bits_mask(word, first, last));
    return count;
}

// Returns how many consecutive cells of row y, from column x on, have the same bit as cell x. The
// row has 'width' cells. A run of ones ends at the border at the latest.
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

// Returns true if a bit is set among 'count' cells of row y, from column x on.
static inline bool astar_any_bit(const AstarBits *bits, int x, int y, int count)
{
    const uint64_t *row = astar_bits_row(bits, y);
    size_t first = (size_t)x + 1, last = first + (size_t)count - 1;
    for (size_t word = first >> 6; word <= last >> 6; word++)
        if ((row[word] & astar_bits_mask(word, first, last)) != 0)
            return true;
    return false;
}

// Returns three bits of a row, those of x - 1, x and x + 1. The bit of x - 1 becomes the lowest bit
// of the result.
static inline unsigned astar_bits_three(const uint64_t *row, int x)
{
    size_t word = (size_t)x >> 6;
    unsigned shift = (unsigned)x & 63;
    uint64_t bits = row[word] >> shift;
    if (shift > 61)
        bits |= row[word + 1] << (64 - shift);
    return (unsigned)bits & 7;
}

// Returns the nine bits of (x, y) and the cells around it, row by row. The bit of the north-west
// cell becomes the lowest bit of the result. For cells beyond the edges of the map the border of
// zeros is read.
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

// Returns the bits of the eight neighbours out of the result of astar_bits_nine. Bit d of the
// result is the neighbour in direction d of directions.h.
static inline unsigned astar_bits_ring(unsigned nine)
{
    return (nine >> 1 & 0x23) | (nine >> 3 & 0x14) | (nine >> 5 & 8) | (nine << 3 & 0x40) |
           (nine << 7 & 0x80);
}

// Returns the bits of the eight neighbours of a cell; bit d is the neighbour in direction d of
// directions.h.
ASTAR_SPECIALIZE unsigned astar_bits_around(const AstarBits *bits, int x, int y)
{
    return astar_bits_ring(astar_bits_nine(bits, x, y));
}
#endif
