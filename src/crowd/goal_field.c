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
ASTAR_SPECIALIZE uint32_t value_of_number(const AstarGoalField *field, uint32_t number, int x,
                                          int y, unsigned shift)
{
    uint32_t value = astar_packed_value(field->now.values, number, shift);
    return shift > 0 ? value : value << 1 | (((uint32_t)(x + y) ^ field->now.parity) & 1);
}

static uint32_t value_by_shift(const AstarGoalField *field, uint32_t number, int x, int y)
{
    switch (field->now.packing.shift) {
    case 0: return value_of_number(field, number, x, y, 0);
    case 1: return value_of_number(field, number, x, y, 1);
    case 2: return value_of_number(field, number, x, y, 2);
    case 3: return value_of_number(field, number, x, y, 3);
    case 4: return value_of_number(field, number, x, y, 4);
    default: return value_of_number(field, number, x, y, 5);
    }
}

uint32_t astar_goal_field_value(const AstarGoalField *field, int x, int y)
{
    assert(field->now.numbering != NULL);
    if (!astar_bits_get(&field->now.numbering->bits, x, y))
        return ASTAR_NO_VALUE;
    return value_by_shift(field, astar_number_of(field->now.numbering, x, y), x, y);
}

// The three cells of a row around a column, whose places in 'values' are given from the west:
// numbers of neighbours in a row follow each other.
ASTAR_SPECIALIZE void read_row(const AstarGoalField *field, int x, int y, unsigned wanted,
                               unsigned shift, const int at[3], uint32_t *values)
{
    const AstarNumbering *numbering = field->now.numbering;
    const uint64_t *row = astar_bits_row(&numbering->bits, y);
    unsigned three = astar_bits_three(row, x);
    size_t word = (size_t)x >> 6;
    uint32_t number = numbering->before[(size_t)(row - numbering->bits.words) + word] +
                      astar_count_bits(row[word] & (((uint64_t)1 << (x & 63)) - 1));
    for (int i = 0; i < 3; i++) {
        bool has_number = (three >> i & 1) != 0;
        if ((wanted >> at[i] & 1) != 0)
            values[at[i]] = has_number ? value_of_number(field, number, x - 1 + i, y, shift)
                                       : ASTAR_NO_VALUE;
        number += has_number;
    }
}

ASTAR_SPECIALIZE void read_around(const AstarGoalField *field, int x, int y, unsigned wanted,
                                  unsigned shift, uint32_t *values)
{
    wanted |= 1u << ASTAR_DIRECTIONS;
    if ((wanted & 0x83) != 0)
        read_row(field, x, y - 1, wanted, shift, (const int[3]){7, 0, 1}, values);
    read_row(field, x, y, wanted, shift, (const int[3]){6, ASTAR_DIRECTIONS, 2}, values);
    if ((wanted & 0x38) != 0)
        read_row(field, x, y + 1, wanted, shift, (const int[3]){5, 4, 3}, values);
}

void astar_goal_field_around(const AstarGoalField *field, int x, int y, unsigned wanted,
                             uint32_t values[ASTAR_DIRECTIONS + 1])
{
    switch (field->now.packing.shift) {
    case 0: read_around(field, x, y, wanted, 0, values); break;
    case 1: read_around(field, x, y, wanted, 1, values); break;
    case 2: read_around(field, x, y, wanted, 2, values); break;
    case 3: read_around(field, x, y, wanted, 3, values); break;
    case 4: read_around(field, x, y, wanted, 4, values); break;
    default: read_around(field, x, y, wanted, 5, values); break;
    }
}
