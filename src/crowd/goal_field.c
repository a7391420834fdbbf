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
ASTAR_SPECIALIZE uint32_t value_of_entry(const AstarGoalField *field, uint32_t entry, int x, int y,
                                         unsigned shift)
{
    if (shift == 0)
        return entry << 1 | (((uint32_t)(x + y) ^ field->now.parity) & 1);
    return entry == astar_packed_none(shift) ? ASTAR_NO_VALUE : entry;
}

ASTAR_SPECIALIZE uint32_t value_of_number(const AstarGoalField *field, uint32_t number, int x,
                                          int y, unsigned shift)
{
    return value_of_entry(field, astar_packed_entry(field->now.values, number, shift), x, y, shift);
}

uint32_t astar_goal_field_value(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell)
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    assert(field->now.numbering != NULL);
    if (!astar_bits_get(&field->now.numbering->bits, x, y))
        return ASTAR_NO_VALUE;
    return value_of_number(field, astar_number_of(field->now.numbering, x, y), x, y,
                           field->now.packing.shift);
}

// Entries of three numbers from one on, of 'mask' each: of the small packings those lie in 16 bits.
// One of three cells has a number, so there is a byte behind (begin_packing).
ASTAR_SPECIALIZE unsigned three_entries(const uint8_t *values, uint32_t number, unsigned shift)
{
    const uint8_t *bytes = values + (number >> (3 - shift));
    return ((unsigned)bytes[0] | (unsigned)bytes[1] << 8) >> ((number << shift) & 7);
}

// A row around a column: which of its three cells have numbers, and those from the west on, which
// follow each other.
typedef struct FieldRow {
    unsigned three;
    uint32_t number;
    unsigned entries; // of the small packings
} FieldRow;

ASTAR_SPECIALIZE FieldRow read_row(const AstarGoalField *field, int x, int y, unsigned shift)
{
    const AstarNumbering *numbering = field->now.numbering;
    size_t first = (size_t)(y + 1) * numbering->bits.stride, word = (size_t)x >> 6;
    const uint64_t *row = numbering->bits.words + first;
    FieldRow read = {.three = astar_bits_three(row, x)};
    read.number = numbering->before[first + word] +
                  astar_count_bits(row[word] & (((uint64_t)1 << (x & 63)) - 1));
    if (shift < 3 && read.three != 0)
        read.entries = three_entries(field->now.values, read.number, shift);
    return read;
}

// The value of the cell that is 'i' from the west.
ASTAR_SPECIALIZE uint32_t value_in_row(const AstarGoalField *field, const FieldRow *row, int x,
                                       int y, unsigned shift, int i)
{
    unsigned before = i == 0   ? 0
                      : i == 1 ? row->three & 1
                               : (row->three & 1) + (row->three >> 1 & 1);
    if ((row->three >> i & 1) == 0)
        return ASTAR_NO_VALUE;
    if (shift >= 3)
        return value_of_number(field, row->number + before, x - 1 + i, y, shift);
    uint32_t entry = row->entries >> (before << shift) & astar_packed_none(shift);
    return value_of_entry(field, entry, x - 1 + i, y, shift);
}

ASTAR_SPECIALIZE void read_beside(const AstarGoalField *field, int x, int y, unsigned wanted,
                                  unsigned shift, uint32_t *values, int west, int middle, int east)
{
    FieldRow row = read_row(field, x, y, shift);
    values[middle] = value_in_row(field, &row, x, y, shift, 1);
    if ((wanted & (1u << west | 1u << east)) == 0)
        return;
    values[west] = value_in_row(field, &row, x, y, shift, 0);
    values[east] = value_in_row(field, &row, x, y, shift, 2);
}

ASTAR_SPECIALIZE void read_around(const AstarGoalField *field, int x, int y, unsigned wanted,
                                  unsigned shift, uint32_t *values)
{
    if ((wanted & 0x83) != 0)
        read_beside(field, x, y - 1, wanted, shift, values, 7, 0, 1);
    read_beside(field, x, y, wanted, shift, values, 6, ASTAR_DIRECTIONS, 2);
    if ((wanted & 0x38) != 0)
        read_beside(field, x, y + 1, wanted, shift, values, 5, 4, 3);
}

void astar_goal_field_around(const AstarGrid *grid, const AstarGoalField *field, uint32_t cell,
                             unsigned wanted, uint32_t values[ASTAR_DIRECTIONS + 1])
{
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    switch (field->now.packing.shift) {
    case 0: read_around(field, x, y, wanted, 0, values); break;
    case 1: read_around(field, x, y, wanted, 1, values); break;
    case 2: read_around(field, x, y, wanted, 2, values); break;
    case 3: read_around(field, x, y, wanted, 3, values); break;
    default: read_around(field, x, y, wanted, field->now.packing.shift, values); break;
    }
}
