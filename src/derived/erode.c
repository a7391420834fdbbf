// erode.c -- where a square of cells is free, as bits.
//
// A unit of size n fits where n x n bits are set, which is erosion by a square in the terms of
// image processing. A square is a row of columns, so rows are done first, then columns; and n bits
// are the and of two overlapping stretches of n/2 or more, so that log2(n) passes of shift and and
// over whole words do either (van Herk, 1992, has it in three operations a cell; for bits, 64 at a
// time, doubling is less). An edit changes only the squares that cover it; those that are free then
// make one stretch of corners in each row, bounded by the obstacles nearest to the edit.

#include "derived/erode.h"

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

// The same to the west: the first cell of the stretch, at least 'limit'.
static int stretch_west(const uint64_t *row, int x, int limit)
{
    size_t position = (size_t)(x + 1), last = (size_t)(limit + 1), word = position >> 6;
    uint64_t clear = ~row[word] & ~(uint64_t)0 >> (63 - (position & 63));
    while (clear == 0 && word > last >> 6)
        clear = ~row[--word];
    if (clear == 0)
        return limit;
    int begin = (int)(word << 6) + astar_highest_bit(clear);
    return begin > limit ? begin : limit;
}

// The stretch of set bits around (x, y) that squares of this size over it can lie in; where its own
// is not set, it ends before it begins.
static AstarSpan stretch_around(const AstarBits *bits, int size, int x, int y)
{
    const uint64_t *row = astar_bits_row(bits, y);
    int first = x - size + 1 > 0 ? x - size + 1 : 0;
    return (AstarSpan){stretch_west(row, x, first), astar_stretch_east(row, x, x + size - 1)};
}

int astar_erode_around(const AstarBits *bits, int height, int size, int x, int y,
                       AstarSpan spans[ASTAR_MAX_SIZE])
{
    AstarSpan stretches[2 * ASTAR_MAX_SIZE];
    int top = y - size + 1 > 0 ? y - size + 1 : 0;
    int bottom = y + size < height ? y + size : height;
    for (int row = top; row < bottom; row++)
        stretches[row - top] = stretch_around(bits, size, x, row);
    for (int row = top; row <= y; row++) {
        AstarSpan *span = &spans[row - top];
        *span = row + size > height ? (AstarSpan){x + 1, x} : stretches[row - top];
        for (int under = row + 1; under < row + size && under < bottom; under++) {
            const AstarSpan *stretch = &stretches[under - top];
            span->first = stretch->first > span->first ? stretch->first : span->first;
            span->last = stretch->last < span->last ? stretch->last : span->last;
        }
        span->last -= size - 1;
    }
    return y - top + 1;
}
