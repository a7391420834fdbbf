// goal_field.c -- the numbers of cells, and the reading of packed distances.

#include "crowd/goal_field.h"

#include <assert.h>

AstarStatus astar_numbering_new(const AstarAllocator *allocator, const AstarBits *bits,
                                AstarNumbering **out)
{
    AstarNumbering *numbering = astar_alloc(allocator, 1, sizeof *numbering);
    if (numbering == NULL)
        return ASTAR_NO_MEMORY;
    numbering->references = 1;
    numbering->allocator = *allocator;
    numbering->bits = *bits;
    numbering->bits.words = astar_alloc(allocator, bits->count, sizeof *bits->words);
    numbering->before = astar_alloc(allocator, bits->count, sizeof *numbering->before);
    if (numbering->bits.words == NULL || numbering->before == NULL) {
        astar_numbering_release(numbering);
        return ASTAR_NO_MEMORY;
    }
    memcpy(numbering->bits.words, bits->words, bits->count * sizeof *bits->words);
    for (size_t word = 0; word < bits->count; word++) {
        numbering->before[word] = numbering->count;
        numbering->count += astar_count_bits(bits->words[word]);
    }
    *out = numbering;
    return ASTAR_OK;
}

void astar_numbering_release(AstarNumbering *numbering)
{
    if (numbering == NULL || --numbering->references > 0)
        return;
    AstarAllocator allocator = numbering->allocator;
    astar_release(&allocator, numbering->before, numbering->bits.count, sizeof *numbering->before);
    astar_bits_free(&allocator, &numbering->bits);
    astar_release(&allocator, numbering, 1, sizeof *numbering);
}

size_t astar_numbering_bytes(const AstarNumbering *numbering)
{
    return sizeof *numbering + numbering->bits.count * (sizeof(uint64_t) + sizeof(uint32_t));
}

void astar_distances_free(AstarDistances *distances, const AstarAllocator *allocator)
{
    astar_numbering_release(distances->numbering);
    astar_release(allocator, distances->values, distances->bytes, 1);
    *distances = (AstarDistances){0};
}

// The value of an entry: with one bit a cell the cell tells the lowest bit of the distance.
static inline uint32_t value_of_number(const AstarGoalField *field, uint32_t number, int x, int y)
{
    uint32_t value = astar_packed_value(field, number);
    return field->now.packing.shift > 0
               ? value
               : value << 1 | (((uint32_t)(x + y) ^ field->now.parity) & 1);
}

uint32_t astar_goal_field_value(const AstarGoalField *field, int x, int y)
{
    assert(field->now.numbering != NULL);
    if (!astar_bits_get(&field->now.numbering->bits, x, y))
        return ASTAR_NO_VALUE;
    return value_of_number(field, astar_number_of(field->now.numbering, x, y), x, y);
}

// The three cells of a row around a column, whose directions are given from the west: numbers of
// neighbours in a row follow each other.
static inline void read_row(const AstarGoalField *field, int x, int y, unsigned wanted,
                            const int8_t directions[3], uint32_t *values)
{
    const AstarNumbering *numbering = field->now.numbering;
    const uint64_t *row = astar_bits_row(&numbering->bits, y);
    unsigned three = astar_bits_three(row, x);
    size_t word = (size_t)x >> 6;
    uint32_t number = numbering->before[(size_t)(row - numbering->bits.words) + word] +
                      astar_count_bits(row[word] & (((uint64_t)1 << (x & 63)) - 1));
    for (int i = 0; i < 3; i++) {
        bool has_number = (three >> i & 1) != 0;
        int direction = directions[i];
        if (direction >= 0 && (wanted >> direction & 1) != 0)
            values[direction] = has_number ? value_of_number(field, number, x - 1 + i, y)
                                           : ASTAR_NO_VALUE;
        number += has_number;
    }
}

void astar_goal_field_around(const AstarGoalField *field, int x, int y, unsigned wanted,
                             uint32_t values[ASTAR_DIRECTIONS])
{
    static const int8_t rows[3][3] = {{7, 0, 1}, {6, -1, 2}, {5, 4, 3}};
    if ((wanted & 0x83) != 0)
        read_row(field, x, y - 1, wanted, rows[0], values);
    if ((wanted & 0x44) != 0)
        read_row(field, x, y, wanted, rows[1], values);
    if ((wanted & 0x38) != 0)
        read_row(field, x, y + 1, wanted, rows[2], values);
}
