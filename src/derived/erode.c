// erode.c -- where a square of cells is free, as bits.
//
// A unit of size n fits where n x n bits are set, which is erosion by a square in the terms of
// image processing. A square is a row of columns, so rows are done first, then columns; and n bits
// are the and of two overlapping stretches of n/2 or more, so that log2(n) passes of shift and and
// over whole words do either (van Herk, 1992, has it in three operations a cell; for bits, 64 at a
// time, doubling is less).

#include "derived/walkable.h"

#include <string.h>

// row &= row >> shift, the row taken as one long number.
static void and_shifted(uint64_t *row, size_t words, int shift)
{
    size_t skip = (size_t)shift >> 6;
    unsigned rest = (unsigned)shift & 63;
    for (size_t i = 0; i < words; i++) {
        uint64_t low = i + skip < words ? row[i + skip] : 0;
        uint64_t high = i + skip + 1 < words ? row[i + skip + 1] : 0;
        row[i] &= rest == 0 ? low : low >> rest | high << (64 - rest);
    }
}

// The same for the rows of all of it; rows that lack one below lose their bits.
static void and_lower(AstarBits *bits, int height, int shift)
{
    for (int y = 0; y < height; y++) {
        uint64_t *row = astar_bits_row(bits, y);
        if (shift >= height - y) {
            memset(row, 0, bits->stride * sizeof *row);
            continue;
        }
        const uint64_t *below = row + (size_t)shift * bits->stride;
        for (size_t i = 0; i < bits->stride; i++)
            row[i] &= below[i];
    }
}

void astar_erode(AstarBits *bits, int height, int size)
{
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        for (int y = 0; y < height; y++)
            and_shifted(astar_bits_row(bits, y), bits->stride, shift);
    }
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        and_lower(bits, height, shift);
    }
}

int astar_stretch_east(const uint64_t *row, int x, int limit)
{
    size_t position = (size_t)(x + 1), last = (size_t)(limit + 1), word = position >> 6;
    uint64_t clear = ~row[word] & ~(uint64_t)0 << (position & 63);
    while (clear == 0 && ++word << 6 <= last)
        clear = ~row[word];
    if (clear == 0)
        return limit;
    int end = (int)(word << 6) + astar_lowest_bit(clear) - 2;
    return end < limit ? end : limit;
}

// A word of a row, of which those bits stay that a stretch of set ones begins with.
static uint64_t erode_word_of_row(const AstarBits *bits, int size, int y, size_t word)
{
    uint64_t words[(63 + ASTAR_MAX_SIZE) / 64 + 1] = {0};
    size_t count = ((size_t)size + 62) / 64 + 1;
    for (size_t i = 0; i < count && word + i < bits->stride; i++)
        words[i] = astar_bits_row(bits, y)[word + i];
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        and_shifted(words, count, shift);
    }
    return words[0];
}

void astar_erode_words(const AstarBits *bits, int height, int size, int y, int rows, size_t word,
                       uint64_t eroded[64])
{
    uint64_t words[64 + ASTAR_MAX_SIZE] = {0};
    int count = rows + size - 1;
    for (int i = 0; i < count && y + i < height; i++)
        words[i] = erode_word_of_row(bits, size, y + i, word);
    for (int done = 1, shift; done < size; done += shift) {
        shift = done < size - done ? done : size - done;
        for (int i = 0; i + shift < count; i++)
            words[i] &= words[i + shift];
    }
    memcpy(eroded, words, (size_t)rows * sizeof *eroded);
}
